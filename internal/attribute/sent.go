package attribute

import (
	"encoding/json"
	"slices"
	"strings"
)

// SentIn tells which attributes a request carries, as far as the wire calls them
// what the schema does. What is inside an attribute, written attribute/..., counts
// as the attribute does.
func SentIn(request any) func(name string) bool {
	raw, err := json.Marshal(request)
	var keys map[string]json.RawMessage
	if err == nil {
		err = json.Unmarshal(raw, &keys)
	}
	return func(name string) bool {
		root, _, _ := strings.Cut(name, "/")
		_, ok := keys[root]
		return err == nil && ok
	}
}

// OnlySent takes back what the answer to a write seems to say about attributes that
// the request did not carry: another value than the planned one is no spelling of
// the service there, but an edit that somebody made since the plan. It must show in
// the next one. What was remembered before and still holds stays.
func (a *Answer) DropUnsent(sent func(name string) bool) {
	for name, hash := range a.Remembered {
		if !sent(name) && a.Memory[name] != hash {
			delete(a.Remembered, name)
		}
	}
	a.Changed = slices.DeleteFunc(a.Changed, func(name string) bool { return !sent(name) })
}
