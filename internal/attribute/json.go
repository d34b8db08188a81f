package attribute

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
)

// JSON returns an answer's JSON as an attribute: one line, keys sorted, spelled as
// Terraform's jsonencode spells it, digits of numbers as the service sent them.
func JSON(raw json.RawMessage) jsontypes.Normalized {
	v, err := decodeJSON(string(raw))
	if err != nil {
		return jsontypes.NewNormalizedValue(string(raw))
	}
	text, err := json.Marshal(v)
	if err != nil {
		return jsontypes.NewNormalizedValue(string(raw))
	}
	return jsontypes.NewNormalizedValue(string(text))
}

// SameJSON reports whether two texts mean the same JSON value: white space, order
// of keys and the spelling of a number do not matter, its value does.
func SameJSON(a, b string) bool {
	x, errX := decodeJSON(a)
	y, errY := decodeJSON(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return sameValue(x, y)
}

func decodeJSON(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var v any
	err := decoder.Decode(&v)
	return v, err
}

func sameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			if other, ok := b[key]; !ok || !sameValue(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !sameValue(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || sameNumber(a.String(), b.String()))
	}
	return a == b
}

// sameNumber compares with more digits than anything a survey holds needs.
func sameNumber(a, b string) bool {
	const precision = 2048
	x, _, errX := big.ParseFloat(a, 10, precision, big.ToNearestEven)
	y, _, errY := big.ParseFloat(b, 10, precision, big.ToNearestEven)
	return errX == nil && errY == nil && x.Cmp(y) == 0
}

// IsJSONNull reports whether a raw value is absent or JSON's null.
func IsJSONNull(raw json.RawMessage) bool {
	trimmed := bytes.TrimSpace(raw)
	return len(trimmed) == 0 || string(trimmed) == "null"
}
