package review_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/tfplan"
)

type object = map[string]any

func survey(status string, questions ...any) *source.Object {
	return &source.Object{Kind: source.Survey, ID: "s1", Name: "NPS", Address: "posthog_survey.nps", Attributes: object{"status": status, "questions": questions}}
}

func open(id, text string) any {
	q := object{"type": "open", "question": text}
	if id != "" {
		q["id"] = id
	}
	return q
}

func archived() *source.Object {
	s := survey("draft")
	s.Attributes["archived"] = true
	return s
}

func numbers(counted int64) map[string]responses.Number {
	return map[string]responses.Number{"s1": {Counted: counted}}
}

func kindsOf(t *testing.T, before, after *source.Object) map[string]review.ChangeKind {
	t.Helper()

	surveys, err := review.Plan([]tfplan.Change{{Before: before, After: after}}, numbers(7))
	require.NoError(t, err)
	require.Len(t, surveys, 1)
	found := map[string]review.ChangeKind{}
	for _, q := range surveys[0].Questions {
		found[q.Before+">"+q.After] = q.Kind
	}
	return found
}

func TestPlanQuestions(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		before, after *source.Object
		want          map[string]review.ChangeKind
	}{
		"kept":    {survey("draft", open("1", "a")), survey("draft", open("1", "a")), map[string]review.ChangeKind{"a>a": review.Kept}},
		"edited":  {survey("draft", open("1", "a")), survey("draft", open("1", "b")), map[string]review.ChangeKind{"a>b": review.Edited}},
		"dropped": {survey("draft", open("1", "a"), open("2", "b")), survey("draft", open("2", "b")), map[string]review.ChangeKind{"a>": review.Dropped, "b>b": review.Kept}},
		"retyped": {survey("draft", open("1", "a")), survey("draft", object{"type": "link", "question": "a"}), map[string]review.ChangeKind{"a>": review.Dropped, ">a": review.New}},
		"other button": {
			survey("draft", open("1", "a")), survey("draft", object{"id": "1", "type": "open", "question": "a", "button_text": "Go"}),
			map[string]review.ChangeKind{"a>a": review.Edited},
		},
		"other branching": {
			survey("draft", open("1", "a")), survey("draft", object{"id": "1", "type": "open", "question": "a", "branching": object{"type": "end"}}),
			map[string]review.ChangeKind{"a>a": review.Kept},
		},
		// The state and the configuration may omit IDs.
		"without ids": {
			survey("draft", open("", "a"), open("", "b"), open("", "c")), survey("draft", open("", "c"), open("", "a")),
			map[string]review.ChangeKind{"a>a": review.Moved, "b>": review.Dropped, "c>c": review.Kept},
		},
		"id left to the service": {survey("draft", open("1", "a")), survey("draft", open("", "a")), map[string]review.ChangeKind{"a>a": review.Kept}},
		"moved": {
			survey("draft", open("1", "a"), open("2", "b"), open("3", "c")), survey("draft", open("3", "c"), open("1", "a"), open("2", "b")),
			map[string]review.ChangeKind{"a>a": review.Kept, "b>b": review.Kept, "c>c": review.Moved},
		},
		"inserted": {
			survey("draft", open("1", "a"), open("2", "b")), survey("draft", open("", "n"), open("1", "a"), open("2", "b")),
			map[string]review.ChangeKind{">n": review.New, "a>a": review.Kept, "b>b": review.Kept},
		},
		"created": {nil, survey("draft", open("", "a")), map[string]review.ChangeKind{">a": review.New}},
		"deleted": {survey("draft", open("1", "a")), nil, map[string]review.ChangeKind{"a>": review.Dropped}},
	} {
		assert.Equal(t, c.want, kindsOf(t, c.before, c.after), name)
	}
}

// If the new text does not show that a question is the same, only the ID keeps its answers. The page shows both
// texts, and what the reviewer must check.
func TestPlanMarksAPossibleMatch(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		before, after string
		isPossible    bool
	}{
		"unlike text":    {"What do you like?", "How old are you?", true},
		"a word changed": {"What do you like about our product?", "What do you like about this product?", false},
		"same text":      {"What do you like?", "What do you like?", false},
	} {
		surveys, err := review.Plan([]tfplan.Change{{Before: survey("running", open("1", c.before)), After: survey("running", open("1", c.after))}}, numbers(7))
		require.NoError(t, err)
		assert.Equal(t, c.isPossible, surveys[0].Questions[0].IsPossible, name)

		page := review.Page(surveys, 10_000)
		assert.Contains(t, page, c.after, name)
		if c.isPossible {
			assert.Contains(t, page, "stay attached by ID (survey: 7 responses): check that it is still the same question", name)
			assert.Contains(t, page, c.before, name)
		} else {
			assert.Contains(t, page, "| stay attached (survey: 7 responses) |", name)
		}
		assert.False(t, surveys[0].DetachesAnswers, name)
	}
}

