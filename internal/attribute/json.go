package attribute

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// JSON returns the JSON of a response as an attribute: one line, keys sorted, escaped as
// by Terraform's jsonencode, numbers with the digits that the service sent.
func JSON(raw json.RawMessage) jsontypes.Normalized {
	v, err := jsonvalue.Decode(raw)
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

// SameJSON reports whether two texts hold the same JSON value, key by key.
func SameJSON(a, b string) bool { return jsonvalue.Identical(jsonvalue.Text(a), jsonvalue.Text(b)) }

// EquivalentJSON reports whether two texts mean the same: a key with the value null equals a
// missing key, too.
func EquivalentJSON(a, b string) bool { return jsonvalue.Equal(jsonvalue.Text(a), jsonvalue.Text(b)) }

// IsEmptyJSON reports whether an attribute is null, or its JSON says nothing.
func IsEmptyJSON(text jsontypes.Normalized) bool {
	return text.IsNull() || !text.IsUnknown() && jsonvalue.IsEmpty(jsonvalue.Text(text.ValueString()))
}

// RawObject writes a map of raw JSON as one JSON attribute, null for a missing map.
func RawObject(keys map[string]json.RawMessage) jsontypes.Normalized {
	if keys == nil {
		return NullJSON
	}
	raw, err := json.Marshal(keys)
	if err != nil {
		return NullJSON
	}
	return JSON(raw)
}

// KeysOf decodes the keys of an attribute with a JSON object; none for any other value.
func KeysOf(text jsontypes.Normalized) map[string]json.RawMessage {
	var keys map[string]json.RawMessage
	if json.Unmarshal([]byte(text.ValueString()), &keys) != nil {
		return nil
	}
	return keys
}

// NullJSON is a null attribute of JSON.
var NullJSON = jsontypes.NewNormalizedNull()

// IsJSONNull reports whether a raw value is absent or JSON's null.
func IsJSONNull(raw json.RawMessage) bool {
	trimmed := bytes.TrimSpace(raw)
	return len(trimmed) == 0 || string(trimmed) == "null"
}
