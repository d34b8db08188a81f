// Package jsonvalue says what a JSON value is, to all that read, compare or write one: how a
// text is decoded, which two values mean the same, where two differ, and which say nothing.
package jsonvalue

import (
	"errors"
	"fmt"
)

const (
	// mostDigits is what Python, in which the service is written, converts to a number at
	// most. More take time that grows with their square.
	mostDigits = 4300
	// deepest is about where Python stops to follow brackets in each other.
	deepest = 1000
)

// Check returns an error for JSON that no service like this one can hold, before any work is
// done on it: numbers with thousands of digits, brackets in brackets without end. It does
// not check the rest of the syntax.
func Check[T string | []byte](text T) error {
	depth, digits := 0, 0
	inText := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inText {
			switch c {
			case '\\':
				i++
			case '"':
				inText = false
			}
			continue
		}

		if c < '0' || c > '9' {
			digits = 0
		}
		switch {
		case c == '"':
			inText = true
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c >= '0' && c <= '9':
			digits++
		}
		if digits > mostDigits {
			return fmt.Errorf("a number has more than %d digits", mostDigits)
		}
		if depth > deepest {
			return errTooDeep
		}
	}
	return nil
}

var errTooDeep = errors.New("lists and objects are nested more than " + fmt.Sprint(deepest) + " deep")
