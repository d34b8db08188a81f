package terraform_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// scalars are configurations of attributes with a single value, and what a person makes of
// each in the web interface between plan and apply.
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
	"flag in place of filters":     {tenPercent, object{"targeting_flag_id": 2}, testserver.Object{"targeting_flag_id": 3}, "targeting_flag_id: (not set) -> 3"},
	"launched twice":               {nil, object{"status": "running"}, testserver.Object{"start_date": "2025-05-01T00:00:00Z"}, `start_date: (not set) -> "2025-05-01T00:00:00Z"`},
	"stopped twice":                {object{"start_date": "2025-05-01T00:00:00Z"}, object{"start_date": "2025-05-01T00:00:00Z", "status": "completed"}, testserver.Object{"end_date": "2025-06-01T00:00:00Z"}, `end_date: (not set) -> "2025-06-01T00:00:00Z"`},
	"iteration_count":              {object{"schedule": "recurring", "iteration_count": 2, "iteration_frequency_days": 7}, object{"schedule": "recurring", "iteration_count": 3, "iteration_frequency_days": 7}, testserver.Object{"iteration_count": 4, "iteration_frequency_days": 7}, "iteration_count: 2 -> 4"},
	"companion of iteration_count": {object{"schedule": "recurring", "iteration_count": 2, "iteration_frequency_days": 7}, object{"schedule": "recurring", "iteration_count": 3, "iteration_frequency_days": 7}, testserver.Object{"iteration_count": 2, "iteration_frequency_days": 30}, "iteration_frequency_days: 7 -> 30"},
	"response_sampling_limit":      {sampledSurvey, merged(sampledSurvey, object{"response_sampling_limit": 20}), testserver.Object{"response_sampling_limit": 30, "response_sampling_start_date": "2031-01-01T00:00:00Z", "response_sampling_interval": 1, "response_sampling_interval_type": "week"}, "response_sampling_limit: 10 -> 30"},
}

// inNoAnswer are those of scalars that no response of the documented profile has.
var inNoAnswer = map[string]struct{}{"schedule": {}, "response_sampling_limit": {}, "flag in place of filters": {}}

// A single value that was changed in the web interface between plan and apply is not
// overwritten, and nothing else of the same plan is written either.
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
				assert.Contains(t, refused, "Plan again")
				assert.Equal(t, stored, only(t, env))
				assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
			})
		}
	}
}

// An edit to what the plan wants, and one of what the plan does not touch, are no reason to
// refuse; the latter stays.
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

// An update that removes a question saw a draft: it is not sent once people answer it.
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
