package reconcile

import (
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/side"
)

// Mapping is what objects of A stand for in B when two sides are compared. What is mapped is
// no difference.
type Mapping struct {
	// Flags are keys of feature flags in B by those in A, or by ids where A shows no keys.
	Flags map[string]string
	// FlagIDs are ids in B of the flags that targeting depends on, by their ids in A.
	FlagIDs map[int64]int64
	// Actions are ids in B by the names of actions in A, or by their ids.
	Actions map[string]int64
	// Cohorts are ids in B by ids in A.
	Cohorts map[int64]int64
}

// of is the object of A in a pair, with what it refers to in B. Ids of one object mean the
// same on both sides, and are not mapped.
func (m Mapping) of(pair Pair) side.Object {
	o := pair.A
	if o.Kind != side.Survey {
		return o
	}
	o.Attributes = maps.Clone(o.Attributes)
	for name, holder := range flags {
		if keyInB, ok := m.Flags[flagName(o, name)]; ok {
			o.Attributes[holder] = map[string]any{"key": keyInB}
		}
	}

	if sameID(pair.A, pair.B) {
		return o
	}
	if filters := o.Attributes["targeting_flag_filters"]; filters != nil {
		o.Attributes["targeting_flag_filters"] = withMappedIDs(filters, m.Cohorts, m.FlagIDs)
	}
	if conditions := o.Attributes["conditions"]; conditions != nil {
		o.Attributes["conditions"] = m.withActionsOf(conditions, pair.B.Attributes["conditions"])
	}
	return o
}

// flagName is the key of a flag that an attribute refers to, else its id; empty for none.
func flagName(o side.Object, name string) string {
	if o.Attributes[name] == nil {
		return ""
	}
	key, _ := flagKey(o, name)
	text, _ := key.(string)
	return cmp.Or(text, idText(o.Attributes[name]))
}

// withActionsOf replaces the actions in the conditions of A that are mapped by those of B.
func (m Mapping) withActionsOf(conditions, conditionsInB any) any {
	inB := map[string]any{}
	for _, value := range actionsIn(conditionsInB) {
		action, _ := value.(map[string]any)
		inB[idText(action["id"])] = value
	}

	values := actionsIn(conditions)
	replaced := make([]any, len(values))
	for i, value := range values {
		replaced[i] = value
		action, _ := value.(map[string]any)
		id, ok := m.action(action)
		if !ok {
			continue
		}
		text := strconv.FormatInt(id, 10)
		if replaced[i] = inB[text]; replaced[i] == nil {
			replaced[i] = map[string]any{"id": json.Number(text)}
		}
	}
	if len(values) == 0 {
		return conditions
	}
	fields, _ := conditions.(map[string]any)
	fields = maps.Clone(fields)
	fields["actions"] = map[string]any{"values": replaced}
	return fields
}

// action is the id in B of an action of A: by its name, or else by its id.
func (m Mapping) action(action map[string]any) (id int64, ok bool) {
	name, _ := action["name"].(string)
	if id, ok = m.Actions[name]; ok && name != "" {
		return id, true
	}
	id, ok = m.Actions[idText(action["id"])]
	return id, ok
}

// actionsIn are the actions in conditions.
func actionsIn(conditions any) []any {
	fields, _ := conditions.(map[string]any)
	actions, _ := fields["actions"].(map[string]any)
	values, _ := actions["values"].([]any)
	return values
}

// idText is an id, which may be a number or a text, as text; empty for none.
func idText(id any) string {
	switch id := id.(type) {
	case json.Number:
		return id.String()
	case string:
		return id
	}
	return ""
}

// HasFlag reports whether a survey refers to a feature flag, by its key or its id.
func HasFlag(objects []side.Object, name string) bool {
	return hasSurvey(objects, func(o side.Object) bool {
		for attribute := range flags {
			if flagName(o, attribute) == name {
				return true
			}
		}
		return dependsOn(o, name)
	})
}

