package jsonvalue

import "fmt"

// String returns a text, or a number as its digits: an id may be either. It is empty for
// null.
func String(value any) string {
	if value == nil {
		return ""
	}
	if number, ok := numberOf(value); ok {
		return number.String()
	}
	return fmt.Sprint(value)
}
