package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// nullKeys are two spellings of one value: with keys that hold null, and without.
var nullKeys = map[string]struct{ with, without object }{
	"conditions": {
		posed(object{"conditions": `{"url":"/x","actions":null,"events":{"values":[{"name":"e","propertyFilters":null}]}}`}),
		posed(object{"conditions": `{"url":"/x","events":{"values":[{"name":"e"}]}}`}),
	},
	"appearance": {
		posed(object{"appearance": `{"position":"left","surveyPopupDelaySeconds":null}`}),
		posed(object{"appearance": `{"position":"left"}`}),
	},
	"filters": {
		posed(object{"targeting_flag_filters": `{"groups":[{"rollout_percentage":5,"variant":null,"properties":[]}],"multivariate":null}`}),
		posed(object{"targeting_flag_filters": `{"groups":[{"rollout_percentage":5,"properties":[]}]}`}),
	},
	"form": {
		posed(object{"form_content": `{"type":"doc","attrs":null}`}),
		posed(object{"form_content": `{"type":"doc"}`}),
	},
	"extra": {
		asking(open(object{"id": "q", "extra": `{"tag":"a","origin":null}`})),
		asking(open(object{"id": "q", "extra": `{"tag":"a"}`})),
	},
	"question translations": {
		asking(open(object{"id": "q", "translations": `{"de":{"question":"Warum?","link":null}}`})),
		asking(open(object{"id": "q", "translations": `{"de":{"question":"Warum?"}}`})),
	},
}

// Generated configuration keeps keys that hold null, configuration by hand leaves them
// out: from one to the other is no change, nor is it drift.
func TestB12NullKeyEqualsAbsentKey(t *testing.T) {
	t.Parallel()
	for name, c := range nullKeys {
		for _, profile := range profiles {
			for _, order := range [][2]object{{c.with, c.without}, {c.without, c.with}} {
				t.Run(string(profile)+"/"+name, func(t *testing.T) {
					t.Parallel()
					env := acctest.Start(t, acctest.Profile(profile))
					env.Differential(t)
					survey := env.Resource(t, "posthog_survey")
					applied := survey.Apply(order[0])
					require.False(t, applied.HasError(), applied.Text())
					require.False(t, survey.Refresh().HasError())

					assert.True(t, survey.IsEmpty(survey.Plan(order[0])), "the same again")
					assert.True(t, survey.IsEmpty(survey.Plan(order[1])), "the other spelling")
				})
			}
		}
	}
}

func TestB12NullKeyIsNoDrift(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		env.Differential(t)
		survey := env.Resource(t, "posthog_survey")
		config := posed(object{"conditions": `{"url":"/x"}`, "appearance": `{"position":"left","widgetLabel":null}`})
		require.False(t, survey.Apply(config).HasError())

		id, _ := survey.State("id").(string)
		env.PatchSurvey(id, testserver.Object{
			"conditions": object{"url": "/x", "actions": nil, "events": nil}, "appearance": object{"position": "left", "borderColor": nil},
		})
		require.False(t, survey.Refresh().HasError())
		assert.True(t, survey.IsEmpty(survey.Plan(config)), "%s", profile)

		// A value in the place of the null is drift.
		env.PatchSurvey(id, testserver.Object{"conditions": object{"url": "/x", "selector": "#a"}})
		require.False(t, survey.Refresh().HasError())
		assert.False(t, survey.IsEmpty(survey.Plan(config)), "%s", profile)
	}
}

// The service leaves an empty link out when it is read: it equals null.
func TestEmptyLinkEqualsNone(t *testing.T) {
	t.Parallel()
	empty, none := asking(object{"id": "q", "type": "link", "question": "See", "link": ""}), asking(object{"id": "q", "type": "link", "question": "See"})
	for _, profile := range profiles {
		for _, order := range [][2]object{{empty, none}, {none, empty}} {
			env := acctest.Start(t, acctest.Profile(profile))
			survey := env.Resource(t, "posthog_survey")
			require.False(t, survey.Apply(order[0]).HasError())
			id, _ := survey.State("id").(string)
			env.PatchSurvey(id, testserver.Object{"questions": []any{object{"id": "q", "type": "link", "question": "See"}}})
			require.False(t, survey.Refresh().HasError())
			assert.True(t, survey.IsEmpty(survey.Plan(order[0])), "%s: the same again", profile)
			if order[0]["questions"].([]any)[0].(object)["link"] != nil {
				// The other way Terraform wants the empty text in the plan.
				assert.True(t, survey.IsEmpty(survey.Plan(order[1])), "%s: the other spelling", profile)
			}
		}
	}
}
