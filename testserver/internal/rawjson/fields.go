package rawjson

import (
	"encoding/json"
	"strconv"
)

// Fields are the members of an object by name.
type Fields map[string]json.RawMessage

// Members splits an object; of a name that occurs twice the last value counts.
func Members(raw json.RawMessage) Fields {
	// A map of the right size is a good deal smaller than one that grew, or was guessed.
	var buffer [16]Member
	members := buffer[:0]
	for rest := raw[1:]; rest[0] != '}'; {
		if rest[0] == ',' {
			rest = rest[1:]
		}

		name := extent(rest)
		value := extent(rest[name+1:])
		members = append(members, Member{Unquote(rest[:name]), rest[name+1 : name+1+value : name+1+value]})
		rest = rest[name+1+value:]
	}

	found := make(Fields, len(members))
	for _, m := range members {
		found[m.Name] = m.Value
	}
	return found
}

// IsNull reports whether a member is absent or null.
func (f Fields) IsNull(name string) bool {
	return f[name] == nil || string(f[name]) == "null"
}

// Integer decodes a member that is an integer; anything else gives 0.
func (f Fields) Integer(name string) int64 {
	n, err := strconv.ParseInt(string(f[name]), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
