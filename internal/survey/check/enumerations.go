package check

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

var (
	SurveyTypes    = attribute.EnumerationOf(api.Popover, api.Widget, api.ExternalSurvey, api.API)
	schedules      = attribute.EnumerationOf(api.Once, api.Recurring, api.Always)
	intervals      = attribute.EnumerationOf(api.Day, api.Week, api.Month)
	questionTypes  = attribute.EnumerationOf(api.Open, api.Link, api.Rating, api.SingleChoice, api.MultipleChoice)
	contentTypes   = attribute.EnumerationOf(api.Text, api.HTML)
	displays       = attribute.EnumerationOf(api.Number, api.Emoji)
	branchingTypes = attribute.EnumerationOf(api.NextQuestion, api.End, api.ResponseBased, api.SpecificQuestion)
)

// checkEnumerations refuses values outside the known sets, unless the prior state holds them.
func checkEnumerations(prior, planned candidate, found *Findings) {
	check := func(p location, e attribute.Enumeration, value types.String, prior ...types.String) {
		if text := e.Unknown(value, prior); text != "" {
			found.errorf(p, "Unknown "+p.last(), "%s", text)
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
	kind, ok := q.Branching.Attributes()["type"].(types.String)
	if !ok {
		return types.StringNull()
	}
	return kind
}
