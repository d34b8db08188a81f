package targeting

import (
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Variants returns the keys of a flag's variants.
func Variants(filters wire.Value) []string {
	var keys []string
	for _, variant := range filters.Get("multivariate").Get("variants").Items() {
		keys = append(keys, variant.Get("key").Text())
	}
	return keys
}

// Normal returns filters in the form in which PostHog stores them. Each group contains its group type, and so do the
// filters if all groups agree. Operators have their current names, and payloads are strings.
func Normal(filters wire.Value) wire.Value {
	if payloads := filters.Get("payloads"); payloads.IsObject() {
		filters = filters.With("payloads", textPayloads(payloads))
	}
	if !filters.Get("groups").IsArray() {
		return wire.JSONB(filters)
	}

	common := filters.Get(aggregation)
	if common.IsAbsent() {
		common = wire.Null
	}
	groups := filters.Get("groups").Items()
	var shared wire.Value
	for i, group := range groups {
		if !group.IsObject() {
			continue
		}
		if group.Get(aggregation).IsAbsent() {
			group = group.With(aggregation, common)
		}
		if properties := group.Get("properties"); properties.IsArray() {
			group = group.With("properties", presentOperators(properties))
		}
		groups[i] = group
		switch value := group.Get(aggregation); {
		case shared.IsAbsent():
			shared = value
		case shared.Spelling() != value.Spelling():
			shared = wire.Null
		}
	}
	filters = filters.With("groups", wire.NewArray(groups...))
	if !shared.IsAbsent() {
		filters = filters.With(aggregation, shared)
	}
	return wire.JSONB(filters)
}

// textPayloads returns payloads as JSON strings with PostHog's spacing. It keeps strings unchanged.
func textPayloads(payloads wire.Value) wire.Value {
	texts := payloads.Members()
	for i, m := range texts {
		if !m.IsText() {
			texts[i].Value = wire.NewText(addSpaces(m.Value))
		}
	}
	return wire.NewObject(texts...)
}

// addSpaces returns JSON with a space after each comma and colon.
func addSpaces(v wire.Value) string {
	var parts []string
	switch {
	case v.IsObject():
		for _, m := range v.Members() {
			parts = append(parts, wire.NewText(m.Name).Spelling()+": "+addSpaces(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case v.IsArray():
		for _, item := range v.Items() {
			parts = append(parts, addSpaces(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return v.Spelling()
}

// presentNames maps two old operator names to their current names.
var presentNames = map[string]string{"min": "gte", "max": "lte"}

// presentOperators replaces old operator names in properties.
func presentOperators(properties wire.Value) wire.Value {
	items := properties.Items()
	for i, property := range items {
		if name, old := presentNames[property.Get("operator").Text()]; old {
			items[i] = property.With("operator", wire.NewText(name))
		}
	}
	return wire.NewArray(items...)
}
