package audience

import (
	"regexp"
	"strings"
	"time"

	"github.com/dlclark/regexp2"
)

// patience is how long one match may take. The service bounds the steps in place of the
// time; both end what would take ages.
const patience = 100 * time.Millisecond

// CompilePattern compiles a regular expression in the spelling of Python and Rust, in which the
// service checks and runs the patterns of filters. A match that takes ages is an error.
func CompilePattern(expression string) (*regexp2.Regexp, error) {
	pattern, err := regexp2.Compile(translate(expression), regexp2.None)
	if err == nil {
		pattern.MatchTimeout = patience
	}
	return pattern, err
}

// spelledOtherwise are the parts of an expression that the engine with lookaround spells in another
// way, and those in which they mean nothing: what is escaped, and a class.
var spelledOtherwise = regexp.MustCompile(`(?s)\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<|\(\?P=\w+\)|\$`)

var anyMultiline = regexp.MustCompile(`\(\?[a-z]*m`)

// translate spells an expression of Python and Rust as the engine reads it: groups with names, and
// the end of the text, which is not before a last newline.
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
