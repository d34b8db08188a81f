package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// marshal writes a value as JSON, with markup as it is: the service does not
// escape it.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// encode is marshal for values of this package.
func encode(v any) json.RawMessage {
	raw, err := marshal(v)
	if err != nil {
		panic(fmt.Sprintf("testserver: a value of its own is no JSON: %v", err))
	}
	return raw
}

// quote encodes a string as JSON.
func quote(s string) json.RawMessage { return encode(s) }

// appendQuoted writes a string as JSON.
func appendQuoted(b []byte, s string) []byte {
	if plain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	return append(b, quote(s)...)
}

// plain says whether a string stands in JSON as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// appendJSONText writes compact JSON as a JSON string that holds its text.
func appendJSONText(b []byte, text json.RawMessage) []byte {
	b = append(b, '"')
	for _, c := range text {
		// Compact JSON has no control characters.
		if c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return append(b, '"')
}

// unquote decodes a JSON string that was checked when it came in; null is empty.
func unquote(raw json.RawMessage) string {
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if s := string(raw[1 : len(raw)-1]); plain(s) {
		return s
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		panic(fmt.Sprintf("testserver: a stored string is no JSON: %v", err))
	}
	return s
}

// kindOf names the JSON type of a value, as a person would.
func kindOf(raw json.RawMessage) string {
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

// mergePatch applies an RFC 7396 merge patch: objects are merged, null takes a
// key away, anything else replaces. Numbers keep their digits.
func mergePatch(target, patch json.RawMessage) json.RawMessage {
	if patch[0] != '{' {
		return patch
	}
	merged := fields{}
	if len(target) > 0 && target[0] == '{' {
		merged = members(target)
	}
	for name, value := range members(patch) {
		if value[0] == 'n' {
			delete(merged, name)
			continue
		}
		merged[name] = mergePatch(merged[name], value)
	}
	return encode(merged)
}

// readJSON checks JSON and takes the blanks out.
func readJSON(body []byte) (json.RawMessage, error) {
	var packed bytes.Buffer
	if err := json.Compact(&packed, body); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// compact takes the space out of JSON that was checked.
func compact(raw []byte) json.RawMessage {
	var b bytes.Buffer
	b.Grow(len(raw))
	if err := json.Compact(&b, raw); err != nil {
		panic(fmt.Sprintf("testserver: checked JSON is no JSON: %v", err))
	}
	return b.Bytes()
}

// trimmedEmpty says whether a string has nothing but space.
func trimmedEmpty(s string) bool { return strings.TrimSpace(s) == "" }
