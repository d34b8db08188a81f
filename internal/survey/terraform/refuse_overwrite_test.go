package terraform_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// replaced are configurations of the attributes that an update replaces as a whole, each with an edit that a teammate
// makes in PostHog.
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

// An edit in PostHog between plan and apply is not overwritten.
func TestA10UnseenEditsAreNotOverwritten(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for name, c := range replaced {
			if profile == testserver.Documented && (name == "translations" || name == "form_content") {
				continue // no response contains them
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
				assert.Contains(t, refused.Text(), "Run terraform plan")
				assert.Equal(t, stored, only(t, env))
				assert.Empty(t, env.RequestBodies(t, http.MethodPatch))

				require.Empty(t, survey.Refresh().Errors())
				again := survey.Apply(with(c.after))
				require.False(t, again.HasError(), again.Text())
			})
		}
	}
}

// An update sends one more request, which reads the survey. Without changes, no such request is needed. Attributes that
// the plan doesn't write may have changed.
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

				// If a single value was edited in PostHog between plan and apply, the apply does not overwrite it,
				// and writes nothing else of the same plan.
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

// scalars are configurations of attributes with a single value, each with an edit that a teammate makes between plan
// and apply.
var scalars = map[string]struct {
	before, after object
	edit          testserver.Object
	says          string
}{
	"name":                         {object{"name": "A"}, object{"name": "B"}, testserver.Object{"name": "Theirs"}, `name: "A" -> "Theirs"`},
	"description":                  {object{"description": "a"}, object{"description": "b"}, testserver.Object{"description": "theirs"}, `description: "a" -> "theirs"`},
	"description taken out":        {object{"description": "a"}, nil, testserver.Object{"description": "theirs"}, `description: "a" -> "theirs"`},
	"type":                         {object{"type": "popover"}, object{"type": "widget"}, testserver.Object{"type": "api"}, `type: "popover" -> "api"`},
	"schedule":                     {object{"schedule": "once"}, object{"schedule": "always"}, testserver.Object{"schedule": "recurring", "iteration_count": 2, "iteration_frequency_days": 7}, `schedule: "once" -> "recurring"`},
	"responses_limit":              {object{"responses_limit": 10}, object{"responses_limit": 20}, testserver.Object{"responses_limit": 99}, "responses_limit: 10 -> 99"},
	"linked_flag_id":               {object{"linked_flag_id": 1}, object{"linked_flag_id": 2}, testserver.Object{"linked_flag_id": 3}, "linked_flag_id: 1 -> 3"},
	"targeting_flag_id":            {object{"targeting_flag_id": 1}, object{"targeting_flag_id": 2}, testserver.Object{"targeting_flag_id": 3}, "targeting_flag_id: 1 -> 3"},
	"targeting_flag_id taken out":  {object{"targeting_flag_id": 1}, nil, testserver.Object{"targeting_flag_id": 3}, "targeting_flag_id: 1 -> 3"},
	"flag instead of filters":      {tenPercent, object{"targeting_flag_id": 2}, testserver.Object{"targeting_flag_id": 3}, "targeting_flag_id: (not set) -> 3"},
	"launched twice":               {nil, object{"status": "running"}, testserver.Object{"start_date": "2025-05-01T00:00:00Z"}, `start_date: (not set) -> "2025-05-01T00:00:00Z"`},
	"stopped twice":                {object{"start_date": "2025-05-01T00:00:00Z"}, object{"start_date": "2025-05-01T00:00:00Z", "status": "completed"}, testserver.Object{"end_date": "2025-06-01T00:00:00Z"}, `end_date: (not set) -> "2025-06-01T00:00:00Z"`},
	"iteration_count":              {object{"schedule": "recurring", "iteration_count": 2, "iteration_frequency_days": 7}, object{"schedule": "recurring", "iteration_count": 3, "iteration_frequency_days": 7}, testserver.Object{"iteration_count": 4, "iteration_frequency_days": 7}, "iteration_count: 2 -> 4"},
	"companion of iteration_count": {object{"schedule": "recurring", "iteration_count": 2, "iteration_frequency_days": 7}, object{"schedule": "recurring", "iteration_count": 3, "iteration_frequency_days": 7}, testserver.Object{"iteration_count": 2, "iteration_frequency_days": 30}, "iteration_frequency_days: 7 -> 30"},
	"response_sampling_limit":      {sampledSurvey, merged(sampledSurvey, object{"response_sampling_limit": 20}), testserver.Object{"response_sampling_limit": 30, "response_sampling_start_date": "2031-01-01T00:00:00Z", "response_sampling_interval": 1, "response_sampling_interval_type": "week"}, "response_sampling_limit: 10 -> 30"},
}

