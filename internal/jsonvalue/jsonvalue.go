// Package jsonvalue decodes, compares, and inspects JSON values for all packages that read or write
// them: which texts are valid, which two values are equivalent, where two values differ, and which
// values are empty.
package jsonvalue

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Decode returns the value of a JSON text: nil, bool, string, [json.Number], []any or
// map[string]any. Numbers keep their digits. Text behind the value is an error, and so is
// what [Check] refuses.
func Decode[T ~string | ~[]byte](text T) (any, error) {
	var value any
	err := Unmarshal([]byte(text), &value)
	return value, err
}

// Unmarshal is [json.Unmarshal] under the rules of [Decode].
func Unmarshal(text []byte, into any) error { return unmarshal(text, into, false) }

// UnmarshalKnown is Unmarshal for documents that people write: a field that into lacks is an
// error.
func UnmarshalKnown(text []byte, into any) error { return unmarshal(text, into, true) }

func unmarshal(text []byte, into any, isStrict bool) error {
	if err := Check(text); err != nil {
		return err
	}

	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if isStrict {
		decoder.DisallowUnknownFields()
	}
	if err := decoder.Decode(into); err != nil {
		return Explain(text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the JSON value")
	}
	return nil
}

// Text is a value that is held as its JSON text, as many attributes are. It is compared by
// what it means; a text that is no JSON, by its characters.
type Text string

func sameText(a, b Text, objects func(a, b map[string]any) bool) bool {
	x, errX := Decode(a)
	y, errY := Decode(b)
	return errX == nil && errY == nil && same(x, y, objects)
}

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

// HasTrue reports whether true is anywhere in a value: so a plan marks the parts of one that
// are unknown or sensitive.
func HasTrue(marks any) bool {
	switch marks := marks.(type) {
	case bool:
		return marks
	case []any:
		return slices.ContainsFunc(marks, HasTrue)
	case map[string]any:
		for _, mark := range marks {
			if HasTrue(mark) {
				return true
			}
		}
	}
	return false
}

// Replace returns a value with others in place of the parts that are marked in this way. An
// object gets the marked keys that it lacks: a plan leaves out what is unknown.
func Replace(value, marks any, replacement func(part any) any) any {
	switch marks := marks.(type) {
	case bool:
		if marks {
			return replacement(value)
		}

	case map[string]any:
		object, ok := value.(map[string]any)
		if !ok || !HasTrue(marks) {
			return value
		}
		replaced := map[string]any{}
		maps.Copy(replaced, object)
		for key, mark := range marks {
			if HasTrue(mark) {
				replaced[key] = Replace(object[key], mark, replacement)
			}
		}
		return replaced

	case []any:
		list, ok := value.([]any)
		if !ok {
			return value
		}
		replaced := slices.Clone(list)
		for i := range min(len(list), len(marks)) {
			replaced[i] = Replace(list[i], marks[i], replacement)
		}
		return replaced
	}
	return value
}

// Rewrite is a copy of a value whose parts are rewritten. The function gets each part, with the
// name of the member that it is, and returns what takes its place, and whether that stays as it
// is; else the parts in it are rewritten, too.
func Rewrite(value any, part func(name string, value any) (now any, isDone bool)) any {
	return rewrite("", value, part)
}

func rewrite(name string, value any, part func(name string, value any) (any, bool)) any {
	now, isDone := part(name, value)
	if isDone {
		return now
	}
	switch now := now.(type) {
	case []any:
		list := make([]any, len(now))
		for i, element := range now {
			list[i] = rewrite("", element, part)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(now))
		for key, member := range now {
			object[key] = rewrite(key, member, part)
		}
		return object
	}
	return now
}
