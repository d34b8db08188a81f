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

// JSON converts a response's JSON to an attribute. The result is a single line with sorted keys, is escaped like
// the output of Terraform's jsonencode, and keeps the digits of numbers.
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

// afterEscape matches a Unicode escape and the character after it. Terraform normalizes every string to NFC, which may
// compose that character with the escape's last digit.
var afterEscape = regexp.MustCompile(`\\u[0-9a-f]{3}[a-f][^\x00-\x7f]`)

// escapeLast also escapes the character after the escape.
func escapeLast(match string) string {
	const escapeLength = len(`\u0000`)

	var escaped strings.Builder
	escaped.WriteString(match[:escapeLength])
	for _, unit := range utf16.Encode([]rune(match[escapeLength:])) {
		fmt.Fprintf(&escaped, `\u%04x`, unit)
	}

	return escaped.String()
}

// SameJSON reports whether two JSON texts contain exactly the same value.
func SameJSON(a, b string) bool { return jsonvalue.Identical(jsonvalue.Text(a), jsonvalue.Text(b)) }

// EquivalentJSON reports whether two JSON texts have the same meaning. It treats a key with the value null as
// missing.
func EquivalentJSON(a, b string) bool { return jsonvalue.Equal(jsonvalue.Text(a), jsonvalue.Text(b)) }

// IsEmptyJSON reports whether an attribute is null or contains an empty JSON value.
func IsEmptyJSON(text jsontypes.Normalized) bool {
	return text.IsNull() || !text.IsUnknown() && jsonvalue.IsEmpty(jsonvalue.Text(text.ValueString()))
}

// RawObject encodes a map of raw JSON values as one JSON attribute. It returns null for a nil map.
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

// ObjectKeys decodes the keys of a JSON object in an attribute. It returns none for any other value.
func ObjectKeys(text jsontypes.Normalized) map[string]json.RawMessage {
	var keys map[string]json.RawMessage
	if json.Unmarshal([]byte(text.ValueString()), &keys) != nil {
		return nil
	}
	return keys
}

// NullJSON is the null value of a JSON attribute.
var NullJSON = jsontypes.NewNormalizedNull()

// IsJSONNull reports whether a raw value is missing or the JSON null.
func IsJSONNull(raw json.RawMessage) bool {
	trimmed := bytes.TrimSpace(raw)
	return len(trimmed) == 0 || string(trimmed) == "null"
}

// timestampLayouts are the date and time formats that PostHog accepts. A time without an offset is in UTC.
var timestampLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04:05.999999999",
	"2006-01-02T15:04",
}

// ParseTimestamp parses a date and time in RFC 3339, with optional seconds and offset. A time without an offset is in
// UTC.
func ParseTimestamp(s string) (time.Time, error) {
	for _, layout := range timestampLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date and time such as 2026-01-31T09:00:00Z", s)
}

// SameTimestamp reports whether two strings represent the same time to the microsecond, which is PostHog's precision.
func SameTimestamp(a, b string) bool {
	x, errX := ParseTimestamp(a)
	y, errY := ParseTimestamp(b)

	if errX != nil || errY != nil {
		return a == b
	}

	return x.Truncate(time.Microsecond).Equal(y.Truncate(time.Microsecond))
}

// Nearest returns the name that is most similar to a misspelled one. It ignores case and underscores, so that a
// Terraform name matches a wire name.
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

// Suggestion returns the name that is most similar to a wrong word, or "". The word is certainly wrong, so Suggestion
// is more lenient than [Nearest].
func Suggestion(word string, names []string) string {
	best, distance := "", min(max(2, len(word)/3), len(word)-1)+1
	for _, candidate := range names {
		if d := levenshtein.Distance(word, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}
