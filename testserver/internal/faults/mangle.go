package faults

import (
	"encoding/json"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Mangle rewrites a complete response that is JSON, about an object with some text fields. What is
// not JSON stays as it is.
func (e Effect) Mangle(body []byte, texts []string) []byte {
	if !e.emptyForNull && !e.reorderKeys || len(body) == 0 || !json.Valid(body) {
		return body
	}
	mangled := wire.MustCompact(body)
	if e.emptyForNull {
		mangled = withEmptyTexts(mangled, texts)
	}
	if e.reorderKeys {
		mangled = reverseKeys(mangled)
	}
	return mangled
}

// withEmptyTexts replaces null by "" in the named members of an object, or of the
// objects in the results of a list. Digits and order stay as they are.
func withEmptyTexts(raw json.RawMessage, names []string) json.RawMessage {
	if raw[0] != '{' {
		return raw
	}
	p := wire.PairsOf(raw)
	for i, m := range p {
		switch {
		case m.Value[0] == 'n' && slices.Contains(names, m.Name):
			p[i].Value = json.RawMessage(`""`)
		case m.Name == "results" && m.Value[0] == '[':
			p[i].Value = wire.MapItems(m.Value, func(item json.RawMessage) json.RawMessage { return withEmptyTexts(item, names) })
		}
	}
	return p.JSON()
}

// reverseKeys returns a value with the keys of all objects in it from last to first.
// Strings and numbers keep their bytes, lists their order.
func reverseKeys(raw json.RawMessage) json.RawMessage {
	switch raw[0] {
	case '{':
		p := wire.PairsOf(raw)
		slices.Reverse(p)
		for i := range p {
			p[i].Value = reverseKeys(p[i].Value)
		}
		return p.JSON()
	case '[':
		return wire.MapItems(raw, reverseKeys)
	}
	return raw
}
