package terraform_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// unseenByDestroy are edits in PostHog between the plan and the apply of a destroy.
var unseenByDestroy = map[string]struct {
	config object
	edit   testserver.Object
	says   string
}{
	"flag attached":     {tenPercent, testserver.Object{"targeting_flag_id": 2}, `targeting_flag_id: `},
	"flag of a draft":   {nil, testserver.Object{"targeting_flag_id": 2}, `would delete feature flag "beta-users" (id 2) with the survey`},
	"launched":          {nil, testserver.Object{"start_date": "2025-05-01T00:00:00Z"}, `status: "draft" -> "running"`},
	"launched and over": {nil, testserver.Object{"start_date": "2025-05-01T00:00:00Z", "end_date": "2025-05-02T00:00:00Z"}, `status: "draft" -> "completed"`},
	"resumed":           {object{"start_date": "2025-05-01T00:00:00Z", "end_date": "2025-06-01T00:00:00Z"}, testserver.Object{"end_date": nil}, `status: "completed" -> "running"`},
	"unarchived":        {object{"archived": true}, testserver.Object{"archived": false}, "archived: true -> false"},
	"questions":         {asking(open(object{"id": "a"})), testserver.Object{"questions": []any{open(object{"id": "a", "question": "Reworded"})}}, `questions[0] was reworded: "Why?" -> "Reworded"`},
	"description":       {object{"description": "a"}, testserver.Object{"description": "theirs"}, `description: "a" -> "theirs"`},
}

// N5: a destroy checks for edits like an update does. An edit after the destroy was planned stops it, and a new plan
// that includes the edit succeeds.
func TestN5DestroyLooks(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		for name, c := range unseenByDestroy {
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(betaFlag))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(with(c.config)).Errors().Text())
				require.Empty(t, survey.PlanDestroy().Diagnostics.Errors().Text())

				id, _ := survey.State("id").(string)
				env.PatchSurvey(id, c.edit)
				stored := only(t, env)
				refused := survey.Destroy().Errors().Text()
				assert.Contains(t, refused, `Could not delete survey`)
				assert.Contains(t, refused, c.says)
				assert.Contains(t, refused, "Terraform deleted nothing. Run terraform plan")
				assert.Equal(t, stored, only(t, env))
				assert.Zero(t, env.Operations()["surveys_destroy"])
				require.True(t, survey.Exists())

				require.Empty(t, survey.Refresh().Errors().Text())
				require.Empty(t, survey.Destroy().Errors().Text())
				assert.Empty(t, env.Surveys(t))
			})
		}
	}
}

// If a survey stopped after the plan, manually or at its limit, its destroy still succeeds. The destroy also succeeds
// if the survey was deleted. A destroy sends one request in addition to the deletion.
func TestN5DestroyGoesThrough(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]testserver.Object{
		"unchanged": {}, "stopped": {"end_date": "2025-06-01T00:00:00Z"}, "at its limit": {"end_date": "2025-06-01T00:00:00Z", "responses_limit": nil},
		// This happens if the same run destroys the survey that owns the flag.
		"its linked flag is gone": {"linked_flag_id": nil},
	} {
		for _, profile := range profiles {
			env := acctest.Start(t, acctest.Profile(profile))
			survey := env.Resource(t, "posthog_survey")
			require.Empty(t, survey.Apply(with(object{"start_date": "2025-05-01T00:00:00Z", "responses_limit": 5, "linked_flag_id": 1})).Errors().Text())
			id, _ := survey.State("id").(string)
			env.PatchSurvey(id, edit)

			env.ResetJournal()
			require.Empty(t, survey.Destroy().Errors().Text(), name)
			assert.Equal(t, map[string]int{"surveys_retrieve": 1, "surveys_destroy": 1}, env.Operations())
		}
	}

	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(nil)).Errors().Text())
	deleted(t, env)
	require.Empty(t, survey.Destroy().Text())
}

