package rawjson

import (
	"encoding/json"
	"slices"
)

// Member is one member of an object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Pairs are the members of an object in their order.
type Pairs []Member

// PairsOf splits an object: a name that occurs twice stays in its first place with its
// last value.
func PairsOf(raw json.RawMessage) Pairs {
	var p Pairs
	places := map[string]int{}
	for rest := raw[1:]; rest[0] != '}'; {
		if rest[0] == ',' {
			rest = rest[1:]
		}
		end := extent(rest)
		size := extent(rest[end+1:])
		name, value := Unquote(rest[:end]), rest[end+1:end+1+size:end+1+size]

		if i, known := places[name]; known {
			p[i].Value = value
		} else {
			places[name] = len(p)
			p = append(p, Member{Name: name, Value: value})
		}
		rest = rest[end+1+size:]
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
	return append(p, Member{Name: name, Value: value})
}

// Without removes a member.
func (p Pairs) Without(name string) Pairs {
	return slices.DeleteFunc(p, func(m Member) bool { return m.Name == name })
}

// JSON is the object with these members.
func (p Pairs) JSON() json.RawMessage {
	b := []byte{'{'}
	for i, m := range p {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendQuoted(b, m.Name), ':')
		b = append(b, m.Value...)
	}
	return append(b, '}')
}
