package cli

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// dropsAQuestion returns a plan that removes a question from each survey.
func dropsAQuestion(t *testing.T, surveys ...fields) string {
	t.Helper()
	var changes []fields
	for _, survey := range surveys {
		before := fields{"schedule": "once", "status": "draft", "questions": []fields{{"id": "q1", "type": "open", "question": "Why?"}}}
		maps.Copy(before, survey)
		after := maps.Clone(before)
		after["questions"] = []fields{}
		changes = append(changes, fields{
			"address": "posthog_survey.x", "mode": "managed", "type": "posthog_survey", "name": "x",
			"change": fields{"actions": []string{"update"}, "before": before, "after": after, "after_unknown": fields{}},
		})
	}
	text, err := json.Marshal(fields{"format_version": "1.2", "resource_changes": changes})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "plan.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

// review prints only counts that PostHog returned. A missing count means 0 only if the survey exists and PostHog
// counts responses in the project.
func TestReviewDoesNotGuessNumbersOfResponses(t *testing.T) {
	t.Parallel()

	const started = `"start_date": "2025-12-01T00:00:00Z", `
	fixtures := func(dates string) string {
		return `{"projects": [{"id": 1}, {"id": 2}], "surveys": [{"project_id": 1, ` + dates + `"id": "` + answeredSurvey + `", "name": "NPS", "type": "popover"}],
			"responses": [{"survey_id": "` + answeredSurvey + `", "count": 12, "at": "2025-12-24T00:00:00Z"}]}`
	}
	nps := fields{"project_id": "1", "id": answeredSurvey, "name": "NPS"}

	for name, c := range map[string]struct {
		profile  testserver.Profile
		fixtures string
		surveys  []fields
		page     string
		stderr   string
	}{
		"counted": {testserver.Hosted, fixtures(started), []fields{nps}, "detached (survey: 12 responses)", ""},
		"a draft again, so that none is counted": {
			testserver.Hosted, fixtures(""), []fields{nps}, "detached (survey: an unknown number of responses)", "Could not count the responses of survey \"NPS\" of project 1: PostHog counts responses only if a survey of the project has a start_date",
		},
		"of another environment": {
			testserver.Hosted, fixtures(started), []fields{{"project_id": "1", "id": idPrefix + "9", "name": "Elsewhere"}},
			"detached (survey: an unknown number of responses)", `Could not count the responses of survey "Elsewhere" of project 1: it does not exist at http://127.0.0.1:`,
		},
		"one project of two": {
			testserver.Documented, fixtures(started), []fields{nps, {"project_id": "2", "id": idPrefix + "9", "name": "Elsewhere"}},
			"detached (survey: 12 responses)", `Could not count the responses of survey "Elsewhere" of project 2`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(c.profile))
			env.SetFixtures(c.fixtures)
			env.SetFaults(testserver.Fault{Operation: "surveys_stats_retrieve", Status: 404})

			code, page, stderr := commandLine(t, t.Context(), env.Instance, "review", dropsAQuestion(t, c.surveys...))
			assert.Equal(t, codeDone, code, stderr)
			assert.Contains(t, page, c.page)
			assert.Contains(t, stderr, c.stderr)
		})
	}
}

// An existing survey without answers has no responses, in both profiles.
func TestReviewOfAnUnansweredSurvey(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		env := acctest.Start(t, acctest.Profile(profile))
		env.SetFixtures(`{"surveys": [{"project_id": 1, "start_date": "2025-12-01T00:00:00Z", "id": "` + answeredSurvey + `", "name": "NPS", "type": "popover"}]}`)
		plan := dropsAQuestion(t, fields{"project_id": "1", "id": answeredSurvey, "name": "NPS", "start_date": "2025-12-01T00:00:00Z"})
		code, page, stderr := commandLine(t, t.Context(), env.Instance, "review", plan, "--fail-on", "detached-answers")
		assert.Equal(t, codeDone, code, stderr)
		assert.Contains(t, page, "detached (survey: 0 responses)")
	}
}

// review reads a survey's activity log once.
func TestReviewReadsTheFeedOfASurveyOnce(t *testing.T) {
	t.Parallel()
	const feed = "surveys_activity_retrieve"
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetFixtures(`{"surveys": [{"project_id": 1, "created_at": "2025-01-01T00:00:00Z", "start_date": "2025-12-01T00:00:00Z", "id": "` + answeredSurvey + `", "name": "NPS", "type": "popover",
		"questions": [{"id": "q1", "type": "open", "question": "Why?"}]}], "responses": [{"survey_id": "` + answeredSurvey + `", "count": 12, "at": "2025-12-24T00:00:00Z"}]}`)
	plan := dropsAQuestion(t, fields{
		"project_id": "1", "id": answeredSurvey, "name": "NPS", "start_date": "2025-12-01T00:00:00Z", "questions": []any{map[string]any{"id": "q1", "type": "open", "question": "Why?"}},
	})

	for name, faults := range map[string][]testserver.Fault{
		"as it is": nil, "refused": {{Operation: feed, Status: http.StatusForbidden}}, "malformed": {{Operation: feed, Status: http.StatusOK, Body: map[string]any{}}},
	} {
		env.SetFaults(faults...)
		env.ResetJournal()
		code, stdout, stderr := commandLine(t, t.Context(), env.Instance, "review", plan)
		assert.Equal(t, codeDone, code, stderr)
		assert.Contains(t, stdout, "at least 12 responses", name)
		assert.Contains(t, stderr, "its activity feed", name)
		assert.Equal(t, 1, env.Operations()[feed], name)
	}
}
