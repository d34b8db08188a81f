package attribute

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// JSON returns the JSON of a response as an attribute: one line, keys sorted, escaped as
// by Terraform's jsonencode, numbers with the digits that the service sent.
func JSON(raw json.RawMessage) jsontypes.Normalized {
	v, err := decodeJSON(string(raw))
	if err != nil {
		return jsontypes.NewNormalizedValue(string(raw))
	}

	text, err := json.Marshal(v)
	if err != nil {
		return jsontypes.NewNormalizedValue(string(raw))
	}

	return jsontypes.NewNormalizedValue(afterEscape.ReplaceAllStringFunc(string(text), escapeLast))
}

// afterEscape matches an escape and a character after it that Terraform may compose with
// the last digit of the escape: Terraform normalizes every string to NFC.
var afterEscape = regexp.MustCompile(`\\u[0-9a-f]{3}[a-f][^\x00-\x7f]`)

// escapeLast escapes the character after an escape, too.
func escapeLast(match string) string {
	const escapeLength = len(`\u0000`)

	var escaped strings.Builder
	escaped.WriteString(match[:escapeLength])
	for _, unit := range utf16.Encode([]rune(match[escapeLength:])) {
		fmt.Fprintf(&escaped, `\u%04x`, unit)
	}

	return escaped.String()
}

// SameJSON reports whether two texts mean the same JSON value: white space, the
// order of keys and the notation of a number do not matter.
func SameJSON(a, b string) bool {
	x, errX := decodeJSON(a)
	y, errY := decodeJSON(b)

	if errX != nil || errY != nil {
		return a == b
	}
	return sameValue(x, y)
}

// EquivalentJSON is [SameJSON] for which a key with the value null equals a missing key:
// generated configuration and the web UI write such keys, people omit them.
func EquivalentJSON(a, b string) bool {
	if a == b {
		return true
	}

	x, errX := decodeJSON(a)
	y, errY := decodeJSON(b)

	return errX == nil && errY == nil && sameValue(withoutNulls(x), withoutNulls(y))
}

// withoutNulls drops the keys of a value, at any depth, that hold null. The items of a
// list stay: their number matters.
func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if value == nil {
				delete(v, key)
				continue
			}
			v[key] = withoutNulls(value)
		}
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return v
}

func decodeJSON(text string) (any, error) {
	if err := jsonvalue.Check(text); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()

	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the JSON value")
	}
	return v, nil
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

// sameNumber compares with more digits than any number of the service has.
func sameNumber(a, b string) bool {
	const precision = 2048

	x, _, errX := big.ParseFloat(a, 10, precision, big.ToNearestEven)
	y, _, errY := big.ParseFloat(b, 10, precision, big.ToNearestEven)

	return errX == nil && errY == nil && !x.IsInf() && x.Cmp(y) == 0
}

// NullJSON is a null attribute of JSON.
var NullJSON = jsontypes.NewNormalizedNull()

// IsJSONNull reports whether a raw value is absent or JSON's null.
func IsJSONNull(raw json.RawMessage) bool {
	trimmed := bytes.TrimSpace(raw)
	return len(trimmed) == 0 || string(trimmed) == "null"
}
