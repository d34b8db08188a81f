// Package wire reads JSON requests and documents that people write by hand. It provides:
//
//   - [Value], a JSON value that keeps its spelling; start reading there;
//   - [Table], which describes the fields that a request may have, and reads them;
//   - [Failure], the error response for the first invalid field, as PostHog sends it;
//   - [Entry], an object of a document, whose errors contain a path and a suggestion, such as
//     projects[0].nam: unknown key, did you mean "name"?
//
// The packages that use a table define its columns.
package wire

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Value is a JSON value. It contains only its compact spelling and finds members and items when they are read,
// because the server stores 100,000 surveys and reads few of them. The zero Value is absent. A value that is not an
// object has no members, so Get on a number returns an absent Value.
type Value struct{ spelling string }

// Member is a member of an object.
type Member struct {
	Name string
	Value
}

// Fields are values by name.
type Fields map[string]Value

// Null is the JSON value null, which is not absent. EmptyObject and EmptyArray have no parts.
var (
	Null        = Value{spelling: "null"}
	EmptyObject = Value{spelling: "{}"}
	EmptyArray  = Value{spelling: "[]"}
)

// Of returns the JSON encoding of v as a value. It returns null if JSON cannot represent v.
func Of(v any) Value {
	switch v := v.(type) {
	case Value:
		return v.OrNull()
	case int64:
		return NewInt(v)
	case string:
		return NewText(v)
	case bool:
		return NewBool(v)
	}

	text, err := Marshal(v)
	if err != nil {
		return Null
	}
	decoded, err := Decode(text)
	if err != nil {
		return Null
	}
	return decoded
}

// NewText returns a string.
func NewText(s string) Value { return Value{spelling: quote(s)} }

// NewInt returns an integer.
func NewInt(n int64) Value { return Value{spelling: strconv.FormatInt(n, 10)} }

// NewBool returns true or false.
func NewBool(b bool) Value { return Value{spelling: strconv.FormatBool(b)} }

// NewObject returns an object with the members in the given order. Each name must occur once.
func NewObject(members ...Member) Value {
	if len(members) == 0 {
		return EmptyObject
	}

	size := len("{}")
	for _, m := range members {
		size += len(m.Name) + len(m.spelling) + len(`"":,`)
	}
	var b strings.Builder
	b.Grow(size)
	for i, m := range members {
		b.WriteByte("{,"[min(i, 1)])
		writeQuote(&b, m.Name)
		b.WriteByte(':')
		b.WriteString(m.OrNull().spelling)
	}
	b.WriteByte('}')
	return Value{b.String()}
}

// NewArray returns an array.
func NewArray(items ...Value) Value {
	if len(items) == 0 {
		return EmptyArray
	}

	size := len("[]")
	for _, item := range items {
		size += len(item.spelling) + len(",")
	}
	var b strings.Builder
	b.Grow(size)
	for i, item := range items {
		b.WriteByte("[,"[min(i, 1)])
		b.WriteString(item.OrNull().spelling)
	}
	b.WriteByte(']')
	return Value{b.String()}
}

// Object returns an object with its members sorted by name.
func (f Fields) Object() Value {
	members := make([]Member, 0, len(f))
	for name, value := range f {
		members = append(members, Member{name, value})
	}
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return NewObject(members...)
}

// Spelling returns the compact JSON text. It returns "" for an absent value.
func (v Value) Spelling() string { return v.spelling }

// JSON returns the spelling as bytes. It returns null for an absent value.
func (v Value) JSON() json.RawMessage { return json.RawMessage(v.OrNull().spelling) }

// startsWith reports whether the spelling starts with a byte. The first byte determines the type of a value.
func (v Value) startsWith(b byte) bool { return v.spelling != "" && v.spelling[0] == b }

// IsAbsent reports whether a value is absent. The value null is not absent.
func (v Value) IsAbsent() bool { return v.spelling == "" }

// IsNull reports whether a value is absent or null.
func (v Value) IsNull() bool { return v.IsAbsent() || v.startsWith('n') }

// IsObject reports whether a value is an object.
func (v Value) IsObject() bool { return v.startsWith('{') }

// IsArray reports whether a value is an array.
func (v Value) IsArray() bool { return v.startsWith('[') }

// IsText reports whether a value is a string.
func (v Value) IsText() bool { return v.startsWith('"') }

// IsBool reports whether a value is true or false.
func (v Value) IsBool() bool { return v.startsWith('t') || v.startsWith('f') }

// IsNumber reports whether a value is a number.
func (v Value) IsNumber() bool {
	return !v.IsNull() && !v.IsObject() && !v.IsArray() && !v.IsText() && !v.IsBool()
}

// Is reports whether a value has the given spelling.
func (v Value) Is(spelling string) bool { return v.spelling == spelling }

