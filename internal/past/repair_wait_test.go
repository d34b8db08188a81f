package past_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// uncounted returns an unknown number of answers.
type uncounted struct{}

func (uncounted) Answers(context.Context, string) past.Count           { return past.ExactCount(0) }
func (uncounted) Responses(context.Context, past.Holding) past.Count   { return past.ExactCount(0) }
func (uncounted) AnswersNow(context.Context) (map[string]int64, error) { return nil, nil }

// L11: a repair that waits for PostHog doesn't overwrite an edit that a teammate saves meanwhile.
func TestL11AnEditDuringAWaitIsKept(t *testing.T) {
	t.Parallel()
	const id = "018f2a3b-0000-4000-8000-0000000000aa"
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	service, err := client.New(client.Options{
		BaseURL: srv.URL, APIKey: srv.APIKey,
		Now: func() time.Time { return now }, Sleep: func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil },
	})
	require.NoError(t, err)

	asked := func(ids ...string) testserver.Object {
		question := testserver.Object{"type": "open", "question": "Why?"}
		for _, id := range ids {
			question["id"] = id
		}
		return testserver.Object{"questions": []any{question}}
	}
	created := asked("old")
	created["id"], created["name"], created["type"] = id, "NPS", "popover"
	srv.CreateSurvey(created)
	srv.PatchSurvey(id, asked())

	surveys := service.Surveys("1")
	live, err := surveys.Retrieve(t.Context(), id)
	require.NoError(t, err)
	raws := live.Questions.MustGet()
	questions, ok := past.ParseQuestionList(raws)
	require.True(t, ok)
	feed, err := past.ReadFeed(t.Context(), func(ctx context.Context, page, size int64) (json.RawMessage, error) {
		return surveys.ActivityPage(ctx, id, page, size)
	})
	require.NoError(t, err)
	plan, err := past.PlanRepair(t.Context(), id, raws, past.Follow(questions, feed), uncounted{}, past.RepairOptions{})
	require.NoError(t, err)
	require.Equal(t, 1, plan.Count(past.Planned))

	srv.SetFaults(
		testserver.Fault{Method: http.MethodPatch, To: 1, RetryAfter: "4"},
		testserver.Fault{Operation: "surveys_retrieve", From: 2, Edit: testserver.Object{"questions": []any{testserver.Object{"type": "open", "question": "Theirs?", "id": "theirs"}}}},
	)
	past.Repair(t.Context(), surveys, uncounted{}, &plan)
	assert.Equal(t, past.Code("changed_since"), plan.Questions[0].Code)
	kept, err := surveys.Retrieve(t.Context(), id)
	require.NoError(t, err)
	assert.Contains(t, string(kept.Questions.MustGet()[0]), "Theirs?")
}