// inNoAnswer are the scalars that no response of the documented profile contains.
var inNoAnswer = map[string]struct{}{"schedule": {}, "response_sampling_limit": {}, "flag instead of filters": {}}

// A single value that was edited in PostHog between plan and apply is not overwritten, and nothing else in the same
// plan is written.
func TestL11ScalarsAreNotOverwritten(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for name, c := range scalars {
			if _, ok := inNoAnswer[name]; ok && profile == testserver.Documented {
				continue
			}
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(betaFlag))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(with(c.before)).Errors().Text())
				plan := survey.Plan(merged(with(c.after), object{"enable_iframe_embedding": true}))
				require.Empty(t, plan.Diagnostics.Errors().Text())

				id, _ := survey.State("id").(string)
				env.PatchSurvey(id, c.edit)
				stored := only(t, env)
				env.ResetJournal()
				refused := survey.ApplyPlan(plan).Errors().Text()
				assert.Contains(t, refused, "Could not update survey")
				assert.Contains(t, refused, c.says)
				assert.Contains(t, refused, "Run terraform plan")
				assert.Equal(t, stored, only(t, env))
				assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
			})
		}
	}
}

// An edit to the planned value, or to an attribute that the plan doesn't change, isn't a reason to refuse. The latter
// edit is kept.
func TestL11EditsThatAreNoLoss(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"description": "a", "responses_limit": 10})).Errors().Text())
		plan := survey.Plan(with(object{"description": "b", "responses_limit": 10}))

		id, _ := survey.State("id").(string)
		env.PatchSurvey(id, testserver.Object{"description": "b", "responses_limit": 99})
		require.Empty(t, survey.ApplyPlan(plan).Errors().Text())
		assert.Equal(t, "99", fmt.Sprint(only(t, env)["responses_limit"]))
	}
}

// An update that removes a question from a draft is not sent if respondents have answered the question meanwhile.
func TestL11QuestionOfALaunchedSurveyIsNotRemoved(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(asking(open(object{"id": "a"}), open(object{"id": "b", "question": "Else?"}))).Errors().Text())
		less := survey.Plan(asking(open(object{"id": "a"})))
		reworded := survey.Plan(asking(open(object{"id": "a"}), open(object{"id": "b", "question": "What else?"})))

		id, _ := survey.State("id").(string)
		env.PatchSurvey(id, testserver.Object{"start_date": "2025-05-01T00:00:00Z"})
		assert.Contains(t, survey.ApplyPlan(less).Errors().Text(), `status: "draft" -> "running": the update removes questions`)
		assert.Equal(t, []string{"a", "b"}, questionIDs(t, only(t, env)))
		assert.Empty(t, survey.ApplyPlan(reworded).Errors().Text())
	}
}

// editDuringWait makes an operation wait for a 429, during which a teammate edits the survey.
func editDuringWait(operation string, edit object) []testserver.Fault {
	return []testserver.Fault{
		{Operation: operation, To: 1, RetryAfter: "4"},
		{Operation: "surveys_retrieve", From: 2, To: 2, Edit: edit},
	}
}