// An archived survey keeps its edits and its flag, so only a launch stops the destroy. With abandon, the survey is
// not even read.
func TestN5PoliciesLook(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(betaFlag))
		survey := env.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"deletion_policy": "archive"})).Errors().Text())
		id, _ := survey.State("id").(string)
		env.PatchSurvey(id, testserver.Object{"start_date": "2025-05-01T00:00:00Z", "description": "theirs", "targeting_flag_id": 2})
		assert.Contains(t, survey.Destroy().Errors().Text(), `status: "draft" -> "running"`)
		assert.Equal(t, false, only(t, env)["archived"])

		env.PatchSurvey(id, testserver.Object{"start_date": nil})
		require.Empty(t, survey.Destroy().Errors().Text())
		assert.Equal(t, "theirs", only(t, env)["description"])

		abandoned := acctest.Start(t, acctest.Profile(profile))
		survey = abandoned.Resource(t, "posthog_survey")
		require.Empty(t, survey.Apply(with(object{"deletion_policy": "abandon"})).Errors().Text())
		abandoned.ResetJournal()
		require.Empty(t, survey.Destroy().Text())
		assert.Empty(t, abandoned.Journal())
	}
}

// If a destroy can't check for edits, it deletes nothing.
func TestN5DestroyNeedsTheLook(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(with(nil)).Errors().Text())
	env.SetFaults(testserver.Fault{Operation: "surveys_retrieve", Status: http.StatusForbidden})
	assert.Contains(t, survey.Destroy().Errors().Text(), "Could not delete survey")
	assert.Len(t, env.Surveys(t), 1)
}

// Values that PostHog normalized aren't edits, even before the next refresh.
func TestN5NormalizedValuesAreNoEdits(t *testing.T) {
	t.Parallel()
	for _, profile := range profiles {
		inputs := maps.Clone(quietInputs)
		if profile == testserver.Documented {
			maps.Copy(inputs, written)
		}
		for name, config := range inputs {
			t.Run(string(profile)+"/"+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Apply(config).Errors().Text())
				changed := merged(config, object{"enable_iframe_embedding": true, "name": "Another name"})
				require.Empty(t, survey.Apply(changed).Errors().Text())
				require.Empty(t, survey.Destroy().Errors().Text())
			})
		}
	}
}

// withResponses returns a running survey with some responses.
func withResponses(count int) acctest.Option {
	return acctest.Fixtures(fmt.Sprintf(`{"surveys":[{"project_id":"1","id":"%s","name":"NPS","type":"popover","start_date":"2026-01-01T00:00:00Z"}],
		"responses":[{"survey_id":"%s","count":%d,"at":"2026-01-02T00:00:00Z"}]}`, surveyID, surveyID, count))
}

// unansweredOnly returns this survey with the policy delete_unanswered.
func unansweredOnly(t *testing.T, env *acctest.Env) *acctest.Resource {
	t.Helper()
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Import(surveyID).Text())
	require.Empty(t, survey.Apply(map[string]any{"name": "NPS", "type": "popover", "deletion_policy": "delete_unanswered"}).Errors().Text())
	return survey
}

// A survey with responses is not deleted. Plan and destroy show their number.
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
				assert.Contains(t, diags.Errors().Text(), `set deletion_policy to "archive"`, what)
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

