package rawjson

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// JSONB is JSON as the database of the service (jsonb of PostgreSQL) returns it: the
// keys of every object by length, then by their bytes.
func JSONB(raw json.RawMessage) json.RawMessage {
	switch {
	case IsObject(raw):
		p := PairsOf(raw)
		slices.SortFunc(p, func(a, b Member) int {
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
