package audience

import (
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// patience limits the duration of one match. PostHog limits the number of steps instead. Both stop a match that would
// take very long.
const patience = 100 * time.Millisecond

// CompilePattern compiles a regular expression in Python and Rust syntax, which PostHog uses to check and match the
// patterns in filters. A match that takes too long returns an error.
func CompilePattern(expression string) (*regexp2.Regexp, error) {
	pattern, err := regexp2.Compile(translate(expression), regexp2.None)
	if err == nil {
		pattern.MatchTimeout = patience
	}
	return pattern, err
}

// spelledOtherwise matches the parts of an expression that the engine with lookaround spells differently. It also
// matches escaped characters and classes, in which these parts have no special meaning.
var spelledOtherwise = regexp.MustCompile(`(?s)\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<|\(\?P=\w+\)|\$`)

var anyMultiline = regexp.MustCompile(`\(\?[a-z]*m`)

// translate rewrites an expression from Python and Rust syntax for the engine. It converts named groups and $, which
// must not match before a trailing newline.
func translate(expression string) string {
	endOfText := `\z`
	if anyMultiline.MatchString(expression) {
		endOfText = "$"
	}
	return spelledOtherwise.ReplaceAllStringFunc(expression, func(part string) string {
		switch {
		case part == "$":
			return endOfText
		case part == "(?P<":
			return "(?<"
		case strings.HasPrefix(part, "(?P="):
			return `\k<` + strings.TrimSuffix(part[len("(?P="):], ")") + ">"
		}
		return part
	})
}
