package terraform_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// replaced are configurations of the attributes that an update replaces as a whole, and
// what a person makes of each in the web interface.
var replaced = map[string]struct {
	before, after object
	edit          testserver.Object
	says          string
}{
	"appearance":   {object{"appearance": `{"position":"left"}`}, object{"appearance": `{"position":"right"}`}, testserver.Object{"appearance": object{"position": "center"}}, `appearance.position: "left" -> "center"`},
	"conditions":   {object{"conditions": `{"url":"/a"}`}, object{"conditions": `{"url":"/b"}`}, testserver.Object{"conditions": object{"url": "/c"}}, `conditions.url: "/a" -> "/c"`},
	"translations": {object{"translations": `{"de":{"name":"A"}}`}, object{"translations": `{"de":{"name":"B"}}`}, testserver.Object{"translations": object{"de": object{"name": "C"}}}, `translations.de.name: "A" -> "C"`},
	"form_content": {object{"form_content": `{"a":"x"}`}, object{"form_content": `{"a":"y"}`}, testserver.Object{"form_content": object{"a": "z"}}, `form_content.a: "x" -> "z"`},
	"questions":    {asking(open(object{"id": "a"})), asking(open(object{"id": "a", "optional": true})), testserver.Object{"questions": []any{object{"id": "theirs", "type": "open", "question": "Theirs"}, open(object{"id": "a", "question": "Reworded"})}}, `questions[1] was reworded: "Why?" -> "Reworded"`},
}

// What was changed in the web interface between plan and apply is not overwritten.
func TestA10UnseenEditsAreNotOverwritten(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for name, c := range replaced {
			if profile == testserver.Documented && (name == "translations" || name == "form_content") {
				continue // no answer has them
			}
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				applied := survey.Apply(with(c.before))
				require.False(t, applied.HasError(), applied.Text())
				plan := survey.Plan(with(c.after))
				require.False(t, plan.Diagnostics.HasError(), plan.Diagnostics.Text())

				id, _ := only(t, env)["id"].(string)
				env.PatchSurvey(id, c.edit)
				stored := only(t, env)
				env.ResetJournal()
				refused := survey.ApplyPlan(plan)
				require.True(t, refused.HasError())
				assert.Contains(t, refused.Text(), "Could not update survey")
				assert.Contains(t, refused.Text(), c.says)
				assert.Contains(t, refused.Text(), "Plan again")
				assert.Equal(t, stored, only(t, env))
				assert.Empty(t, env.RequestBodies(t, http.MethodPatch))

				require.Empty(t, survey.Refresh().Errors())
				again := survey.Apply(with(c.after))
				require.False(t, again.HasError(), again.Text())
			})
		}
	}
}

// An update takes one request more, which looks at the survey; what is unchanged takes none.
// What the plan does not write may have changed.
func TestL11RequestsOfAnUpdate(t *testing.T) {
	t.Parallel()
	both := map[string]int{"surveys_retrieve": 1, "surveys_partial_update": 1}
	for _, profile := range profiles {
		for name, c := range replaced {
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(with(c.before)).Errors())
				id, _ := only(t, env)["id"].(string)

				env.ResetJournal()
				require.Empty(t, survey.Apply(with(maps.Clone(c.after))).Errors())
				assert.Equal(t, both, env.Operations())

				env.ResetJournal()
				renamed := merged(with(c.after), object{"description": "another"})
				require.Empty(t, survey.Apply(renamed).Errors())
				assert.Equal(t, both, env.Operations())

				env.ResetJournal()
				require.Empty(t, survey.Apply(renamed).Errors())
				assert.Empty(t, env.Operations())

				// What nobody replaces may have changed.
				plan := survey.Plan(merged(renamed, object{"description": "a third"}))
				env.PatchSurvey(id, c.edit)
				require.Empty(t, survey.ApplyPlan(plan).Errors())
				for name, edited := range c.edit {
					if name != "questions" {
						assert.Equal(t, edited, only(t, env)[name])
					}
				}
			})
		}
	}
}

// The error names who made the change, where the key may read the activity log.
func TestL11NamesWhoChangedIt(t *testing.T) {
	t.Parallel()
	for _, forbidden := range []bool{false, true} {
		env := acctest.Start(t, acctest.Profile(testserver.Hosted))
		own, theirs := env.Resource(t, "posthog_survey"), env.Resource(t, "posthog_survey")
		require.Empty(t, own.Apply(asking(open(object{"id": "a"}))).Errors())
		id, _ := only(t, env)["id"].(string)
		require.Empty(t, theirs.Import("1/"+id).Errors())
		plan := own.Plan(asking(open(object{"id": "a", "optional": true})))

		require.Empty(t, theirs.Apply(merged(asking(open(object{"id": "b", "question": "First?"}), open(object{"id": "a"})), object{"name": only(t, env)["name"]})).Errors())
		if forbidden {
			env.SetFaults(testserver.Fault{Operation: "surveys_activity_retrieve", Status: http.StatusForbidden})
		}
		refused := own.ApplyPlan(plan).Text()
		assert.Contains(t, refused, `questions[0] was inserted: "First?"`)
		assert.Equal(t, !forbidden, strings.Contains(refused, "The last change of questions was made by"), refused)
	}
}
