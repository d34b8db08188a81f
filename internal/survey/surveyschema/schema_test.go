package surveyschema_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// The model and the schema agree on which attributes are dates.
func TestDatesOfTheModelAreDatesOfTheSchema(t *testing.T) {
	t.Parallel()
	attributes := surveyschema.Resource().Attributes
	for _, f := range reflect.VisibleFields(reflect.TypeFor[survey.Fields]()) {
		name := f.Tag.Get("tfsdk")
		text, isText := attributes[name].(schema.StringAttribute)
		isDate := isText && slices.ContainsFunc(text.Validators, func(v validator.String) bool {
			return v.Description(t.Context()) == attribute.Timestamp.Description(t.Context())
		})
		assert.Equal(t, isDate, f.Tag.Get("wire") == "date", name)
	}
}
