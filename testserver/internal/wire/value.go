// Package wire has the JSON of requests and of documents that people write by hand: values that
// are their spelling, in which their parts are found when they are asked for; tables of what the fields of a request may be,
// and one reader for them; the failure with which the service refuses the first field that is wrong;
// and entries of documents, whose faults are told by path: "projects[0].nam: unknown key, did you
// mean "name"?". Which columns an object has, other packages say.
package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Value is a JSON value. The zero value is one that is absent; what asks for the parts of a value
// of another type gets none.
type Value struct {
	// Raw is the spelling, compact; nil for an absent value.
	Raw json.RawMessage
}

// Member is a member of an object.
type Member struct {
	Name string
	Value
}

// Null is the value null, which is not absent.
var Null = Value{Raw: json.RawMessage("null")}

// Decode is the value of JSON that is valid and compact; nothing is an absent value.
func Decode(raw json.RawMessage) Value {
	if len(raw) == 0 {
		return Value{}
	}
	return Value{raw}
}

// TextOf is a string.
func TextOf(s string) Value { return Value{Quote(s)} }

// ObjectOf is an object with members in their order.
func ObjectOf(members ...Member) Value {
	spelled := make(Pairs, len(members))
	for i, m := range members {
		spelled[i] = Pair{m.Name, m.Raw}
	}
	return Value{spelled.JSON()}
}

// ArrayOf is an array.
func ArrayOf(items ...Value) Value {
	spelled := make([]json.RawMessage, len(items))
	for i, item := range items {
		spelled[i] = item.Raw
	}
	return Value{Array(spelled)}
}

// IsAbsent reports whether there is no value; IsNull is true for null, too.
func (v Value) IsAbsent() bool { return v.Raw == nil }

// IsNull reports whether a value is absent or null.
func (v Value) IsNull() bool { return IsNull(v.Raw) }

// IsObject reports whether a value is an object.
func (v Value) IsObject() bool { return IsObject(v.Raw) }

// IsArray reports whether a value is an array.
func (v Value) IsArray() bool { return IsArray(v.Raw) }

// IsText reports whether a value is a string.
func (v Value) IsText() bool { return IsString(v.Raw) }

// Is reports whether a value has a spelling.
func (v Value) Is(spelling string) bool { return string(v.Raw) == spelling }

// Text is the text of a string, empty for other values.
func (v Value) Text() string { return Unquote(v.Raw) }

// Spelled is the text of a string, and the JSON of other values, for sentences.
func (v Value) Spelled() string {
	if v.IsText() {
		return v.Text()
	}
	return string(v.Raw)
}

// Items are the items of an array.
func (v Value) Items() []Value {
	var items []Value
	if v.IsArray() {
		for _, item := range Items(v.Raw) {
			items = append(items, Value{item})
		}
	}
	return items
}

// Members are the members of an object in their order: a name that occurs twice stays in its first
// place with its last value.
func (v Value) Members() []Member {
	var members []Member
	for _, m := range v.pairs() {
		members = append(members, Member{m.Name, Value{m.Value}})
	}
	return members
}

// pairs are the members of an object, spelled.
func (v Value) pairs() Pairs {
	if !v.IsObject() {
		return nil
	}
	return PairsOf(v.Raw)
}

// Get is a member of an object.
func (v Value) Get(name string) Value { return Value{Lookup(v.Raw, name)} }

// With is an object with a member: in the place of the one with its name, or at the end.
func (v Value) With(name string, value Value) Value {
	return Value{v.pairs().With(name, value.Raw).JSON()}
}

// Without is an object without a member.
func (v Value) Without(name string) Value {
	return ObjectOf(slices.DeleteFunc(v.Members(), func(m Member) bool { return m.Name == name })...)
}

// IsTruthy reports whether the service takes a value for something: absent, null, false, zero
// and what is empty are nothing to it.
func (v Value) IsTruthy() bool {
	switch string(v.Raw) {
	case "", "null", "false", `""`, "[]", "{}":
		return false
	}
	n, ok := v.Number()
	return !ok || n != 0
}

// Number reads a number; true and false are numbers to the service.
func (v Value) Number() (float64, bool) {
	switch string(v.Raw) {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	n, err := strconv.ParseFloat(string(v.Raw), 64)
	return n, err == nil
}

// Int reads a whole number as the service does: a text that is one, a number without its
// fraction. It takes 62 bits.
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

// Type is the name of the type of a value in the sentences of the service.
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
	case v.Is("true"), v.Is("false"):
		return "bool"
	case strings.ContainsAny(string(v.Raw), ".eE"):
		return "float"
	}
	return "int"
}

// Integer is the value of an integer, 0 for anything else.
func (v Value) Integer() int64 {
	n, err := strconv.ParseInt(string(v.Raw), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Fields are values by name.
type Fields map[string]Value

// IsNull reports whether a field is absent or null.
func (f Fields) IsNull(name string) bool { return f[name].IsNull() }

// Raw are the spellings of the values.
func (f Fields) Raw() RawFields {
	raw := RawFields{}
	for name, v := range f {
		raw[name] = v.Raw
	}
	return raw
}

// HoldsNUL reports whether a text in a value has the character 0, which the database of the
// service does not take.
func (v Value) HoldsNUL() bool {
	return strings.ContainsRune(v.Text(), 0) || slices.ContainsFunc(v.Items(), Value.HoldsNUL) ||
		slices.ContainsFunc(v.Members(), func(m Member) bool { return strings.ContainsRune(m.Name, 0) || m.HoldsNUL() })
}

// Of is the value that encoding gives.
func Of(v any) Value { return Decode(Encode(v)) }

// String implements [fmt.Stringer].
func (v Value) String() string { return v.Spelled() }

var _ fmt.Stringer = Value{}
