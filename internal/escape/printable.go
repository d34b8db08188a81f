package escape

import (
	"fmt"
	"strings"
	"unicode"
)

// isHidden reports whether a character acts on what is around it in place of being seen:
// control characters, C1 among them, line and paragraph separators, and marks that change
// the direction of text.
func isHidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)
}

// Printable is a text without what no drawing can hold: bytes that are no UTF-8, and
// hidden characters other than line breaks, which XML refuses or which would turn around
// the text that follows them.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t', r == '\r':
			return ' '
		case isHidden(r), r == '\uFFFE', r == '\uFFFF':
			return unicode.ReplacementChar
		default:
			return r
		}
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
}

// Line is Printable in one line: whatever ends a line, also where Unicode alone says so, is
// a blank.
func Line(text string) string { return Printable(lineEnds.Replace(text)) }

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\v", " ", "\f", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ")

// visible is a text with each hidden character as Go writes it in a string, so that a
// person sees what is there.
func visible(text string, isKept func(rune) bool) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, string(unicode.ReplacementChar)) {
		switch {
		case isKept(r) || !isHidden(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
