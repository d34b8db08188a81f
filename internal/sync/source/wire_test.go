package source

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// Each attribute of a question is shown with its API name.
func TestWireNames(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for field := range reflect.TypeFor[api.SurveyQuestion]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		keys[name] = true
	}

	questions := surveyschema.Resource().Attributes["questions"].(schema.ListNestedAttribute)
	require.Greater(t, len(questions.NestedObject.Attributes), 15)
	for name := range questions.NestedObject.Attributes {
		if name != "extra" { // its keys are API names
			assert.True(t, keys[wireName(name)], "the API field of %s is not %s", name, wireName(name))
		}
	}
}
