package client

import (
	"strings"
	"unicode"
)

// oneLine makes text of the service fit for a line of a log: no control characters
// or other invisible ones, no runs of blanks, at most so many characters.
func oneLine(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")

	for i := range text {
		if most--; most < 0 {
			return text[:i] + "…"
		}
	}
	return text
}
