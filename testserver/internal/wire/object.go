package wire

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

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
	return f[name] == nil || string(f[name]) == "null"
}

// Integer decodes a member that is an integer; anything else gives 0.
func (f RawFields) Integer(name string) int64 {
	n, err := strconv.ParseInt(string(f[name]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

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

// Without removes a member.
func (p Pairs) Without(name string) Pairs {
	return slices.DeleteFunc(p, func(m Pair) bool { return m.Name == name })
}

// JSON is the object with these members.
func (p Pairs) JSON() json.RawMessage {
	size := len("{}")
	for _, m := range p {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	b := append(make([]byte, 0, size), '{')
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
