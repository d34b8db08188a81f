package targeting

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Normal are filters as the service stores them: each group says by which group
// type it aggregates, and the whole says it where all agree; operators have their
// present names; payloads are texts.
func Normal(raw json.RawMessage) json.RawMessage {
	filters := rawjson.PairsOf(raw)
	if payloads := filters.Get("payloads"); rawjson.IsObject(payloads) {
		filters = filters.With("payloads", textPayloads(payloads))
	}
	if !rawjson.IsArray(filters.Get("groups")) {
		return rawjson.JSONB(filters.JSON())
	}

	common := filters.Get(aggregation)
	if common == nil {
		common = json.RawMessage("null")
	}
	groups := rawjson.List(filters.Get("groups"))
	var all json.RawMessage
	for i, group := range groups {
		if !rawjson.IsObject(group) {
			continue
		}
		p := rawjson.PairsOf(group)
		if p.Get(aggregation) == nil {
			p = p.With(aggregation, common)
		}
		if properties := p.Get("properties"); rawjson.IsArray(properties) {
			p = p.With("properties", presentOperators(properties))
		}
		groups[i] = p.JSON()
		if all == nil {
			all = p.Get(aggregation)
		} else if string(all) != string(p.Get(aggregation)) {
			all = json.RawMessage("null")
		}
	}
	filters = filters.With("groups", rawjson.Array(groups))
	if all != nil {
		filters = filters.With(aggregation, all)
	}
	return rawjson.JSONB(filters.JSON())
}

// textPayloads are payloads as JSON texts; what is a text already stays.
func textPayloads(payloads json.RawMessage) json.RawMessage {
	texts := rawjson.PairsOf(payloads)
	for i, m := range texts {
		if !rawjson.IsString(m.Value) {
			texts[i].Value = rawjson.Quote(python.Dump(m.Value))
		}
	}
	return texts.JSON()
}

// presentOperators are properties without the two old names of operators.
func presentOperators(properties json.RawMessage) json.RawMessage {
	items := rawjson.List(properties)
	for i, property := range items {
		if !rawjson.IsObject(property) {
			continue
		}
		p := rawjson.PairsOf(property)
		switch rawjson.Unquote(p.Get("operator")) {
		case "min", "max":
			items[i] = p.With("operator", rawjson.Quote(operatorOf(rawjson.Members(property)))).JSON()
		}
	}
	return rawjson.Array(items)
}
