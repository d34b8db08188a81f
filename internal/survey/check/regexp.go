package check

import (
	"errors"
	"regexp/syntax"
)

// regexpError reports a regular expression that no engine accepts. Syntax that only Go
// lacks, such as lookahead, is accepted.
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
