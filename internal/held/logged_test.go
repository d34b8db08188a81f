package held_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/held"
)

// changesOf are the changes of a value that had these values, newest first.
func changesOf(values ...any) []held.Change[any] {
	changes := []held.Change[any]{}
	for i := range len(values) - 1 {
		changes = append(changes, held.Change[any]{Before: values[i+1], After: values[i]})
	}
	return changes
}

func TestSinceEndsAtTheAppliedValue(t *testing.T) {
	t.Parallel()
	lacking := append(changesOf("c", "b"), changesOf("x", "a")...)
	for name, c := range map[string]struct {
		applied, live any
		changes       []held.Change[any]
		want          []held.Change[any]
	}{
		"two edits":                      {"a", "c", changesOf("c", "b", "a"), changesOf("c", "b", "a")},
		"what is older than the write":   {"a", "c", changesOf("c", "b", "a", "old"), changesOf("c", "b", "a")},
		"no edit":                        {"a", "a", changesOf("a", "old"), changesOf()},
		"from no value":                  {nil, "c", changesOf("c", "b", nil), changesOf("c", "b", nil)},
		"a log that does not reach back": {"a", "c", changesOf("c", "b"), nil},
		"a log that lacks a change":      {"a", "c", lacking, nil},
		"a log that lacks the newest":    {"a", "d", changesOf("c", "b", "a"), nil},
		"no log":                         {"a", "c", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			isSame := func(a, b any) bool { return held.IsSame("name", a, b) }
			assert.Equal(t, c.want, held.Since(c.applied, c.live, c.changes, isSame))
		})
	}
}

// A value of a log counts as one that the service has held, in an object each by itself.
func TestNoteChanges(t *testing.T) {
	t.Parallel()
	values := held.Values{}
	assert.False(t, values.NoteChanges("status", nil))
	assert.True(t, values.NoteChanges("status", changesOf("completed", "running", "draft")))
	assert.True(t, values.Has("status", "running"))
	assert.True(t, values.Has("status", "draft"))
	assert.False(t, values.Has("status", "completed"))

	left, right := map[string]any{"position": "left", "width": "1"}, map[string]any{"position": "right", "width": "1"}
	assert.True(t, values.NoteChanges("appearance", changesOf(right, left)))
	assert.Equal(t, map[string]any{"position": "left", "width": "2"}, values.Rebase("appearance", map[string]any{"position": "center", "width": "2"}, map[string]any{"position": "left", "width": "3"}))
}
