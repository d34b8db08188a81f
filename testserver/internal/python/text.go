package python

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// Trim takes the blanks off both ends, as the service does with fields that are texts,
// though not with texts inside of other JSON. Blanks without a width stay.
func Trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return r >= 0x1c && r <= 0x1f || strings.TrimSpace(string(r)) == "" })
}

// HalfSurrogate finds an escape in a JSON text that is half of a pair of surrogates.
func HalfSurrogate(raw json.RawMessage) (rune, bool) {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return 0, false
	}

	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		code, escaped := unicodeEscape(raw[i:])

		switch {
		case !escaped:
			i++
			continue
		case code >= 0xd800 && code < 0xdc00:
			low, paired := unicodeEscape(raw[i+6:])
			if !paired || low < 0xdc00 || low > 0xdfff {
				return code, true
			}
			i += 6
		case code >= 0xdc00 && code <= 0xdfff:
			return code, true
		}
		i += 5
	}
	return 0, false
}

// unicodeEscape reads \uXXXX at the beginning.
func unicodeEscape(raw []byte) (rune, bool) {
	if len(raw) < 6 || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	code, err := strconv.ParseInt("0"+string(raw[2:6]), 16, 32)
	return rune(code), err == nil
}

// HoldsNUL reports whether a text in JSON has the character 0, which the database does
// not take.
func HoldsNUL(raw json.RawMessage) bool {
	for rest := []byte(raw); ; {
		i := bytes.Index(rest, []byte(`\u0000`))
		if i < 0 {
			return false
		}
		// An even number of backslashes before it are backslashes themselves.
		before := 0
		for before < i && rest[i-1-before] == '\\' {
			before++
		}
		if before%2 == 0 {
			return true
		}
		rest = rest[i+1:]
	}
}
