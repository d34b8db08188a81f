// Package jsonvalue decodes, compares, and inspects JSON values for all other packages: whether a text is valid,
// whether two values are equivalent, where they differ, and whether a value is empty. Start reading at [Decode] and
// [Equal].
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

// Decode returns a JSON text's value: nil, bool, string, [json.Number], []any, or map[string]any. Numbers keep their
// digits. Decode returns an error if other text follows the value, or if [Check] rejects the text.
func Decode[T ~string | ~[]byte](text T) (any, error) {
	var value any
	err := Unmarshal([]byte(text), &value)
	return value, err
}

// Unmarshal is like [json.Unmarshal], with the rules of [Decode].
func Unmarshal(text []byte, into any) error { return unmarshal(text, into, false) }

// UnmarshalKnown is like Unmarshal, for hand-written documents. It returns an error for a field that into does not
// contain.
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

// Text is a value in the form of its JSON text, as in many attributes. It is compared by meaning, or character by
// character if it is not valid JSON.
type Text string

func sameText(a, b Text, objects func(a, b map[string]any) bool) bool {
	x, errX := Decode(a)
	y, errY := Decode(b)
	return errX == nil && errY == nil && same(x, y, objects)
}

// String returns a string unchanged, and a number as its digits, because an ID may be either. It returns an empty
// string for null.
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
	// mostDigits is the maximum number of digits that Python, and thus PostHog, converts to a number. For more
	// digits, the conversion time would grow quadratically.
	mostDigits = 4300
	// deepest is approximately Python's maximum nesting depth.
	deepest = 1000
)

// Check returns an error for JSON that PostHog cannot store, such as numbers with thousands of digits and extremely
// deep nesting. Call it before anything else processes the text. It does not check the rest of the syntax.
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

// HasTrue reports whether a value contains true. A plan marks the unknown or sensitive parts of a value with true.
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

// Replace replaces the parts of a value that a plan marks. It adds marked keys that an object lacks, because a plan
// omits unknown values.
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

// Rewrite returns a copy of a value with rewritten parts. It calls part with each part and its member name. part
// returns the replacement, and whether the replacement is final. If it is not, Rewrite also rewrites the replacement's
// parts.
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