// An ID that was copied to the wrong question moves answers. The page shows whose answers they are, and the plan counts
// as detaching answers.
func TestPlanGivesAQuestionTheIDOfAnother(t *testing.T) {
	t.Parallel()
	before := survey("running", open("1", "Why?"), open("2", "What else?"))
	for name, c := range map[string]struct {
		after *source.Object
		isBad bool
	}{
		"exchanged": {survey("running", open("2", "Why?"), open("1", "What else?")), true},
		"moved":     {survey("running", open("2", "What else?"), open("1", "Why?")), false},
		"reworded":  {survey("running", open("1", "Why is that?"), open("2", "What else?")), false},
	} {
		surveys, err := review.Plan([]tfplan.Change{{Before: before, After: c.after}}, numbers(7))
		require.NoError(t, err)
		assert.Equal(t, c.isBad, surveys[0].DetachesAnswers, name)
		said := strings.Contains(review.Page(surveys, 10_000), "belong to What else? (survey: 7 responses), although the survey has this question under another ID")
		assert.Equal(t, c.isBad, said, name)
	}
}

// A plan that keeps a question's new ID leaves its answers detached. The page shows this even if nothing else
// changes. If the plan restores the ID, or the match is only possible, the plan does not count as detaching answers.
func TestPlanKeepsAnswersDetached(t *testing.T) {
	t.Parallel()
	three, none := int64(3), int64(0)
	certain := identity.Detached{Text: "a", ID: "new", OldID: "old", Counts: identity.Counts{Before: &three, Since: &none}}
	possible := certain
	possible.IsPossible = true

	for name, c := range map[string]struct {
		after       string
		detached    identity.Detached
		isDetaching bool
		row         string
	}{
		"keeps the new ID":     {"new", certain, true, "| kept at 0 | a | questions\\[0\\] \"a\": detached answers (at most 3 answers under the old ID old, no answers under the new ID new) |"},
		"restores the old ID":  {"old", certain, false, "| reattached at 0 | a | detached by a save without IDs, reattached"},
		"may be the same":      {"new", possible, false, "possibly detached answers"},
		"restores a possible":  {"old", possible, false, "| reattached at 0 | a |"},
		"sets an ID of no one": {"other", certain, true, "| dropped from 0 | a | detached (survey: 7 responses) |"},
	} {
		surveys, err := review.Plan([]tfplan.Change{{
			Before: survey("running", open("new", "a")), After: survey("running", open(c.after, "a")), Detached: identity.DetachedList{c.detached},
		}}, numbers(7))
		require.NoError(t, err)
		assert.Equal(t, c.isDetaching, surveys[0].DetachesAnswers, name)
		assert.Contains(t, review.Page(surveys, 10_000), c.row, name)
	}
}

// Branching refers to positions. The page shows targets that changed because questions were reordered, but not
// targets that a teammate edited.
func TestPlanRedirects(t *testing.T) {
	t.Parallel()

	to := func(q any, index string) any {
		q.(object)["branching"] = object{"type": "specific_question", "index": index}
		return q
	}
	review1 := func(before, after *source.Object) []review.Redirect {
		surveys, err := review.Plan([]tfplan.Change{{Before: before, After: after}}, nil)
		require.NoError(t, err)
		return surveys[0].Redirects
	}
	before := survey("running", to(open("1", "a"), "2"), open("2", "b"), open("3", "c"))
	assert.Equal(t, []review.Redirect{{Question: 0, Before: "c", After: "b"}},
		review1(before, survey("running", to(open("1", "a"), "2"), open("3", "c"), open("2", "b"))))
	assert.Equal(t, []review.Redirect{{Question: 0, Before: "c", After: ""}},
		review1(before, survey("running", to(open("1", "a"), "2"), open("3", "c"))))
	assert.Empty(t, review1(before, survey("running", to(open("1", "a"), "1"), open("3", "c"), open("2", "b"))))
}

// A question whose ID is known only after apply is new, even if another question has the same text.
func TestPlanNewQuestionOfTheSameText(t *testing.T) {
	t.Parallel()

	surveys, err := review.Plan([]tfplan.Change{{
		Before: survey("draft", open("1", "a")), After: survey("draft", open("", "a")),
		AfterUnknown: object{"questions": []any{object{"id": true}}},
	}}, nil)
	require.NoError(t, err)
	require.Len(t, surveys[0].Questions, 2)
	assert.Equal(t, review.New, surveys[0].Questions[0].Kind)
	assert.Equal(t, review.Dropped, surveys[0].Questions[1].Kind)
}

