package review

import (
	"encoding/json"
	"fmt"
	"slices"
)

// behavioralCohorts finds cohorts that the service cannot decide about when an app asks for
// flags: whoever they are to choose is not let in.
func behavioralCohorts(s surveyFacts) []string {
	if s.options.Cohort == nil {
		return nil
	}
	var messages []string
	for _, flag := range s.flagFilters() {
		for _, id := range cohortIDs(flag.filters) {
			if cohort, known := s.options.Cohort(id); known && cohort.IsBehavioral {
				messages = append(messages, fmt.Sprintf("%s asks for cohort %d %q, which depends on what people did: a flag cannot decide that when the app asks, "+
					"so the groups with this cohort let nobody in. Target a static copy of the cohort", flag.name, id, cohort.Name))
			}
		}
	}
	return messages
}

// cohortIDs are the cohorts that the groups of filters name.
func cohortIDs(filters any) []int64 {
	fields, _ := filters.(map[string]any)
	groups, _ := fields["groups"].([]any)
	var ids []int64
	for _, element := range groups {
		group, _ := element.(map[string]any)
		properties, _ := group["properties"].([]any)
		for _, element := range properties {
			property, _ := element.(map[string]any)
			number, _ := property["value"].(json.Number)
			id, err := number.Int64()
			if property["type"] == "cohort" && err == nil && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
