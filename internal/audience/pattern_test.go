package audience_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
)

// What Python takes for an expression compiles, and what it refuses does not.
func TestCompilePattern(t *testing.T) {
	t.Parallel()
	for expression, isOne := range map[string]bool{
		`^a+$`: true, `(?P<twice>.)(?P=twice)`: true, `^(<)?a(?(1)>|$)$`: true, `(?<=a)b`: true,
		`(`: false, `a++++`: false, `[`: false, `*`: false, `(?P=unknown)`: false,
	} {
		_, err := audience.CompilePattern(expression)
		assert.Equal(t, isOne, err == nil, "%s: %v", expression, err)
	}
}
