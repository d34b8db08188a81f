package survey_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// withResponses is a running survey with some responses.
func withResponses(count int) acctest.Option {
	return acctest.Fixtures(fmt.Sprintf(`{"surveys":[{"project_id":"1","id":"%s","name":"NPS","type":"popover","start_date":"2026-01-01T00:00:00Z"}],
		"responses":[{"survey_id":"%s","count":%d,"at":"2026-01-02T00:00:00Z"}]}`, surveyID, surveyID, count))
}

// unansweredOnly is that survey under the policy delete_unanswered.
func unansweredOnly(t *testing.T, env *acctest.Env) *acctest.Resource {
	t.Helper()
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Import(surveyID).Text())
	require.Empty(t, survey.Apply(map[string]any{"name": "NPS", "type": "popover", "deletion_policy": "delete_unanswered"}).Errors().Text())
	return survey
}

// A survey with responses is not deleted: plan and destroy say how many there are.
func TestDeleteUnansweredRefuses(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		for count, words := range map[int]string{1: "it has 1 response.", 7: "it has 7 responses."} {
			env := acctest.Start(t, acctest.Profile(profile), withResponses(count))
			survey := unansweredOnly(t, env)

			for what, diags := range map[string]acctest.Diagnostics{
				"plan": survey.PlanDestroy().Diagnostics, "destroy": survey.Destroy(),
				"another project": survey.Plan(map[string]any{"name": "NPS", "type": "popover", "deletion_policy": "delete_unanswered", "project_id": "2"}).Diagnostics,
			} {
				assert.Contains(t, diags.Errors().Text(), words, what)
				assert.Contains(t, diags.Errors().Text(), `Set deletion_policy to "archive"`, what)
			}
			assert.Len(t, env.Surveys(t), 1)
			assert.Zero(t, env.Operations()["surveys_destroy"])
		}
	}
}

func TestDeleteUnansweredDeletes(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile), withResponses(0))
		survey := unansweredOnly(t, env)
		require.Empty(t, survey.PlanDestroy().Diagnostics.Errors().Text())
		require.Empty(t, survey.Destroy().Errors().Text())
		assert.Empty(t, env.Surveys(t))
	}
}

// A number that cannot be read may be any.
func TestDeleteUnansweredNeedsTheNumber(t *testing.T) {
	t.Parallel()

	for words, fault := range map[string]testserver.Fault{
		"the number of its responses could not be read": {Status: 403},
		"survey:read":                         {Status: 403, Body: map[string]any{"type": "authentication_error", "code": "permission_denied", "detail": "API key missing required scope 'survey:read'"}},
		"the service did not answer how many": {Status: 200},
	} {
		env := acctest.Start(t, withResponses(0))
		survey := unansweredOnly(t, env)
		fault.Operation = "surveys_responses_count_retrieve"
		env.SetFaults(fault)

		assert.Contains(t, survey.PlanDestroy().Diagnostics.Errors().Text(), words)
		assert.Contains(t, survey.Destroy().Errors().Text(), words)
		assert.Len(t, env.Surveys(t), 1)
	}
}

// Responses that came in after the plan count.
func TestDeleteUnansweredCountsAgain(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, withResponses(0))
	survey := unansweredOnly(t, env)
	require.Empty(t, survey.PlanDestroy().Diagnostics.Errors().Text())
	env.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: 200, Body: map[string]any{surveyID: 3}})
	assert.Contains(t, survey.Destroy().Errors().Text(), "it has 3 responses.")
	assert.Len(t, env.Surveys(t), 1)
}