// OrNull returns v, or null if v is absent.
func (v Value) OrNull() Value {
	if v.IsAbsent() {
		return Null
	}
	return v
}

// Text returns the decoded string. It returns "" for other values.
func (v Value) Text() string {
	if !v.IsText() {
		return ""
	}
	return unquote(v.spelling)
}

// String returns the decoded string. It returns the JSON text of other values.
func (v Value) String() string {
	if v.IsText() {
		return v.Text()
	}
	return v.spelling
}

var _ fmt.Stringer = Value{}

// Items returns the items of an array.
func (v Value) Items() []Value {
	if !v.IsArray() {
		return nil
	}
	var items []Value
	for part := range v.parts() {
		items = append(items, Value{part})
	}
	return items
}

// Members returns the members of an object in their order. A repeated name has its first position and its last
// value.
func (v Value) Members() []Member {
	var members []Member
	positions := map[string]int{}
	for name, value := range v.members() {
		position, isRepeated := positions[name]
		if !isRepeated {
			position = len(members)
			positions[name] = position
			members = append(members, Member{Name: name})
		}
		members[position].Value = value
	}
	return members
}

// Fields returns the members of an object by name.
func (v Value) Fields() Fields { return maps.Collect(v.members()) }

// Len returns the number of members or items.
func (v Value) Len() int { return len(v.Items()) + len(v.Members()) }

// Get returns a member of an object, or an absent value if there is none.
func (v Value) Get(name string) Value {
	var result Value
	for key, value := range v.members() {
		if key == name {
			result = value
		}
	}
	return result
}

// With returns a copy of an object with a member. It replaces the member with the same name, or appends the member.
func (v Value) With(name string, value Value) Value {
	members := v.Members()
	isNamed := func(m Member) bool { return m.Name == name }
	if i := slices.IndexFunc(members, isNamed); i >= 0 {
		members[i].Value = value
		return NewObject(members...)
	}
	return NewObject(append(members, Member{name, value})...)
}

// Without returns a copy of an object without a member.
func (v Value) Without(name string) Value {
	return NewObject(slices.DeleteFunc(v.Members(), func(m Member) bool { return m.Name == name })...)
}

// IsTruthy reports whether a value is true in Python. Absent, null, false, zero, and empty values are not.
func (v Value) IsTruthy() bool {
	switch v.spelling {
	case "", "null", "false", `""`, "[]", "{}":
		return false
	}
	n, ok := v.Number()
	return !ok || n != 0
}

// Number reads a number. Like PostHog, it accepts true and false.
func (v Value) Number() (float64, bool) {
	switch v.spelling {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	n, err := strconv.ParseFloat(v.spelling, 64)
	return n, err == nil
}

// Int reads an integer as PostHog does: it also parses strings, and truncates fractions. ok is false for
// numbers of more than 62 bits.
func (v Value) Int() (int64, bool) {
	if v.IsText() {
		n, err := strconv.ParseInt(strings.TrimSpace(v.Text()), 10, 64)
		return n, err == nil
	}
	n, ok := v.Number()
	if !ok || math.Abs(n) > math.MaxInt64/2 {
		return 0, false
	}
	return int64(n), true
}

// Integer returns the value of an integer, or 0 for other values.
func (v Value) Integer() int64 {
	n, err := strconv.ParseInt(v.spelling, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Type returns the Python name of a value's type, which PostHog's messages contain.
func (v Value) Type() string {
	switch {
	case v.IsNull():
		return "NoneType"
	case v.IsObject():
		return "dict"
	case v.IsArray():
		return "list"
	case v.IsText():
		return "str"
	case v.IsBool():
		return "bool"
	case strings.ContainsAny(v.spelling, ".eE"):
		return "float"
	}
	return "int"
}

// KindWithArticle returns the name of a value's type with its article, for messages about documents.
func KindWithArticle(v Value) string {
	switch {
	case v.IsObject():
		return "an object"
	case v.IsArray():
		return "an array"
	case v.IsText():
		return "a string"
	case v.IsBool():
		return "a boolean"
	case v.IsNull():
		return "null"
	}
	return "a number"
}

// HoldsNUL reports whether a string in a value contains the character U+0000, which PostHog's database refuses.
func (v Value) HoldsNUL() bool {
	return strings.ContainsRune(v.Text(), 0) || slices.ContainsFunc(v.Items(), Value.HoldsNUL) ||
		slices.ContainsFunc(v.Members(), func(m Member) bool { return strings.ContainsRune(m.Name, 0) || m.HoldsNUL() })
}

// Size returns the length of the spelling.
func (v Value) Size() int { return len(v.spelling) }

// Equals reports whether two values have the same spelling.
func (v Value) Equals(u Value) bool { return v.spelling == u.spelling }
