package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Compact checks JSON and removes the white space between its tokens.
func Compact(text []byte) (json.RawMessage, error) {
	var packed bytes.Buffer
	packed.Grow(len(text))
	if err := json.Compact(&packed, text); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// MustCompact is [Compact] for JSON that has been checked already.
func MustCompact(text []byte) json.RawMessage {
	packed, err := Compact(text)
	if err != nil {
		panic(fmt.Sprintf("wire: checked JSON is invalid: %v", err))
	}
	return packed
}

// Marshal encodes a value and leaves <, > and & as they are: the service does not
// escape them.
func Marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Encode is [Marshal] for values that can always be encoded.
func Encode(v any) json.RawMessage {
	raw, err := Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("wire: a value cannot be encoded: %v", err))
	}
	return raw
}

// Quote encodes a string.
func Quote(s string) json.RawMessage { return AppendQuoted(make([]byte, 0, len(s)+2), s) }

// Bool encodes true or false.
func Bool(b bool) json.RawMessage { return strconv.AppendBool(nil, b) }

// AppendQuoted appends a string, encoded.
func AppendQuoted(b []byte, s string) []byte {
	if isPlain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	return append(b, Encode(s)...)
}

// Unquote decodes a string; anything else gives the empty one.
func Unquote(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if s := string(raw[1 : len(raw)-1]); isPlain(s) {
		return s
	}

	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		panic(fmt.Sprintf("wire: a checked string is invalid: %v", err))
	}
	return s
}

// isPlain reports whether a string needs no escapes in JSON.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsObject reports whether a value is an object; an absent one is not.
func IsObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// IsArray reports whether a value is an array; an absent one is not.
func IsArray(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }

// IsString reports whether a value is a string; an absent one is not.
func IsString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// IsNull reports whether a value is absent or null.
func IsNull(raw json.RawMessage) bool { return len(raw) == 0 || raw[0] == 'n' }

// KindOf names the type of a value with its article, for messages.
func KindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// OrNull is a value, null for an absent one.
func OrNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}
