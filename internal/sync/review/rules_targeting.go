package review

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/audience"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

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
		if why := audience.NewFlag(audience.Definition{Filters: flag.filters}).Nobody(); why != "" {
			messages = append(messages, flag.name+" "+why)
		}
	}
	return messages
}

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

// neverShown finds settings that no page and no person can meet.
func neverShown(s surveyFacts) []string {
	var messages []string
	for _, finding := range s.asked().Never() {
		messages = append(messages, finding.Text)
	}
	return messages
}

// isForEverybody reports whether a popover runs that is restricted neither by targeting nor by
// conditions, nor by one of some other attributes. People open the other types by themselves: a
// widget, the page of an external survey, or what an app makes of an api survey.
func (s surveyFacts) isForEverybody(others ...string) bool {
	if !s.isRunning() || s.Attributes["type"] != "popover" || !s.isKnown("conditions") || !restrictsNobody(s.Attributes["response_sampling_limit"]) {
		return false
	}
	for _, attribute := range append(others, "targeting_flag_id", "targeting_flag_filters", "linked_flag_id") {
		if !restrictsNobody(s.Attributes[attribute]) || !s.isKnown(attribute) {
			return false
		}
	}
	return !slices.ContainsFunc([]string{"url", "selector", "events", "actions", "deviceTypes", "linkedFlagVariant"}, s.isSet)
}

// unbounded finds running popovers that everybody is asked, for ever or for years.
func unbounded(s surveyFacts) []string {
	const days = 2 * 365
	ends := numberOf(s.Attributes["iteration_count"]) > 0 && numberOf(s.Attributes["iteration_count"])*numberOf(s.Attributes["iteration_frequency_days"]) <= days
	if ends || !s.isForEverybody("responses_limit", "end_date") {
		return nil
	}
	return []string{"it runs without a response limit, an end date, targeting or conditions that restrict who sees it"}
}

// manyIterations finds popovers that ask everybody again within days, more than a few times.
func manyIterations(s surveyFacts) []string {
	const few, week = 4, 7
	count, every := numberOf(s.Attributes["iteration_count"]), numberOf(s.Attributes["iteration_frequency_days"])
	if count <= few || every >= week || !s.isForEverybody() {
		return nil
	}
	return []string{fmt.Sprintf("everybody is asked %g times, every %g days: people stop answering, or leave. Set a longer iteration_frequency_days, fewer iterations, or targeting", count, every)}
}
