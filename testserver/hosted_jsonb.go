package testserver

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// jsonbOrder is JSON as the service's database (jsonb of PostgreSQL) returns it: the
// keys of every object by length, then by their bytes.
func jsonbOrder(raw json.RawMessage) json.RawMessage {
	switch {
	case rawjson.IsObject(raw):
		p := rawjson.PairsOf(raw)
		slices.SortFunc(p, func(a, b rawjson.Member) int {
			return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), strings.Compare(a.Name, b.Name))
		})
		for i := range p {
			p[i].Value = jsonbOrder(p[i].Value)
		}
		return p.JSON()
	case rawjson.IsArray(raw):
		items := rawjson.List(raw)
		for i := range items {
			items[i] = jsonbOrder(items[i])
		}
		return rawjson.Array(items)
	}
	return raw
}
