package page

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A name that can't be seen is replaced, and no other.
func TestNamed(t *testing.T) {
	t.Parallel()
	for _, blank := range []string{"", " ", "\u2028", "\u200b", "\u00a0\u3000", "\u3164", "\u115f\u1160", "\u2800", "\ufeff", "\u202e", "\u0301", "\x00\x1b"} {
		assert.Equal(t, "(without a name)", named(blank), "%q", blank)
		assert.Equal(t, "(without text)", worded(blank), "%q", blank)
	}
	for _, name := range []string{"a", " 7 ", "?", "€", "\u200bx", "問", "👍", "ـ"} {
		assert.Equal(t, name, named(name))
		assert.Equal(t, name, worded(name))
	}
}