// unknown returns a survey with an attribute that is known only after apply.
func unknown(s *source.Object, attribute string) *source.Object {
	delete(s.Attributes, attribute)
	s.Unknown = []string{attribute}
	return s
}

func TestPlanEventsAndAnswers(t *testing.T) {
	t.Parallel()

	counts, none := numbers(7), numbers(0)
	asked := survey("running", open("1", "a"))
	launch, stop := []string{tfplan.LaunchAction}, []string{tfplan.StopAction}
	for name, c := range map[string]struct {
		change tfplan.Change
		counts map[string]responses.Number
		events []review.Event
		cuts   bool
	}{
		"launched":            {tfplan.Change{Before: survey("draft"), After: survey("running")}, counts, []review.Event{review.Launched}, false},
		"stopped":             {tfplan.Change{Before: survey("running"), After: survey("completed")}, counts, []review.Event{review.Stopped}, false},
		"resumed":             {tfplan.Change{Before: survey("completed"), After: survey("running")}, counts, []review.Event{review.Resumed}, false},
		"created to run":      {tfplan.Change{After: survey("running")}, counts, []review.Event{review.Created, review.Launched}, false},
		"deleted":             {tfplan.Change{Before: survey("running", open("1", "a"))}, counts, []review.Event{review.Deleted}, true},
		"deleted, unasked":    {tfplan.Change{Before: survey("running", open("1", "a"))}, none, []review.Event{review.Deleted}, false},
		"deleted, unknown":    {tfplan.Change{Before: survey("running", open("1", "a"))}, nil, []review.Event{review.Deleted}, true},
		"replaced":            {tfplan.Change{Before: survey("draft", open("1", "a")), After: survey("draft", open("1", "a")), Replace: true}, counts, []review.Event{review.Replaced}, true},
		"forgotten":           {tfplan.Change{Before: survey("draft", open("1", "a")), Forget: true}, counts, []review.Event{review.Released}, false},
		"question dropped":    {tfplan.Change{Before: survey("draft", open("1", "a")), After: survey("draft")}, counts, nil, true},
		"question of a draft": {tfplan.Change{Before: survey("draft", open("1", "a")), After: survey("draft")}, none, nil, false},
		"not counted":         {tfplan.Change{Before: survey("draft", open("1", "a")), After: survey("draft")}, map[string]responses.Number{"s2": {Counted: 1}}, nil, true},

		"deleted, to be archived":   {tfplan.Change{Before: asked, DeletionPolicy: "archive"}, counts, []review.Event{review.Archived, review.Released}, false},
		"deleted, to be abandoned":  {tfplan.Change{Before: asked, DeletionPolicy: "abandon"}, counts, []review.Event{review.Released}, false},
		"deleted if unanswered":     {tfplan.Change{Before: asked, DeletionPolicy: "delete_unanswered"}, counts, []review.Event{review.Deleted}, true},
		"replaced, to be archived":  {tfplan.Change{Before: asked, After: asked, Replace: true, DeletionPolicy: "archive"}, counts, []review.Event{review.Archived, review.Released, review.Created, review.Launched}, false},
		"changed, to be archived":   {tfplan.Change{Before: survey("running"), After: survey("running"), DeletionPolicy: "archive"}, counts, nil, false},
		"archived":                  {tfplan.Change{Before: survey("draft"), After: archived()}, counts, []review.Event{review.Archived}, false},
		"status unknown":            {tfplan.Change{Before: survey("running"), After: unknown(survey("running"), "status")}, counts, []review.Event{review.MayRun}, false},
		"new, status unknown":       {tfplan.Change{After: unknown(survey("running"), "status")}, counts, []review.Event{review.Created, review.MayRun}, false},
		"questions unknown":         {tfplan.Change{Before: asked, After: unknown(survey("running"), "questions")}, counts, nil, true},
		"questions of none unknown": {tfplan.Change{Before: asked, After: unknown(survey("running"), "questions")}, none, nil, false},
		"new, questions unknown":    {tfplan.Change{After: unknown(survey("draft"), "questions")}, counts, []review.Event{review.Created}, false},
		"launched by an action":     {tfplan.Change{Before: survey("draft"), After: survey("draft"), Invoked: launch}, counts, []review.Event{review.Launched}, false},
		"launched twice":            {tfplan.Change{Before: survey("running"), After: survey("running"), Invoked: launch}, counts, nil, false},
		"stopped by an action":      {tfplan.Change{Before: survey("running"), After: survey("running"), Invoked: stop}, counts, []review.Event{review.Stopped}, false},
	} {
		surveys, err := review.Plan([]tfplan.Change{c.change}, c.counts)
		require.NoError(t, err)
		require.Len(t, surveys, 1, name)
		assert.Equal(t, c.events, surveys[0].Events, name)
		assert.Equal(t, c.cuts, surveys[0].DetachesAnswers, name)
	}
}
