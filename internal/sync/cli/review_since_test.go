package cli

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A question that was added after the survey's start says since when it is asked, by one
// request. One that was there before says nothing, also if it was away in between.
func TestReviewTellsSinceWhenAQuestionIsAsked(t *testing.T) {
	t.Parallel()
	const started, feed = "2025-12-01T00:00:00Z", "surveys_activity_retrieve"
	question := func(id string) any {
		return map[string]any{"id": id, "type": "open", "question": "Question " + id + "?"}
	}
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	env.SetFixtures(`{"surveys": [{"project_id": 1, "start_date": "` + started + `", "id": "` + answeredSurvey + `", "name": "NPS", "type": "popover",
		"questions": [{"id": "q1", "type": "open", "question": "Question q1?"}]}], "responses": [{"survey_id": "` + answeredSurvey + `", "count": 12, "at": "2025-12-24T00:00:00Z"}]}`)
	for i, questions := range [][]any{{question("q2")}, {question("q1"), question("q2")}, {question("q2")}, {question("q1"), question("q2"), question("q3")}} {
		env.SetClock(time.Date(2026, 3, 1+i, 0, 0, 0, 0, time.UTC))
		env.PatchSurvey(answeredSurvey, testserver.Object{"questions": questions})
	}

	page := func(start string) string {
		plan := dropsAQuestion(t, fields{
			"project_id": "1", "id": answeredSurvey, "name": "NPS", "start_date": start, "questions": []any{question("q1"), question("q2"), question("q3")},
		})
		env.ResetJournal()
		code, stdout, stderr := commandLine(t, t.Context(), env.Instance, "review", plan)
		assert.Equal(t, codeDone, code, stderr)
		return stdout
	}
	requests := func() (n int) {
		for _, r := range env.Journal() {
			if r.Operation == feed {
				n++
			}
		}
		return n
	}

	shown := page(started)
	assert.Contains(t, shown, "| dropped from 0 | Question q1? | cut off (survey: 12 responses) |")
	assert.Contains(t, shown, "| dropped from 1 | Question q2? | cut off (survey: 12 responses), asked since 2026-03-01T00:00:00Z |")
	assert.Contains(t, shown, "| dropped from 2 | Question q3? | cut off (survey: 12 responses), asked since 2026-03-04T00:00:00Z |")
	assert.Equal(t, 1, requests())
	assert.NotContains(t, page("2026-03-02T00:00:00Z"), "since 2026-03-01", "the survey started later")

	for _, fault := range []testserver.Fault{
		{Operation: feed, Status: http.StatusForbidden}, {Operation: feed, Status: http.StatusOK, Body: map[string]any{}},
		{Operation: feed, Status: http.StatusOK, Body: map[string]any{"results": []any{map[string]any{
			"created_at": "2026-03-05T00:00:00Z", "detail": map[string]any{"changes": []any{map[string]any{"field": "questions", "before": "?", "after": []any{3, map[string]any{"id": 4}}}}},
		}}}},
	} {
		env.SetFaults(fault)
		assert.NotContains(t, page(started), "since")
		assert.Equal(t, 1, requests())
	}
}

// The number of responses and the age of questions come from one reading of the feed.
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
