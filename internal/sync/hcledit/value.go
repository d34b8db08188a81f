package hcledit

import (
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Unknown is a value that is known only after apply.
type Unknown struct{}

// Versions are the values of one thing: as it was last applied, as the code asks for
// it, and as it is live. An attribute that holds JSON has a [jsonvalue.Text]; other values
// are nil, string, bool, json.Number, []any and map[string]any.
type Versions struct{ Applied, Code, Live any }

// state says who changed a thing since it was last applied.
type state int

const (
	// same: code and live agree.
	same state = iota
	// inCode: it was changed in the code alone.
	inCode
	// drifted: it was changed live alone.
	drifted
	// inBoth: it was changed on both sides, and differently.
	inBoth
)

func (v Versions) state() state {
	switch {
	case jsonvalue.Equal(v.Code, v.Live):
		return same
	case jsonvalue.Equal(v.Applied, v.Live):
		return inCode
	case jsonvalue.Equal(v.Applied, v.Code):
		return drifted
	}
	return inBoth
}

// merged is the value that the code has after the merge.
func (v Versions) merged() any {
	if v.Code == nil || v.state() == drifted {
		return v.Live
	}
	return v.Code
}

// key is the versions of a key of an object.
func (v Versions) key(name string) Versions {
	return Versions{object(v.Applied)[name], object(v.Code)[name], object(v.Live)[name]}
}

// keys are the names of all keys, sorted.
func (v Versions) keys() []string {
	return jsonvalue.Keys(object(v.Applied), object(v.Code), object(v.Live))
}

// decoded are the versions of the value in a JSON text.
func (v Versions) decoded() Versions {
	return Versions{decode(v.Applied), decode(v.Code), decode(v.Live)}
}

// object is a value as an object; nil when it is none.
func object(value any) map[string]any {
	keys, _ := value.(map[string]any)
	return keys
}

// decode is the value of a JSON text; any other value as it is.
func decode(value any) any {
	text, ok := value.(jsonvalue.Text)
	if !ok {
		return value
	}
	decoded, err := jsonvalue.Decode(text)
	if err != nil {
		return string(text)
	}
	return decoded
}

// IsSame reports whether code and live object agree.
func (v Versions) IsSame() bool { return v.state() == same }

// Differing are the keys whose values differ between code and live object. One that is known
// only after apply follows from the others.
func (v Versions) Differing() []string {
	return slices.DeleteFunc(v.keys(), func(name string) bool {
		_, open := object(v.Code)[name].(Unknown)
		return open || v.key(name).state() == same
	})
}

// IsPending reports whether the code alone changed a key.
func (v Versions) IsPending(name string) bool { return v.key(name).state() == inCode }

// Select are the versions with some of the keys.
func (v Versions) Select(wanted func(name string) bool) Versions {
	some := func(value any) any {
		kept := maps.Clone(object(value))
		maps.DeleteFunc(kept, func(name string, _ any) bool { return !wanted(name) })
		return kept
	}
	return Versions{some(v.Applied), some(v.Code), some(v.Live)}
}
