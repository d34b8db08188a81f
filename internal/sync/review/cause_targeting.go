package review

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/reach"
)

// conditionsOfAPISurveys finds conditions of a survey that no SDK shows by itself.
func conditionsOfAPISurveys(s surveyFacts) []string {
	if s.Attributes["type"] != "api" || !s.isKnown("conditions") {
		return nil
	}
	var set []string
	for _, key := range []string{"url", "selector", "events", "actions"} {
		if s.isSet(key) {
			set = append(set, "conditions."+key)
		}
	}
	if len(set) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("your own code shows an api survey, and only getActiveMatchingSurveys of the web SDK asks for %s: "+
		"getSurveys and displaySurvey do not. Check the conditions in your code, or set type = \"popover\"", and(set))}
}

// namedFilters are the filters of a flag, and how the flag is named in a message.
type namedFilters struct {
	name    string
	filters any
	// isLinked is set for the flag of the feature that the survey is about.
	isLinked bool
}

// flagFilters are the filters of the flags that decide who sees a survey, as far as they are
// known: of flags by id only live sides and snapshots have them.
func (s surveyFacts) flagFilters() []namedFilters {
	var known []namedFilters
	if wire := s.SurveyResponse; wire != nil {
		if filters, ok := filtersOf(wire.LinkedFlag); ok {
			known = append(known, namedFilters{"the linked flag", filters, true})
		}
	}
	switch filters := s.Attributes["targeting_flag_filters"]; {
	case filters != nil:
		known = append(known, namedFilters{name: "targeting_flag_filters", filters: filters})
	case s.SurveyResponse != nil:
		if filters, ok := filtersOf(s.SurveyResponse.TargetingFlag); ok {
			known = append(known, namedFilters{name: "the targeting flag", filters: filters})
		}
	}
	return known
}

func filtersOf(field nullable.Nullable[api.FeatureFlag]) (any, bool) {
	flag, err := field.Get()
	if err != nil || flag.Filters == nil {
		return nil, false
	}
	text, err := json.Marshal(flag.Filters)
	if err != nil {
		return nil, false
	}
	filters, err := jsonvalue.Decode(text)
	return filters, err == nil
}

// flagsOfGroups finds flags that are on for a group, and off for whoever belongs to none.
func flagsOfGroups(s surveyFacts) []string {
	var messages []string
	for _, flag := range s.flagFilters() {
		if types := groupTypes(flag.filters); len(types) > 0 {
			messages = append(messages, fmt.Sprintf("%s asks for groups of type %s, so an app that has not called posthog.group() for it "+
				"shows the survey to nobody. Call it before the survey is due, or target persons", flag.name, and(types)))
		}
	}
	return messages
}

// groupTypes are the group types of filters whose groups are all for group types.
func groupTypes(filters any) []string {
	fields, _ := filters.(map[string]any)
	common := fields["aggregation_group_type_index"]
	groups, _ := fields["groups"].([]any)
	var types []string
	for _, element := range groups {
		group, _ := element.(map[string]any)
		index, isOwn := group["aggregation_group_type_index"]
		if !isOwn {
			index = common
		}
		if index == nil {
			return nil
		}
		if name := jsonvalue.String(index); !slices.Contains(types, name) {
			types = append(types, name)
		}
	}
	return types
}

// nobodyMatches finds targeting that lets nobody in. Of a draft the linked flag is left out: it
// is often let out together with the survey.
func nobodyMatches(s surveyFacts) []string {
	var messages []string
	for _, flag := range s.flagFilters() {
		if flag.isLinked && !s.isRunning() {
			continue
		}
		if why, certain := reach.Nobody(flag.filters); certain {
			messages = append(messages, fmt.Sprintf("nobody can match %s: %s", flag.name, why))
		}
	}
	return messages
}
