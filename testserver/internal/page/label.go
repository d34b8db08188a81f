package page

import (
	"strings"
	"unicode"
)

// brailleBlank is the pattern without dots, which counts as a symbol.
const brailleBlank = '\u2800'

// isBlank reports whether nothing of a text can be seen.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r != brailleBlank
	})
}

// named is a name, or what stands for one that can't be seen.
func named(name string) string {
	if isBlank(name) {
		return "(without a name)"
	}
	return name
}

// worded is a text, or what stands for one that can't be seen.
func worded(text string) string {
	if isBlank(text) {
		return "(without text)"
	}
	return text
}
