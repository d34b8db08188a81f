package attribute

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/agext/levenshtein"
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

// ObjectKeys decodes the keys of an attribute with a JSON object; none for any other value.
func ObjectKeys(text jsontypes.Normalized) map[string]json.RawMessage {
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

// timestampLayouts are the layouts of a date and time that the service accepts; without
// an offset it is UTC.
var timestampLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04",
}

// ParseTimestamp parses a date and time: RFC 3339, of which seconds and offset may be
// omitted; without an offset it is UTC.
func ParseTimestamp(s string) (time.Time, error) {
	for _, layout := range timestampLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date and time such as 2026-01-31T09:00:00Z", s)
}

// SameTimestamp reports whether two strings name the same time, to the
// microsecond, which is the precision of the service.
func SameTimestamp(a, b string) bool {
	x, errX := ParseTimestamp(a)
	y, errY := ParseTimestamp(b)

	if errX != nil || errY != nil {
		return a == b
	}

	return x.Truncate(time.Microsecond).Equal(y.Truncate(time.Microsecond))
}

// Nearest finds the name that was probably meant. It ignores case and underscores, so that
// a name in Terraform's style finds the one on the wire.
func Nearest(name string, names []string) (string, bool) {
	plain := func(s string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)) }
	best, distance := "", min(len(plain(name))/4, 3)+1
	for _, candidate := range names {
		if d := levenshtein.Distance(plain(name), plain(candidate), nil); d < distance || d == 0 {
			best, distance = candidate, d
		}
	}
	return best, best != ""
}

// Suggestion is the word that was probably meant, "" for none. The word is certainly wrong,
// so it is more lenient than [Nearest].
func Suggestion(word string, names []string) string {
	best, distance := "", min(max(2, len(word)/3), len(word)-1)+1
	for _, candidate := range names {
		if d := levenshtein.Distance(word, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}
