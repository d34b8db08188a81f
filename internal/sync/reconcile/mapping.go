package reconcile

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// mapReferences returns A's object with flag keys, action IDs, and cohort IDs that refer to B's objects. A
// mapped reference does not count as a difference.
func (p *planner) mapReferences(desired source.Object) source.Object {
	desired.Attributes = maps.Clone(desired.Attributes)
	for _, holder := range flags {
		flag, _ := desired.Attributes[holder].(map[string]any)
		key, _ := flag["key"].(string)
		if keyInB, ok := p.FlagKeys[key]; ok {
			desired.Attributes[holder] = map[string]any{"key": keyInB}
		}
	}

	if p.SameProject {
		return desired
	}
	if filters := desired.Attributes["targeting_flag_filters"]; filters != nil {
		desired.Attributes["targeting_flag_filters"] = withCohorts(filters, p.Cohorts)
	}
	if conditions := desired.Attributes["conditions"]; conditions != nil {
		desired.Attributes["conditions"] = withActionIDs(conditions, p.Actions)
	}
	return desired
}

// mappedFlags returns the flags in A's survey that B's flags replace.
func (p *planner) mappedFlags(desired source.Object) map[string]string {
	var mapped map[string]string
	for _, holder := range flags {
		flag, _ := desired.Attributes[holder].(map[string]any)
		key, _ := flag["key"].(string)
		if keyInB, ok := p.FlagKeys[key]; ok && keyInB != key {
			if mapped == nil {
				mapped = map[string]string{}
			}
			mapped[key] = keyInB
		}
	}
	return mapped
}

// reduceActions returns B's object with actions reduced to their IDs, as mapReferences returns them.
func (p *planner) reduceActions(o source.Object) source.Object {
	if p.SameProject || o.Attributes["conditions"] == nil {
		return o
	}
	o.Attributes = maps.Clone(o.Attributes)
	o.Attributes["conditions"] = withActionIDs(o.Attributes["conditions"], nil)
	return o
}

// withActionIDs replaces actions in conditions with their IDs, or with the IDs to which ids maps them.
func withActionIDs(conditions any, ids map[int64]int64) any {
	fields, _ := conditions.(map[string]any)
	actions, _ := fields["actions"].(map[string]any)
	values, ok := actions["values"].([]any)
	if !ok {
		return conditions
	}

	reduced := make([]any, len(values))
	for i, value := range values {
		reduced[i] = value
		if action, _ := value.(map[string]any); action["id"] != nil {
			reduced[i] = map[string]any{"id": idInB(action["id"], ids)}
		}
	}
	fields = maps.Clone(fields)
	fields["actions"] = map[string]any{"values": reduced}
	return fields
}

// withCohorts returns a copy of filters with B's cohort IDs. A filter property contains the cohort ID as
// its value.
func withCohorts(filters any, ids map[int64]int64) any {
	return jsonvalue.Rewrite(filters, func(_ string, value any) (any, bool) {
		property, _ := value.(map[string]any)
		if property["type"] == "cohort" {
			property = maps.Clone(property)
			property["value"] = idInB(property["value"], ids)
			return property, false
		}
		return value, false
	})
}

// idInB returns the ID in B to which ids maps an ID in A. If ids does not contain the ID, idInB returns
// the ID itself. IDs may be numbers or strings.
func idInB(id any, ids map[int64]int64) any {
	number, err := strconv.ParseInt(fmt.Sprint(id), 10, 64)
	if err != nil {
		return id
	}
	if replacement, ok := ids[number]; ok {
		return json.Number(strconv.FormatInt(replacement, 10))
	}
	return id
}
