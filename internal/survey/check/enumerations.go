package check

import (
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

const longestName = 400

// checkName checks the length of a name. Like PostHog, it counts characters without surrounding white space.
func checkName(s candidate, findings *Findings) {
	if !attribute.IsKnown(s.Name) {
		return
	}
	switch length := utf8.RuneCountInString(strings.TrimSpace(s.Name.ValueString())); {
	case length == 0:
		findings.errorf(atAttribute("name"), missingName, "is empty. Every survey needs a name.")
	case length > longestName:
		findings.errorf(atAttribute("name"), nameTooLong, "has %d characters. The maximum is %d.", length, longestName)
	}
}

var (
	SurveyTypes    = attribute.NewEnumeration(api.Popover, api.Widget, api.ExternalSurvey, api.API)
	schedules      = attribute.NewEnumeration(api.Once, api.Recurring, api.Always)
	intervals      = attribute.NewEnumeration(api.Day, api.Week, api.Month)
	questionTypes  = attribute.NewEnumeration(api.Open, api.Link, api.Rating, api.SingleChoice, api.MultipleChoice)
	contentTypes   = attribute.NewEnumeration(api.Text, api.HTML)
	displays       = attribute.NewEnumeration(api.Number, api.Emoji)
	branchingTypes = attribute.NewEnumeration(api.NextQuestion, api.End, api.ResponseBased, api.SpecificQuestion)
)

// KnownValues returns the allowed values of attributes in a new survey, by attribute path without indexes.
func KnownValues() map[string][]string {
	return map[string][]string{
		"type": SurveyTypes.Values(), "schedule": schedules.Values(), "response_sampling_interval_type": intervals.Values(),
		"status":                             {survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted},
		"questions.type":                     questionTypes.Values(),
		"questions.description_content_type": contentTypes.Values(),
		"questions.display":                  displays.Values(),
		"questions.branching.type":           branchingTypes.Values(),
	}
}

// checkEnumerations rejects unsupported values that are not in the prior state.
func checkEnumerations(prior, planned candidate, findings *Findings) {
	check := func(p location, e attribute.Enumeration, value types.String, prior ...types.String) {
		if text := e.Unknown(value, prior); text != "" {
			findings.errorf(p, unknownValue.of(p.last()), "%s", text)
		}
	}
	check(atAttribute("type"), SurveyTypes, planned.Type, prior.Type)
	check(atAttribute("schedule"), schedules, planned.Schedule, prior.Schedule)
	check(atAttribute("response_sampling_interval_type"), intervals, planned.SamplingIntervalType, prior.SamplingIntervalType)

	var kinds, formats, shows, ways []types.String
	for _, question := range prior.Questions.List() {
		kinds = append(kinds, question.Type)
		formats = append(formats, question.DescriptionContentType)
		shows = append(shows, question.Display)
		ways = append(ways, branchingKind(question))
	}

	for i, question := range planned.Questions.List() {
		p := atQuestion(i)
		check(p.attribute("type"), questionTypes, question.Type, kinds...)
		check(p.attribute("description_content_type"), contentTypes, question.DescriptionContentType, formats...)
		check(p.attribute("display"), displays, question.Display, shows...)
		check(p.attribute("branching").attribute("type"), branchingTypes, branchingKind(question), ways...)
	}
}

func branchingKind(q survey.Question) types.String {
	way, _, _ := branchingParts(q)
	return way
}
