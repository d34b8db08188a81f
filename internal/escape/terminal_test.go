package escape

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/hostile"
)

func TestTerminal(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `NPS \x1b[31m\u009b31m \u202e a\nb`, Terminal("NPS \x1b[31m\u009b31m \u202e a\nb"))
	assert.Equal(t, "Wie geht’s? 😀", Terminal("Wie geht’s? 😀"))

	rapid.Check(t, func(t *rapid.T) {
		text := hostile.Text().Draw(t, "text")
		line := Terminal(text)
		assert.False(t, strings.ContainsFunc(line, isHidden), "%q", line)
		assert.Empty(t, hostile.Commands(line))

		lines := TerminalLines(text)
		assert.Equal(t, strings.Count(text, "\n"), strings.Count(lines, "\n"))
		assert.Empty(t, hostile.Commands(lines))
		assert.False(t, strings.ContainsFunc(lines, func(r rune) bool { return isHidden(r) && r != '\n' && r != '\t' }), "%q", lines)
	})
}
