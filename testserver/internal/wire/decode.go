package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// Decode reads one JSON value. The spelling of its parts is the one in the text without the white
// space between tokens: numbers keep their digits, and objects their order.
func Decode(text []byte) (Value, error) {
	var compact bytes.Buffer
	compact.Grow(len(text))
	if err := json.Compact(&compact, text); err != nil {
		return Value{}, err
	}

	spelling := compact.String()
	tokens := json.NewDecoder(strings.NewReader(spelling))
	tokens.UseNumber()
	return (&decoding{tokens, spelling}).value()
}

// decoding reads the tokens of a text.
type decoding struct {
	*json.Decoder
	text string
}

// value reads the next value with its parts.
func (d *decoding) value() (Value, error) {
	start := d.InputOffset()
	token, err := d.Token()
	if err != nil {
		return Value{}, err
	}

	inner := &parts{}
	switch token {
	case json.Delim('{'):
		inner.members, err = d.members()
	case json.Delim('['):
		inner.items, err = d.items()
	default:
		inner = nil
	}
	// The offset before a token is the end of the one before it: a separator is in between.
	return Value{strings.TrimLeft(d.text[start:d.InputOffset()], ",: "), inner}, err
}

// members reads the rest of an object.
func (d *decoding) members() ([]Member, error) {
	var members []Member
	places := map[string]int{}
	for d.More() {
		token, err := d.Token()
		name, isText := token.(string)
		if err != nil || !isText {
			return nil, errors.Join(err, io.ErrUnexpectedEOF)
		}
		value, err := d.value()
		if err != nil {
			return nil, err
		}

		place, isRepeated := places[name]
		if !isRepeated {
			place = len(members)
			places[name] = place
			members = append(members, Member{Name: name})
		}
		members[place].Value = value
	}
	_, err := d.Token()
	return members, err
}

// items reads the rest of an array.
func (d *decoding) items() ([]Value, error) {
	var items []Value
	for d.More() {
		item, err := d.value()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := d.Token()
	return items, err
}

// UnmarshalJSON implements [json.Unmarshaler].
func (v *Value) UnmarshalJSON(text []byte) (err error) {
	*v, err = Decode(text)
	return err
}

// MarshalJSON implements [json.Marshaler].
func (v Value) MarshalJSON() ([]byte, error) { return v.JSON(), nil }

// Marshal encodes a value and leaves <, >, and & as they are, since PostHog does not escape them.
func Marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// quote spells a string. Encoding a string cannot fail.
func quote(s string) string {
	if isPlain(s) {
		return `"` + s + `"`
	}
	spelling, _ := Marshal(s)
	return string(spelling)
}

// unquote reads the spelling of a string.
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

// Clone returns a copy that does not keep in memory the text that v was decoded from.
func (v Value) Clone() Value { return Of(json.RawMessage(v.spelling)) }
