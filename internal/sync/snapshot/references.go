package snapshot

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// addReferences adds the actions, cohorts and insights that a survey refers to: a server
// that loads the snapshot refuses a survey with unknown ones.
func (b *Builder) addReferences(survey map[string]any) {
	if id, ok := survey["linked_insight_id"].(json.Number); ok {
		b.addNamed("insights", id, "")
	}

	conditions, _ := survey["conditions"].(map[string]any)
	actions, _ := conditions["actions"].(map[string]any)
	values, _ := actions["values"].([]any)
	for _, value := range values {
		action, _ := value.(map[string]any)
		if id, ok := action["id"].(json.Number); ok {
			name, _ := action["name"].(string)
			b.addNamed("actions", id, name)
		}
	}

	for _, role := range flagRoles {
		b.addCohorts(survey[role])
	}
}

// addCohorts adds the cohorts in the filters of a flag.
func (b *Builder) addCohorts(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			b.addCohorts(element)
		}
	case map[string]any:
		if id, ok := value["value"].(json.Number); ok && value["type"] == "cohort" {
			b.addNamed("cohorts", id, "")
		}
		for _, member := range value {
			b.addCohorts(member)
		}
	}
}

func (b *Builder) addNamed(list string, number json.Number, name string) {
	id, err := number.Int64()
	if err != nil {
		return // no object has an id that is not an integer
	}
	if b.named == nil {
		b.named = map[string]map[string]Named{}
	}
	if b.named[list] == nil {
		b.named[list] = map[string]Named{}
	}
	b.named[list][fmt.Sprintf("%020d", id)] = Named{ID: id, ProjectID: b.project, Name: name}
}

// sorted are the values in the order of their keys.
func sorted(all map[string]Named) []Named {
	var list []Named
	for _, key := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[key])
	}
	return list
}
