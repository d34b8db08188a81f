package review_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/side"
)

type object = map[string]any

func survey(status string, questions ...any) *side.Object {
	return &side.Object{Kind: side.Survey, ID: "s1", Name: "NPS", Address: "posthog_survey.nps", Attributes: object{"status": status, "questions": questions}}
}

func open(id, text string) any {
	q := object{"type": "open", "question": text}
	if id != "" {
		q["id"] = id
	}
	return q
}

func fates(t *testing.T, before, after *side.Object) map[string]review.Fate {
	t.Helper()

	surveys, err := review.Plan([]side.Change{{Before: before, After: after}}, map[string]int64{"s1": 7})
	require.NoError(t, err)
	require.Len(t, surveys, 1)
	found := map[string]review.Fate{}
	for _, q := range surveys[0].Questions {
		found[q.Before+">"+q.After] = q.Fate
	}
	return found
}

func TestPlanQuestions(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		before, after *side.Object
		want          map[string]review.Fate
	}{
		"kept":    {survey("draft", open("1", "a")), survey("draft", open("1", "a")), map[string]review.Fate{"a>a": review.Kept}},
		"edited":  {survey("draft", open("1", "a")), survey("draft", open("1", "b")), map[string]review.Fate{"a>b": review.Edited}},
		"dropped": {survey("draft", open("1", "a"), open("2", "b")), survey("draft", open("2", "b")), map[string]review.Fate{"a>": review.Dropped, "b>b": review.Kept}},
		"retyped": {survey("draft", open("1", "a")), survey("draft", open("", "a")), map[string]review.Fate{"a>": review.Dropped, ">a": review.New}},
		"moved": {
			survey("draft", open("1", "a"), open("2", "b"), open("3", "c")), survey("draft", open("3", "c"), open("1", "a"), open("2", "b")),
			map[string]review.Fate{"a>a": review.Kept, "b>b": review.Kept, "c>c": review.Moved},
		},
		"inserted": {
			survey("draft", open("1", "a"), open("2", "b")), survey("draft", open("", "n"), open("1", "a"), open("2", "b")),
			map[string]review.Fate{">n": review.New, "a>a": review.Kept, "b>b": review.Kept},
		},
		"created": {nil, survey("draft", open("", "a")), map[string]review.Fate{">a": review.New}},
		"deleted": {survey("draft", open("1", "a")), nil, map[string]review.Fate{"a>": review.Dropped}},
	} {
		assert.Equal(t, c.want, fates(t, c.before, c.after), name)
	}
}

func TestPlanEventsAndAnswers(t *testing.T) {
	t.Parallel()

	counts := map[string]int64{"s1": 7}
	for name, c := range map[string]struct {
		change side.Change
		counts map[string]int64
		events []review.Event
		cuts   bool
	}{
		"launched":            {side.Change{Before: survey("draft"), After: survey("running")}, counts, []review.Event{review.Launched}, false},
		"stopped":             {side.Change{Before: survey("running"), After: survey("completed")}, counts, []review.Event{review.Stopped}, false},
		"resumed":             {side.Change{Before: survey("completed"), After: survey("running")}, counts, []review.Event{review.Resumed}, false},
		"created to run":      {side.Change{After: survey("running")}, counts, []review.Event{review.Created, review.Launched}, false},
		"deleted":             {side.Change{Before: survey("running", open("1", "a"))}, counts, []review.Event{review.Deleted}, true},
		"deleted, unasked":    {side.Change{Before: survey("running", open("1", "a"))}, map[string]int64{}, []review.Event{review.Deleted}, false},
		"deleted, unknown":    {side.Change{Before: survey("running", open("1", "a"))}, nil, []review.Event{review.Deleted}, true},
		"replaced":            {side.Change{Before: survey("draft", open("1", "a")), After: survey("draft", open("1", "a")), Replace: true}, counts, []review.Event{review.Replaced}, true},
		"forgotten":           {side.Change{Before: survey("draft", open("1", "a")), Forget: true}, counts, []review.Event{review.Released}, false},
		"question dropped":    {side.Change{Before: survey("draft", open("1", "a")), After: survey("draft")}, counts, nil, true},
		"question of a draft": {side.Change{Before: survey("draft", open("1", "a")), After: survey("draft")}, map[string]int64{}, nil, false},
	} {
		surveys, err := review.Plan([]side.Change{c.change}, c.counts)
		require.NoError(t, err)
		require.Len(t, surveys, 1, name)
		assert.Equal(t, c.events, surveys[0].Events, name)
		assert.Equal(t, c.cuts, surveys[0].CutsAnswers, name)
	}
}
