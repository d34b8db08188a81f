package wire

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
	"unicode/utf8"
)

// Decode reads one JSON value. It removes the white space between tokens and keeps the spelling of everything
// else, including the digits of numbers and the order of members.
func Decode(text []byte) (Value, error) {
	var compact bytes.Buffer
	compact.Grow(len(text))
	if err := json.Compact(&compact, text); err != nil {
		return Value{}, err
	}

	return Value{compact.String()}, nil
}

// members yields the members of an object, including repeated names.
func (v Value) members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if !v.IsObject() {
			return
		}
		for part := range v.parts() {
			end := stringExtent(part)
			if !yield(unquote(part[:end]), Value{part[end+len(":"):]}) {
				return
			}
		}
	}
}

// parts yields the comma-separated parts of an object or array.
func (v Value) parts() iter.Seq[string] {
	return func(yield func(string) bool) {
		depth, start := 0, len("{")
		for i := 0; i < len(v.spelling); i++ {
			c := v.spelling[i]
			switch c {
			case '"':
				i += stringExtent(v.spelling[i:]) - 1
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}

			if depth == 0 || depth == 1 && c == ',' {
				if part := v.spelling[start:i]; part != "" && !yield(part) {
					return
				}
				start = i + len(",")
			}
		}
	}
}

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Value) UnmarshalJSON(text []byte) (err error) {
	*v, err = Decode(text)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (v Value) MarshalJSON() ([]byte, error) { return v.JSON(), nil }

// Marshal encodes a value without escaping <, >, and &, because PostHog does not escape them.
func Marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// quote returns the JSON spelling of a string.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(`""`))
	writeQuote(&b, s)
	return b.String()
}

// writeQuote appends the JSON spelling of a string. Encoding a string cannot fail.
func writeQuote(b *strings.Builder, s string) {
	if !isPlain(s) {
		spelling, _ := Marshal(s)
		b.Write(spelling)
		return
	}
	b.WriteByte('"')
	b.WriteString(s)
	b.WriteByte('"')
}

// unquote decodes the JSON spelling of a string.
func unquote(spelling string) string {
	if s := spelling[1 : len(spelling)-1]; isPlain(s) {
		return s
	}
	var s string
	_ = json.Unmarshal([]byte(spelling), &s)
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

// Clone returns a copy of v that does not keep the decoded text in memory.
func (v Value) Clone() Value { return Of(json.RawMessage(v.spelling)) }