// If the number of responses can't be read, the survey is not deleted.
func TestDeleteUnansweredNeedsTheNumber(t *testing.T) {
	t.Parallel()

	for words, fault := range map[string]testserver.Fault{
		"its responses could not be counted":              {Status: 403},
		"survey:read":                                     {Status: 403, Body: map[string]any{"type": "authentication_error", "code": "permission_denied", "detail": "API key missing required scope 'survey:read'"}},
		"PostHog does not return its number of responses": {Status: 200},
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

// Responses that arrived after the plan count.
func TestDeleteUnansweredCountsAgain(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, withResponses(0))
	survey := unansweredOnly(t, env)
	require.Empty(t, survey.PlanDestroy().Diagnostics.Errors().Text())
	env.SetFaults(testserver.Fault{Operation: "surveys_responses_count_retrieve", Status: 200, Body: map[string]any{surveyID: 3}})
	assert.Contains(t, survey.Destroy().Errors().Text(), "it has 3 responses.")
	assert.Len(t, env.Surveys(t), 1)
}

// A survey that was reset to draft or launched again may have responses that PostHog doesn't count.
func TestDeleteUnansweredRefusesTheUncounted(t *testing.T) {
	t.Parallel()
	noStats := testserver.Fault{Operation: "surveys_stats_retrieve", Status: 404}
	noTotal := testserver.Fault{Operation: "surveys_all_stats_retrieve", Status: 404}
	noFeed := testserver.Fault{Operation: "surveys_activity_retrieve", Status: 403}

	for name, c := range map[string]struct {
		statuses []string
		faults   []testserver.Fault
		words    string
	}{
		"never launched":                      {[]string{"draft"}, nil, ""},
		"never launched, by the feed":         {[]string{"draft"}, []testserver.Fault{noStats, noTotal}, ""},
		"never launched, by nothing":          {[]string{"draft"}, []testserver.Fault{noStats, noTotal, noFeed}, "activity_log:read"},
		"never launched, by all statistics":   {[]string{"draft"}, []testserver.Fault{noStats, noFeed}, ""},
		"a draft again":                       {[]string{"running", "draft"}, []testserver.Fault{noStats, noTotal}, "and this survey was launched at 2026-05-01T00:00:00Z"},
		"launched again":                      {[]string{"running", "draft", "running"}, nil, "since the earliest start_date in the project (2026-05-01T00:20:00Z), and this survey was launched at"},
		"launched again, nothing can be read": {[]string{"running", "draft", "running"}, []testserver.Fault{noFeed}, "it is not known whether it has responses: PostHog counts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted))
			survey := env.Resource(t, "posthog_survey")
			for i, status := range c.statuses {
				now := time.Date(2026, 5, 1, 0, 10*i, 0, 0, time.UTC)
				env.SetClock(now)
				config := map[string]any{"name": "NPS", "type": "popover", "status": status, "deletion_policy": "delete_unanswered"}
				if status == "running" {
					config["start_date"] = now.Format(time.RFC3339) // the provider's clock is independent
				}
				require.Empty(t, survey.Apply(config).Errors().Text())
			}
			env.SetFaults(c.faults...)

			for what, diags := range map[string]acctest.Diagnostics{"plan": survey.PlanDestroy().Diagnostics, "destroy": survey.Destroy()} {
				if c.words == "" {
					assert.Empty(t, diags.Errors().Text(), what)
				} else {
					assert.Contains(t, diags.Errors().Text(), c.words, what)
				}
			}
			assert.Len(t, env.Surveys(t), min(len(c.words), 1))
		})
	}
}

// A destroy of many surveys also deletes the survey with the earliest start, from which PostHog counts. The other
// surveys still have no responses. A survey that was already deleted needs no count.
func TestDeleteUnansweredDeletesAll(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetFaults(testserver.Fault{Operation: "surveys_activity_retrieve", Status: 403})
	all := env.Resources(t, "posthog_survey", 3)
	for i, survey := range all {
		env.SetClock(time.Date(2026, 5, 1, 0, 10*i, 0, 0, time.UTC))
		require.Empty(t, survey.Apply(map[string]any{"name": fmt.Sprint("Survey ", i), "type": "popover", "status": "running", "deletion_policy": "delete_unanswered"}).Errors().Text())
	}
	env.NextRun(t, all...)
	for _, survey := range all[:2] {
		require.Empty(t, survey.Destroy().Errors().Text())
	}
	id, _ := all[2].State("id").(string)
	env.DeleteSurvey(id)
	require.Empty(t, all[2].Destroy().Errors().Text())
	assert.Empty(t, env.Surveys(t))
}

// Each survey whose response count can't be read has an error with the reason, even if the reason is the same for
// all.
func TestDeleteUnansweredSaysWhyEachTime(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	both := env.Resources(t, "posthog_survey", 2)
	for i, survey := range both {
		require.Empty(t, survey.Apply(map[string]any{"name": fmt.Sprint("Survey ", i), "type": "popover", "deletion_policy": "delete_unanswered"}).Errors().Text())
	}
	env.SetFaults(testserver.Fault{Status: 401, Body: map[string]any{"type": "authentication_error", "code": "authentication_failed", "detail": "Personal API key found in request Authorization header is invalid."}})
	for _, survey := range both {
		assert.Contains(t, survey.PlanDestroy().Diagnostics.Errors().Text(), "Personal API key found in request Authorization header is invalid")
	}
}
