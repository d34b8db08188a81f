package jsonvalue

import (
	"encoding/json"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Equal reports whether two values have the same meaning. It ignores white space, key order, and number notation. A key
// with the value null equals a missing key, because generated configuration and PostHog's web interface write such
// keys, and people omit them. In lists, null elements are significant.
func Equal(a, b any) bool { return same(a, b, sameMeaning) }

// Identical is like [Equal], but distinguishes a key with the value null from a missing key. If it returns true, the
// values do not differ in any part.
func Identical(a, b any) bool { return same(a, b, sameKeys) }

// same compares two values, and uses the function objects to compare objects in them.
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

// sameMeaning compares objects and treats a null value as missing.
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

// IsEmpty reports whether a value is empty: null, "", false, a list without elements, or an object in which every key
// is null. The number 0 is not empty. If two values are [Equal], either both are empty or neither is.
func IsEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case bool:
		return !value
	case []any:
		return len(value) == 0
	case map[string]any:
		for _, member := range value {
			if member != nil {
				return false
			}
		}
		return true
	case Text:
		decoded, err := Decode(value)
		return value == "" || err == nil && IsEmpty(decoded)
	}
	return false
}

// Path is the path to a part of a value. Object keys are strings, and list indexes are ints.
type Path []any

// String returns the path in the format of diagnostics, such as questions[0].branching.type.
func (p Path) String() string { return p.Below("") }

// Below is like [Path.String] for a path below start.
func (p Path) Below(start string) string {
	var text strings.Builder
	text.WriteString(start)
	for _, step := range p {
		switch step := step.(type) {
		case int:
			text.WriteString("[" + strconv.Itoa(step) + "]")
		case string:
			if text.Len() > 0 {
				text.WriteString(".")
			}
			text.WriteString(step)
		}
	}
	return text.String()
}

// Diff calls visit for each difference between two values, sorted by path. It compares objects key by key, and lists
// with equal length element by element. Lists with different lengths are one difference. A missing key is passed as
// nil. If the values are [Equal], Diff never calls visit.
func Diff(a, b any, visit func(path Path, a, b any)) { diff(nil, a, b, visit) }

func diff(path Path, a, b any, visit func(path Path, a, b any)) {
	objectA, okA := a.(map[string]any)
	objectB, okB := b.(map[string]any)
	if okA && okB {
		for _, key := range Keys(objectA, objectB) {
			diff(append(path, key), objectA[key], objectB[key], visit)
		}
		return
	}

	listA, okA := a.([]any)
	listB, okB := b.([]any)
	if okA && okB && len(listA) == len(listB) {
		for i := range listA {
			diff(append(path, i), listA[i], listB[i], visit)
		}
		return
	}

	if !Equal(a, b) {
		visit(slices.Clone(path), a, b)
	}
}

// Keys returns the sorted keys of all objects.
func Keys(objects ...map[string]any) []string {
	all := map[string]any{}
	for _, object := range objects {
		maps.Copy(all, object)
	}
	return slices.Sorted(maps.Keys(all))
}

// numberOf returns the text of a number, or false for any other value. The JSON of a plan contains numbers as
// float64.
func numberOf(value any) (json.Number, bool) {
	switch value := value.(type) {
	case json.Number:
		return value, true
	case float64:
		return json.Number(strconv.FormatFloat(value, 'f', -1, 64)), true
	}
	return "", false
}

// FromFloat converts a number in a plan's JSON with all its digits.
func FromFloat(value float64) json.Number {
	number, _ := numberOf(value)
	return number
}

// decimal is a number as digits times a power of ten. The digits neither start nor end with 0, and are empty for 0.
type decimal struct {
	isNegative bool
	digits     string
	exponent   *big.Int
}

// sameNumber compares two numbers by value without computing them: 1e999999999 has more digits than fit into memory.
func sameNumber(a, b json.Number) bool {
	x, okX := decimalOf(a.String())
	y, okY := decimalOf(b.String())
	return okX && okY && x.isNegative == y.isNegative && x.digits == y.digits && x.exponent.Cmp(y.exponent) == 0
}

// decimalOf parses a number. It returns false for any other text.
func decimalOf(text string) (decimal, bool) {
	text, isNegative := strings.CutPrefix(text, "-")
	mantissa, power := text, "0"
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, power = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exponent, ok := new(big.Int).SetString(power, 10)
	if !ok || whole == "" || !isDigits(whole+fraction) {
		return decimal{}, false
	}

	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return decimal{exponent: new(big.Int)}, true
	}
	significant := strings.TrimRight(digits, "0")
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(significant)-len(fraction))))
	return decimal{isNegative, significant, exponent}, true
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }
