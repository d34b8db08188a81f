package terraform_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// withNUL returns an attribute value with the character NUL, and where an error locates it. It returns false for an
// attribute without text.
func withNUL(name string, a schema.Attribute) (value any, place string, hasTexts bool) {
	switch typ := a.GetType(); {
	case typ.Equal(jsontypes.NormalizedType{}):
		return `{"a":[{"b":"x\u0000"}]}`, name + ".a[0].b", true
	case typ.Equal(types.StringType):
		return "x\x00", name, true
	case typ.Equal(types.ListType{ElemType: types.StringType}):
		return []any{"x", "x\x00"}, name + "[1]", true
	}
	return nil, "", false
}

// PostHog's database cannot store the character NUL. Each text that a survey can have is refused where it is written.
func TestTextsWithNUL(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	assertRefused := func(place string, config object) {
		t.Helper()
		want := place + " contains the character NUL (U+0000), which PostHog cannot store. Remove it."
		assert.Contains(t, survey.Validate(config).Errors().Text(), want, "terraform validate")
		assert.Contains(t, survey.Plan(config).Diagnostics.Errors().Text(), want, "terraform plan")
	}

	attributes := surveyschema.Resource().Attributes
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		if a := attributes[name]; a.IsOptional() || a.IsRequired() {
			if value, place, hasTexts := withNUL(name, a); hasTexts {
				assertRefused(place, posed(object{name: value}))
			}
		}
	}
	questionAttributes := surveyschema.QuestionAttributes()
	for _, name := range slices.Sorted(maps.Keys(questionAttributes)) {
		if value, place, hasTexts := withNUL(name, questionAttributes[name]); hasTexts {
			assertRefused("questions[1]."+place, asking(open(nil), open(object{name: value})))
		}
	}
	assertRefused(`questions[0].branching.response_values["0"]`, asking(open(object{
		"branching": object{"type": "response_based", "response_values": object{"0": "x\x00"}},
	})))
	assertRefused("translations.de.name", posed(object{"translations": `{"de":{"name":"x\u0000"}}`}))
}

// Text may describe the escape sequence, and JSON may contain it with its backslash escaped.
func TestTextsWithoutNUL(t *testing.T) {
	t.Parallel()
	survey := acctest.Start(t).Resource(t, "posthog_survey")
	config := posed(object{"description": `Write \u0000`, "appearance": `{"thankYouMessageHeader":"Write \\u0000"}`})
	assert.Empty(t, survey.Validate(config).Text())
	assert.Empty(t, survey.Plan(config).Diagnostics.Text())
}
