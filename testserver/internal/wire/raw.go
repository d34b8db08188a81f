package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
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
	if n, isInt := v.(int64); isInt {
		return strconv.AppendInt(nil, n, 10) // ids are most of what is encoded
	}
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

// RawFields are the members of an object by name.
type RawFields map[string]json.RawMessage

// Members splits an object; of a name that occurs twice the last value counts.
func Members(raw json.RawMessage) RawFields {
	found := RawFields{}
	for name, value := range Each(raw) {
		found[Unquote(name)] = value
	}
	return found
}

// IsNull reports whether a member is absent or null.
func (f RawFields) IsNull(name string) bool {
	return IsNull(f[name])
}

// Integer decodes a member that is an integer; anything else gives 0.
func (f RawFields) Integer(name string) int64 {
	return Value{Raw: f[name]}.Integer()
}

// Text is a member that is a string; anything else gives "".
func (f RawFields) Text(name string) string { return Unquote(f[name]) }

// Timestamp is a member that is a date; false for anything else.
func (f RawFields) Timestamp(name string) (time.Time, bool) { return ParseTimestamp(f.Text(name)) }

// Pair is one member of an object.
type Pair struct {
	Name  string
	Value json.RawMessage
}

// Pairs are the members of an object in their order.
type Pairs []Pair

// PairsOf splits an object: a name that occurs twice stays in its first place with its
// last value.
func PairsOf(raw json.RawMessage) Pairs {
	var p Pairs
	places := map[string]int{}
	for quoted, value := range Each(raw) {
		name := Unquote(quoted)
		if i, known := places[name]; known {
			p[i].Value = value
			continue
		}
		places[name] = len(p)
		p = append(p, Pair{name, value})
	}
	return p
}

// Get returns the value of a member, nil when there is none.
func (p Pairs) Get(name string) json.RawMessage {
	for _, m := range p {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// With sets a member: in its place, or at the end when it is new.
func (p Pairs) With(name string, value json.RawMessage) Pairs {
	for i := range p {
		if p[i].Name == name {
			p[i].Value = value
			return p
		}
	}
	return append(p, Pair{Name: name, Value: value})
}

// JSON is the object with these members.
func (p Pairs) JSON() json.RawMessage {
	size := len("{}")
	for _, m := range p {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	return p.AppendTo(make([]byte, 0, size))
}

// AppendTo appends the object with these members.
func (p Pairs) AppendTo(b []byte) []byte {
	b = append(b, '{')
	for i, m := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendQuoted(b, m.Name), ':')
		b = append(b, m.Value...)
	}
	return append(b, '}')
}

// JSONB is JSON as the database of the service (jsonb of PostgreSQL) returns it: the
// keys of every object by length, then by their bytes.
func JSONB(raw json.RawMessage) json.RawMessage {
	switch {
	case IsObject(raw):
		p := PairsOf(raw)
		slices.SortFunc(p, func(a, b Pair) int {
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), strings.Compare(a.Name, b.Name))
		})
		for i := range p {
			p[i].Value = JSONB(p[i].Value)
		}
		return p.JSON()
	case IsArray(raw):
		items := List(raw)
		for i := range items {
			items[i] = JSONB(items[i])
		}
		return Array(items)
	}
	return raw
}

// MergePatch applies an RFC 7396 merge patch: objects are merged, null removes a member,
// anything else replaces. Numbers keep their digits.
func MergePatch(target, patch json.RawMessage) json.RawMessage {
	if patch[0] != '{' {
		return patch
	}

	merged := RawFields{}
	if IsObject(target) {
		merged = Members(target)
	}
	for name, value := range Members(patch) {
		if value[0] == 'n' {
			delete(merged, name)
			continue
		}
		merged[name] = MergePatch(merged[name], value)
	}
	return Encode(merged)
}

// Finding the parts of valid, compact JSON takes a look at brackets and quotes. The
// standard library checks every byte again, several times over, which is most of the
// time that loading 100,000 surveys takes.

// extent is the length of the value at the beginning of compact JSON.
func extent(raw []byte) int {
	depth := 0
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '"':
			i += stringExtent(raw[i:]) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			// The rest of a number, true, false or null, or a separator inside.
			if depth > 0 || (i+1 < len(raw) && !endsValue(raw[i+1])) {
				continue
			}
		}

		if depth == 0 {
			return i + 1
		}
	}
	return len(raw)
}

// endsValue reports whether a byte can follow a value.
func endsValue(b byte) bool { return b == ',' || b == '}' || b == ']' || b == ':' }

// stringExtent is the length of the string at the beginning, quotes included. Most of a large
// document is in its strings, so only their quotes and backslashes are looked at.
func stringExtent(raw []byte) int {
	for end := 1; end < len(raw); end++ {
		next := bytes.IndexByte(raw[end:], '"')
		if next < 0 {
			break
		}

		end += next
		if !endsInEscape(raw[1:end]) {
			return end + 1
		}
	}
	return len(raw)
}

// endsInEscape reports whether a part of a string ends in a backslash that escapes what follows:
// backslashes in pairs stand for themselves.
func endsInEscape(part []byte) bool {
	backslashes := 0
	for backslashes < len(part) && part[len(part)-1-backslashes] == '\\' {
		backslashes++
	}
	return backslashes%2 == 1
}

// Each iterates over the members of an object without taking memory: names are as they
// are written, with their quotes, and one that occurs twice comes twice.
func Each(raw json.RawMessage) iter.Seq2[json.RawMessage, json.RawMessage] {
	return func(yield func(name, value json.RawMessage) bool) {
		for rest := raw[1:]; rest[0] != '}'; {
			if rest[0] == ',' {
				rest = rest[1:]
			}
			end := extent(rest)
			size := extent(rest[end+1:])
			if !yield(rest[:end:end], rest[end+1:end+1+size:end+1+size]) {
				return
			}
			rest = rest[end+1+size:]
		}
	}
}

// Items iterates over the items of an array.
func Items(raw json.RawMessage) iter.Seq2[int, json.RawMessage] {
	return func(yield func(int, json.RawMessage) bool) {
		rest := raw[1:]
		for i := 0; rest[0] != ']'; i++ {
			if rest[0] == ',' {
				rest = rest[1:]
			}

			n := extent(rest)
			if !yield(i, rest[:n:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

// List returns the items of an array.
func List(raw json.RawMessage) []json.RawMessage {
	items := []json.RawMessage{}
	for _, item := range Items(raw) {
		items = append(items, item)
	}
	return items
}

// Array is the array of these items.
func Array(items []json.RawMessage) json.RawMessage {
	size := len("[]") + len(items)
	for _, item := range items {
		size += len(item)
	}
	b := append(make([]byte, 0, size), '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item...)
	}
	return append(b, ']')
}

// MapItems returns an array with every item rewritten.
func MapItems(array json.RawMessage, rewrite func(json.RawMessage) json.RawMessage) json.RawMessage {
	items := List(array)
	for i, item := range items {
		items[i] = rewrite(item)
	}
	return Array(items)
}

// Lookup returns the value of a member of an object; nil when there is none, or when the value
// is not an object. Of a name that occurs twice the last value counts. It takes no memory
// unless a name is written with escapes.
func Lookup(raw json.RawMessage, name string) json.RawMessage {
	if !IsObject(raw) {
		return nil
	}

	var found json.RawMessage
	for quoted, value := range Each(raw) {
		if string(quoted[1:len(quoted)-1]) == name || Unquote(quoted) == name {
			found = value
		}
	}
	return found
}
