package survey

import (
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// clearing returns the filters, with an empty value for each key that they omit from the earlier filters. Otherwise,
// PostHog would keep the earlier value.
func clearing(filters, earlier jsontypes.Normalized) jsontypes.Normalized {
	keys, omitted := attribute.ObjectKeys(filters), attribute.ObjectKeys(earlier)
	maps.DeleteFunc(omitted, func(key string, value json.RawMessage) bool {
		return !attribute.IsJSONNull(keys[key]) || jsonvalue.IsEmpty(jsonvalue.Text(value))
	})
	if keys == nil || len(omitted) == 0 {
		return filters
	}
	for key := range omitted {
		keys[key] = json.RawMessage("null")
		if key == payloadsKey { // PostHog requires an object here
			keys[key] = json.RawMessage("{}")
		}
	}
	return attribute.RawObject(keys)
}

const (
	groupsKey   = "groups"
	payloadsKey = "payloads"
	indexKey    = "aggregation_group_type_index"
)

// SameFilters compares a flag's filters by [MeaningOfFilters].
func SameFilters(stored, configured string) bool {
	a, errA := jsonvalue.Decode(stored)
	b, errB := jsonvalue.Decode(configured)
	if errA != nil || errB != nil {
		return stored == configured
	}
	return jsonvalue.Equal(MeaningOfFilters(a), MeaningOfFilters(b))
}

// MeaningOfFilters normalizes filters: filters with the same effect in PostHog become equal. It removes empty keys,
// copies the top-level group type to each group, replaces old operator names, and encodes payloads as JSON texts.
func MeaningOfFilters(value any) any {
	filters, isObject := value.(map[string]any)
	if !isObject {
		return value
	}
	meant := maps.Clone(filters)
	if payloads, isObject := filters[payloadsKey].(map[string]any); isObject {
		meant[payloadsKey] = payloadTexts(payloads)
	}
	maps.DeleteFunc(meant, func(key string, value any) bool {
		return key == indexKey || key != groupsKey && jsonvalue.IsEmpty(value)
	})

	if groups, isList := jsonvalue.Rewrite(filters[groupsKey], presentOperator).([]any); isList {
		for _, item := range groups {
			group, _ := item.(map[string]any)
			if _, isGiven := group[indexKey]; group != nil && !isGiven && filters[indexKey] != nil {
				group[indexKey] = filters[indexKey]
			}
		}
		meant[groupsKey] = groups
	}
	return meant
}

// payloadTexts encodes payloads as JSON texts, which is the form that apps receive. A null inside a payload is
// significant.
func payloadTexts(payloads map[string]any) map[string]any {
	texts := map[string]any{}
	for key, payload := range payloads {
		if text, isText := payload.(string); isText {
			if decoded, err := jsonvalue.Decode(text); err == nil {
				payload = decoded
			}
		}
		if raw, err := json.Marshal(payload); err == nil && payload != nil {
			texts[key] = string(raw)
		}
	}
	return texts
}

// presentOperator replaces an old operator name with the one that PostHog stores.
func presentOperator(name string, value any) (now any, isDone bool) {
	switch {
	case name == "operator" && value == "min":
		return "gte", true
	case name == "operator" && value == "max":
		return "lte", true
	}
	return value, false
}

// WithoutIndex drops the null aggregation_group_type_index that the hosted service adds to targeting filters, at the
// top level and in each group.
func WithoutIndex(text string) string {
	var filters map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &filters) != nil || filters == nil {
		return text
	}

	drop := func(object map[string]json.RawMessage) {
		if attribute.IsJSONNull(object[indexKey]) {
			delete(object, indexKey)
		}
	}

	drop(filters)
	var groups []map[string]json.RawMessage
	if json.Unmarshal(filters[groupsKey], &groups) == nil {
		for _, group := range groups {
			drop(group)
		}
		if raw, err := json.Marshal(groups); err == nil {
			filters[groupsKey] = raw
		}
	}

	return attribute.RawObject(filters).ValueString()
}
