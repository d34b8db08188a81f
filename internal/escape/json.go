package escape

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// JSON is encoded JSON with hidden characters as escapes, which its readers take for the
// same text: encoding/json leaves DEL, C1 and marks of direction as they are. It may be
// printed on a terminal and in the log of a runner.
func JSON(encoded []byte) []byte {
	var b bytes.Buffer
	for i := 0; i < len(encoded); {
		r, size := utf8.DecodeRune(encoded[i:])
		switch {
		case r == '#' && i > 0 && encoded[i-1] == '#':
			b.WriteString(`\u0023`)
		case r >= 0x7f && isHidden(r):
			// None of them is outside of the first plane.
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.Write(encoded[i : i+size])
		}
		i += size
	}
	return b.Bytes()
}

// SARIF is a text as a message of SARIF, in which brackets begin a link.
func SARIF(text string) string {
	var b bytes.Buffer
	for _, r := range Line(text) {
		if r == '\\' || r == '[' || r == ']' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
