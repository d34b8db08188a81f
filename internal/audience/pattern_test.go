package audience_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
)

// Expressions that Python accepts compile, and those that it rejects do not.
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
