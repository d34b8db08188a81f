package excerpt

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The excerpt shows the difference, no matter where it is in the text.
func TestPairShowsTheDifference(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("ä", 1000)
	a, b := Pair(long+"left", long+"right")
	assert.Equal(t, "…"+strings.Repeat("ä", shownBefore)+`left"`, a)
	assert.Equal(t, "…"+strings.Repeat("ä", shownBefore)+`right"`, b)

	a, b = Pair("left"+long, "right"+long)
	assert.True(t, strings.HasPrefix(a, `"left`) && strings.HasSuffix(a, "…"), a)
	assert.Len(t, []rune(b), longestValue)

	a, b = Pair("short a", "short b")
	assert.Equal(t, `"short a" "short b"`, a+" "+b)
	a, b = Pair(nil, long)
	assert.Equal(t, "(none)", a)
	assert.Len(t, []rune(b), longestValue)
}
