package escape

import (
	"fmt"
	"regexp"
	"strings"
)

// plainWord matches a word that needs no quotes in a shell. A leading ~ or = would.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$`)

// Shell is a text as one word of a command for a POSIX shell, to be printed for copying.
func Shell(word string) string {
	switch {
	case plainWord.MatchString(word):
		return word
	case strings.ContainsFunc(word, isHidden):
		return dollarQuoted(word)
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// dollarQuoted is a word with hidden characters, as $'...' with an escape for each of
// their bytes: on a terminal they would act, and a line break would end the line.
func dollarQuoted(word string) string {
	var b strings.Builder
	b.WriteString("$'")
	for _, r := range word {
		switch {
		case isHidden(r) || r == '\'' || r == '\\':
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + "'"
}
