package escape

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestTerminal(t *testing.T) {
	t.Parallel()
	assert.Equal(t, `NPS \x1b[31m\u009b31m \u202e a\nb`, Terminal("NPS \x1b[31m\u009b31m \u202e a\nb"))
	assert.Equal(t, "Wie geht’s? 😀", Terminal("Wie geht’s? 😀"))

	rapid.Check(t, func(t *rapid.T) {
		text := hostile().Draw(t, "text")
		line := Terminal(text)
		assert.False(t, strings.ContainsFunc(line, isHidden), "%q", line)
		assertNoCommand(t, line)

		lines := TerminalLines(text)
		assert.Equal(t, strings.Count(text, "\n"), strings.Count(lines, "\n"))
		assertNoCommand(t, lines)
		assert.False(t, strings.ContainsFunc(lines, func(r rune) bool { return isHidden(r) && r != '\n' && r != '\t' }), "%q", lines)
	})
}

// assertNoCommand asserts that no CI runner finds a command, by the rules of theirs: a line
// that begins with two colons after blanks, and two number signs with a bracket anywhere.
func assertNoCommand(t *rapid.T, text string) {
	for line := range strings.SplitSeq(text, "\n") {
		assert.False(t, strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::"), "%q", line)
		assert.NotRegexp(t, `##[\[A-Za-z]`, line)
	}
}