// DependsOnFlag reports whether the targeting of a survey depends on a feature flag, by its
// id.
func DependsOnFlag(objects []side.Object, id string) bool {
	return hasSurvey(objects, func(o side.Object) bool { return dependsOn(o, id) })
}

func dependsOn(o side.Object, flagID string) bool {
	return refersTo(o, flagID, func(ids map[int64]int64) Mapping { return Mapping{FlagIDs: ids} })
}

// HasAction reports whether a survey waits for an action, by its name or its id.
func HasAction(objects []side.Object, name string) bool {
	m := Mapping{Actions: map[string]int64{name: 0}}
	return hasSurvey(objects, func(o side.Object) bool {
		for _, value := range actionsIn(o.Attributes["conditions"]) {
			action, _ := value.(map[string]any)
			if _, ok := m.action(action); ok {
				return true
			}
		}
		return false
	})
}

// HasCohort reports whether the targeting of a survey names a cohort.
func HasCohort(objects []side.Object, id string) bool {
	return hasSurvey(objects, func(o side.Object) bool {
		return refersTo(o, id, func(ids map[int64]int64) Mapping { return Mapping{Cohorts: ids} })
	})
}

func hasSurvey(objects []side.Object, matches func(side.Object) bool) bool {
	for _, o := range objects {
		if o.Kind == side.Survey && matches(o) {
			return true
		}
	}
	return false
}

// refersTo reports whether the targeting of a survey changes when an id is mapped to none.
func refersTo(o side.Object, id string, mapping func(map[int64]int64) Mapping) bool {
	number, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return false
	}
	filters := o.Attributes["targeting_flag_filters"]
	m := mapping(map[int64]int64{number: -1})
	return !reflect.DeepEqual(filters, withMappedIDs(filters, m.Cohorts, m.FlagIDs))
}

// mapped is an object of A with what it refers to in B: the keys of flags there, and the ids
// of actions and cohorts. A reference that was mapped is no difference.
func (p *planner) mapped(desired side.Object) side.Object {
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
		desired.Attributes["targeting_flag_filters"] = withMappedIDs(filters, p.Cohorts, p.FlagIDs)
	}
	if conditions := desired.Attributes["conditions"]; conditions != nil {
		desired.Attributes["conditions"] = withActionIDs(conditions, p.Actions)
	}
	return desired
}

// numbered is an object of B whose actions are compared by id, as those of mapped.
func (p *planner) numbered(o side.Object) side.Object {
	if p.SameProject || o.Attributes["conditions"] == nil {
		return o
	}
	o.Attributes = maps.Clone(o.Attributes)
	o.Attributes["conditions"] = withActionIDs(o.Attributes["conditions"], nil)
	return o
}

// withActionIDs reduces the actions in conditions to their ids, and replaces those that ids
// has.
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

// withMappedIDs is a copy of filters whose cohorts and flags have the ids of B. A cohort is
// the value of its property, a flag the key.
func withMappedIDs(filters any, cohorts, flagIDs map[int64]int64) any {
	switch value := filters.(type) {
	case []any:
		list := make([]any, len(value))
		for i, element := range value {
			list[i] = withMappedIDs(element, cohorts, flagIDs)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for key, member := range value {
			object[key] = withMappedIDs(member, cohorts, flagIDs)
		}
		switch object["type"] {
		case "cohort":
			object["value"] = idInB(object["value"], cohorts)
		case "flag":
			object["key"] = idInB(object["key"], flagIDs)
		}
		return object
	}
	return filters
}

// idInB is the id that stands in B for one of A, which may be a number or a text; the same if
// it is not mapped.
func idInB(id any, ids map[int64]int64) any {
	number, err := strconv.ParseInt(idText(id), 10, 64)
	if err != nil {
		return id
	}
	if here, ok := ids[number]; ok {
		return json.Number(strconv.FormatInt(here, 10))
	}
	return id
}
