package review

import (
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// A row says what changed, in words: an object is its keys with their values.
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
