package review

import (
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A row describes the change in words. An object is printed as its keys and values.
func TestReviewRowsAreWords(t *testing.T) {
	t.Parallel()
	for want, row := range map[string]Row{
		"`scale` 5 -> 10: old answers mean something else": {Path: "scale", Before: 5, After: 10, Meaning: "old answers mean something else"},
		"`conditions.events[0]` name \"bought\", repeated true": {
			Path: "conditions.events[0]", After: map[string]any{"name": "bought", "repeated": true, "selector": nil},
		},
	} {
		text := html.UnescapeString(strings.ReplaceAll(rowText(row), `\`, ""))
		assert.Equal(t, want, text)
	}
}

// A new question with a known ID may have answers, because a plan can restore an old ID.
func TestNewQuestionMayHaveAnswers(t *testing.T) {
	t.Parallel()
	before := []Question{{ID: "a", Type: "open", Text: "Why?"}}
	asked := func(ids ...string) (list []Question) {
		for _, id := range ids {
			list = append(list, Question{ID: id, Type: "open", Text: "Question " + id})
		}
		return list
	}
	unknown := []any{false, map[string]any{"id": true}}
	for want, changes := range map[string][]QuestionChange{
		"those under the ID b, if any": questionChanges(before, asked("a", "b"), nil, nil),
		"none yet":                     questionChanges(before, asked("a", ""), unknown, nil),
	} {
		assert.Equal(t, want, answers(SurveyChange{}, changes[1]))
	}
	assert.Equal(t, "none yet", answers(SurveyChange{}, questionChanges(nil, asked("a"), nil, nil)[0]), "the question of a new survey")
}

// A script copied a question with its ID, and the plan gives a new ID to the copy. Both questions stay.
func TestCopiedQuestionIsKept(t *testing.T) {
	t.Parallel()
	a, b, c := Question{ID: "A", Type: "open", Text: "a"}, Question{ID: "B", Type: "open", Text: "b"}, Question{ID: "A", Type: "open", Text: "c"}
	withoutID, twin, unknownID := Question{Type: "open", Text: "c"}, Question{Type: "open", Text: "a"}, map[string]any{"id": true}
	for _, changed := range [][]QuestionChange{
		questionChanges([]Question{c, a, b}, []Question{withoutID, a, b}, []any{unknownID, false, false}, nil),
		questionChanges([]Question{a, b, c}, []Question{a, b, withoutID}, []any{false, false, unknownID}, nil),
		questionChanges([]Question{a, b, a}, []Question{a, b, twin}, []any{false, false, unknownID}, nil),
	} {
		require.Len(t, changed, 3)
		for _, change := range changed {
			assert.Equal(t, Kept, change.Kind, change.After)
			assert.Equal(t, change.Before, change.After)
		}
	}
}
