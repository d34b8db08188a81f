package yamldoc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// checkCharacters returns an error for each line with characters that YAML does not allow, because the
// library reports only the first such character, without its line. It also returns a text that the library
// can parse: control characters are removed, and each byte that is not UTF-8 is replaced. Saving the file in
// UTF-8 changes the same bytes, so the text's syntax can be checked, but not its values.
//
// The library handles UTF-16, which starts with a byte order mark.
func checkCharacters(text []byte) (allowed []byte, errors Errors, isUTF8 bool) {
	if bytes.HasPrefix(text, []byte("\xfe\xff")) || bytes.HasPrefix(text, []byte("\xff\xfe")) {
		return text, nil, true
	}

	isUTF8 = true
	allowed = make([]byte, 0, len(text))
	line := 1
	for content := range bytes.Lines(text) {
		var wrongBytes, controls []string
		for rest := content; len(rest) > 0; {
			char, size := utf8.DecodeRune(rest)
			switch {
			case char == utf8.RuneError && size == 1:
				wrongBytes = append(wrongBytes, fmt.Sprintf("0x%X", rest[0]))
				allowed = utf8.AppendRune(allowed, utf8.RuneError)
			case isControl(char):
				controls = append(controls, fmt.Sprintf("U+%04X", char))
			default:
				allowed = append(allowed, rest[:size]...)
			}
			rest = rest[size:]
		}

		if len(wrongBytes) > 0 {
			isUTF8 = false
			errors = append(errors, Errorf(line, "the line contains bytes that are not valid UTF-8: %s. Save the file in UTF-8", listOnce(wrongBytes)))
		}
		if len(controls) > 0 {
			errors = append(errors, Errorf(line, "the line contains control characters: %s. Remove them", listOnce(controls)))
		}
		line++
	}
	return allowed, errors, isUTF8
}

// listOnce joins names in order, without duplicates.
func listOnce(names []string) string {
	var distinct []string
	for _, name := range names {
		if !slices.Contains(distinct, name) {
			distinct = append(distinct, name)
		}
	}
	return strings.Join(distinct, ", ")
}

// isControl reports whether a character is not allowed in YAML.
func isControl(char rune) bool {
	return char < ' ' && char != '\t' && char != '\n' && char != '\r' || char >= 0x7f && char < 0xa0 && char != 0x85 || char == 0xfffe || char == 0xffff
}
