package jsonvalue

import (
	"reflect"
	"slices"
)

// Equal reports whether two values mean the same to the product: white space, the order of
// keys and the notation of a number do not matter, and a key with the value null equals a
// missing key, since generated configuration and the web interface write such keys, and
// people omit them. The elements of a list count, be they null.
func Equal(a, b any) bool { return same(a, b, sameMeaning) }

// Identical is [Equal] for which a key with the value null is a key: for proofs that nothing
// of a value is lost.
func Identical(a, b any) bool { return same(a, b, sameKeys) }

// same compares two values, and their objects by a rule.
func same(a, b any, objects func(a, b map[string]any) bool) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && objects(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, func(a, b any) bool { return same(a, b, objects) })
	case Text:
		b, ok := b.(Text)
		return ok && (a == b || sameText(a, b, objects))
	}

	x, isNumber := numberOf(a)
	if y, ok := numberOf(b); ok && isNumber {
		return x == y || sameNumber(x, y)
	}
	return reflect.DeepEqual(a, b)
}

// sameMeaning compares objects in which null is no value.
func sameMeaning(a, b map[string]any) bool {
	for key, value := range a {
		if !Equal(value, b[key]) {
			return false
		}
	}
	for key, value := range b {
		if _, compared := a[key]; !compared && value != nil {
			return false
		}
	}
	return true
}

// sameKeys compares objects that must have the same keys.
func sameKeys(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for key, value := range a {
		if other, ok := b[key]; !ok || !Identical(value, other) {
			return false
		}
	}
	return true
}