// L11: every write detects an edit made during its wait, and doesn't overwrite it.
func TestL11WritersLookAgainAfterAWait(t *testing.T) {
	t.Parallel()
	const update, destroy = "surveys_partial_update", "surveys_destroy"
	for name, c := range map[string]struct {
		config    object
		operation string
		edit      object
		write     func(env *acctest.Env, survey *acctest.Resource) acctest.Diagnostics
		says      string
	}{
		"update": {
			object{"description": "a"}, update, object{"description": "theirs"},
			func(_ *acctest.Env, survey *acctest.Resource) acctest.Diagnostics {
				return survey.Apply(with(object{"description": "b"}))
			},
			`description: "a" -> "theirs"`,
		},
		"destroy": {
			nil, destroy, object{"start_date": "2025-05-01T00:00:00Z"},
			func(_ *acctest.Env, survey *acctest.Resource) acctest.Diagnostics { return survey.Destroy() }, `status: "draft" -> "running"`,
		},
		"archive": {
			object{"deletion_policy": "archive"}, update, object{"start_date": "2025-05-01T00:00:00Z"},
			func(_ *acctest.Env, survey *acctest.Resource) acctest.Diagnostics { return survey.Destroy() }, `status: "draft" -> "running"`,
		},
		"launch": {
			nil, update, object{"archived": true},
			func(env *acctest.Env, survey *acctest.Resource) acctest.Diagnostics {
				_, diags := env.Invoke(t, "posthog_survey_launch", object{"survey_id": survey.State("id")})
				return diags
			}, "The survey is archived",
		},
	} {
		for _, profile := range profiles {
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(with(c.config)).Errors().Text())

				env.ResetJournal()
				env.SetFaults(editDuringWait(c.operation, c.edit)...)
				assert.Contains(t, c.write(env, survey).Errors().Text(), c.says)
				assert.Equal(t, map[string]int{"surveys_retrieve": 2, c.operation: 1}, withoutActivity(env.Operations()))
				require.Len(t, env.Surveys(t), 1)
				for field, value := range c.edit {
					assert.Equal(t, value, only(t, env)[field])
				}
			})
		}
	}
}

func withoutActivity(operations map[string]int) map[string]int {
	delete(operations, "surveys_activity_retrieve")
	return operations
}

// L11: delete_unanswered counts answers that arrive during its wait.
func TestL11AnswersDuringAWait(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, withResponses(0))
	survey := unansweredOnly(t, env)
	env.SetFaults(
		testserver.Fault{Operation: "surveys_destroy", To: 1, RetryAfter: "4"},
		testserver.Fault{Operation: "surveys_responses_count_retrieve", From: 2, Status: http.StatusOK, Body: map[string]int{surveyID: 9}},
	)
	assert.Contains(t, survey.Destroy().Errors().Text(), "it has 9 responses.")
	assert.Len(t, env.Surveys(t), 1)
	assert.Equal(t, 1, env.Operations()["surveys_destroy"])
}

// An edit of something else isn't a reason to refuse, and an attempt that succeeded without a response isn't an edit.
func TestL11WaitsThatLoseNothing(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"description": "a"})).Errors().Text())
		env.SetFaults(editDuringWait("surveys_partial_update", object{"responses_limit": 9})...)
		require.Empty(t, survey.Apply(with(object{"description": "b"})).Errors().Text())
		assert.Equal(t, "9", fmt.Sprint(only(t, env)["responses_limit"]))
		require.Empty(t, survey.Refresh().Errors().Text())

		env.ResetJournal()
		env.SetFaults(testserver.Fault{Operation: "surveys_partial_update", Drop: "after"})
		config := asking(open(object{"question": "Why not?"}))
		config["responses_limit"] = 9
		require.Empty(t, survey.Apply(config).Errors().Text())
		assert.Equal(t, 2, env.Operations()["surveys_retrieve"])
		env.SetFaults()
		assert.True(t, survey.IsEmpty(survey.Plan(config)))
	}
}

// The same holds with a real Terraform: the apply fails, and the next plan shows the edit.
func TestAccL11UpdateLooksAgainAfterAWait(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	cli := env.CLI(t)
	configuration := func(text string) string {
		return ownProvider + `
resource "posthog_survey" "nps" {
  name      = "NPS"
  type      = "popover"
  questions = [{ type = "open", question = "` + text + `" }]
}
`
	}
	cli.Write("main.tf", configuration("Why?"))
	cli.Run("apply", "-auto-approve")

	theirs := open(object{"question": "Theirs?", "id": "018f2a3b-0000-4000-8000-0000000000ee"})
	faults := editDuringWait("surveys_partial_update", object{"questions": []any{theirs}})
	faults[0].RetryAfter = "2"
	faults[1].From, faults[1].To = 3, 3 // a refresh also reads the survey
	env.SetFaults(faults...)
	cli.Write("main.tf", configuration("Why not?"))
	output, code := cli.Exit("apply", "-auto-approve")
	assert.Equal(t, 1, code)
	assert.Contains(t, output, "It was changed in PostHog after this plan was made")
	assert.Contains(t, output, "Theirs?")
	assert.Len(t, env.RequestBodies(t, http.MethodPatch), 1)
	assert.Contains(t, cli.Run("plan"), "1 to change")
}
