package identity

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A save can replace IDs and edit questions in one step, so two stored versions prove less than a configuration that
// someone wrote.
func TestMatchSavedIsCertainOnlyOfTheSameText(t *testing.T) {
	t.Parallel()

	for name, c := range map[string]struct {
		earlier, later string
		index          int
		isCertain      bool
	}{
		"same ID, everything else edited":      {"open:Why?/a#1", "open:How_old?/b#1", 0, true},
		"identical":                            {"open:Why?/a#1", "open:Why?/a", 0, true},
		"content edited":                       {"open:Why?/a#1", "open:Why?/b", 0, true},
		"text edited":                          {"open:Why_do_you_like_it?/a#1", "open:Why_do_you_like_it_now?/a", 0, false},
		"replaced by a twin":                   {"open:Why?/a#1 open:Why?/b#2", "open:Why?/a#1 open:Why?/c", 1, false},
		"rewritten, no other question":         {"open:Why?#1", "open:What_else?", 0, false},
		"rewritten, all other IDs kept":        {"open:Why?#1 open:Rest#2", "open:What_else? open:Rest#2", -1, false},
		"rewritten, another ID replaced":       {"open:Why?#1 open:Rest#2 open:Name#3", "open:What_else? open:Rest#2 open:Name", 0, false},
		"content edited, twin of another type": {"open:Why?/a#1 link:Why?#2", "open:Why?/b link:Why?#2", 0, false},
	} {
		pair := MatchSaved(list(c.earlier), list(c.later))[max(0, c.index)]
		assert.Equal(t, c.index, pair.Index, name)
		assert.Equal(t, c.isCertain, pair.IsCertain, name)
	}
}
