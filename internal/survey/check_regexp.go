package survey

import (
	"errors"
	"regexp/syntax"
)

// regexpError reports a regular expression that no engine takes. What only Go does not
// know, such as looking ahead, is none of it.
func regexpError(pattern string) (string, bool) {
	_, err := syntax.Parse(pattern, syntax.Perl)
	parsed, ok := errors.AsType[*syntax.Error](err)
	if !ok {
		return "", false
	}
	switch parsed.Code {
	case syntax.ErrMissingBracket, syntax.ErrMissingParen, syntax.ErrUnexpectedParen, syntax.ErrTrailingBackslash, syntax.ErrMissingRepeatArgument:
		return parsed.Code.String(), true
	default:
		return "", false
	}
}
