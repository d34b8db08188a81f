package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Code that is compared with production is planned on production, whatever the default is.
func TestDiffPlansOnTheEnvironmentOfTheLiveSide(t *testing.T) {
	t.Parallel()

	code, production, staging := side.Side{Form: side.Code, Argument: "."}, side.Side{Form: side.Live, Argument: "production"}, side.Side{Form: side.Live, Argument: "staging"}
	assert.Equal(t, "production", planEnvironment([2]side.Side{code, production}))
	assert.Equal(t, "production", planEnvironment([2]side.Side{production, code}))
	assert.Empty(t, planEnvironment([2]side.Side{code, {Form: side.Live}}))
	assert.Empty(t, planEnvironment([2]side.Side{staging, production}))
	assert.Empty(t, planEnvironment([2]side.Side{code, code}))
}

// What differs is seen, however far behind it is.
func TestDiffValuesShowWhatDiffers(t *testing.T) {
	t.Parallel()

	long := strings.Repeat("ä", 1000)
	a, b := diffValues(long+"left", long+"right")
	assert.Equal(t, "…"+strings.Repeat("ä", shownBefore)+`left"`, a)
	assert.Equal(t, "…"+strings.Repeat("ä", shownBefore)+`right"`, b)

	a, b = diffValues("left"+long, "right"+long)
	assert.True(t, strings.HasPrefix(a, `"left`) && strings.HasSuffix(a, "…"), a)
	assert.Len(t, []rune(b), longestValue)

	a, b = diffValues("short a", "short b")
	assert.Equal(t, `"short a" "short b"`, a+" "+b)
	a, b = diffValues(nil, long)
	assert.Equal(t, "(none)", a)
	assert.Len(t, []rune(b), longestValue)
}
