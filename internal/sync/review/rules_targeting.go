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

// nobodyMatches finds targeting that matches no one. It requires the flags' filters: if a flag is referenced
// by ID, only live sources and snapshots contain its filters. For a draft, the rule ignores the linked
// flag, because it is often rolled out together with the survey.
func nobodyMatches(s surveyFacts) []string {
	var messages []string
	check := func(name string, filters any) {
		if reason := audience.NewFlag(audience.Definition{Filters: filters}).Nobody(); reason != "" {
			messages = append(messages, name+" "+reason)
		}
	}
	wire := s.SurveyResponse
	if wire != nil && s.isRunning() {
		if filters, ok := decodeFilters(wire.LinkedFlag); ok {
			check("the linked flag", filters)
		}
	}
	if filters := s.Attributes["targeting_flag_filters"]; filters != nil {
		check("targeting_flag_filters", filters)
	} else if wire != nil {
		if filters, ok := decodeFilters(wire.TargetingFlag); ok {
			check("the targeting flag", filters)
		}
	}
	return messages
}

func decodeFilters(field nullable.Nullable[api.FeatureFlag]) (any, bool) {
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

// checkVisibility finds settings that no page or person can satisfy.
func checkVisibility(s surveyFacts) []string {
	var messages []string
	for _, finding := range append(s.neverShown(), s.audienceSurvey().IgnoredTriggers()...) {
		messages = append(messages, finding.Text)
	}
	return messages
}

// hidesAll finds settings that cause an exception in posthog-js.
func hidesAll(s surveyFacts) []string {
	var messages []string
	for _, hiding := range s.audienceSurvey().HidesAll() {
		messages = append(messages, hiding.Attribute+"."+hiding.String())
	}
	return messages
}

// hiders finds other running surveys that cause an exception in posthog-js, which prevents posthog-js from
// showing this survey.
func hiders(s surveyFacts) []string {
	if s.Attributes["type"] == audience.External {
		return nil
	}
	var messages []string
	for _, survey := range s.others() {
		if !survey.isRunning() {
			continue
		}
		for _, message := range hidesAll(survey) {
			messages = append(messages, fmt.Sprintf("survey %q hides it: %s", survey.Name, message))
		}
	}
	return messages
}

// isForEverybody reports whether a popover is running without targeting, conditions, and the given
// attributes. It returns false for other types, because people open them on purpose: widgets, external
// survey pages, and api surveys in apps.
func (s surveyFacts) isForEverybody(attributes ...string) bool {
	if !s.isRunning() || s.Attributes["type"] != "popover" || !s.isKnown("conditions") || !audience.RestrictsNobody(s.Attributes["response_sampling_limit"]) {
		return false
	}
	for _, attribute := range append(attributes, "targeting_flag_id", "targeting_flag_filters", "linked_flag_id") {
		if !audience.RestrictsNobody(s.Attributes[attribute]) || !s.isKnown(attribute) {
			return false
		}
	}
	return !slices.ContainsFunc([]string{"url", "selector", "events", "actions", "deviceTypes", "linkedFlagVariant"}, s.isSet)
}
