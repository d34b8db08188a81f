package source

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What differs is seen, however far behind it is.
func TestDiffValuesShowWhatDiffers(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("ä", 1000)
	a, b := ShownValues(long+"left", long+"right")
	assert.Equal(t, "…"+strings.Repeat("ä", shownBefore)+`left"`, a)
	assert.Equal(t, "…"+strings.Repeat("ä", shownBefore)+`right"`, b)

	a, b = ShownValues("left"+long, "right"+long)
	assert.True(t, strings.HasPrefix(a, `"left`) && strings.HasSuffix(a, "…"), a)
	assert.Len(t, []rune(b), longestValue)

	a, b = ShownValues("short a", "short b")
	assert.Equal(t, `"short a" "short b"`, a+" "+b)
	a, b = ShownValues(nil, long)
	assert.Equal(t, "(none)", a)
	assert.Len(t, []rune(b), longestValue)
}
