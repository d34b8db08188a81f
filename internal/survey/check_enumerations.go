package survey

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

var (
	surveyTypes    = attribute.EnumerationOf(api.Popover, api.Widget, api.ExternalSurvey, api.API)
	schedules      = attribute.EnumerationOf(api.Once, api.Recurring, api.Always)
	intervals      = attribute.EnumerationOf(api.Day, api.Week, api.Month)
	questionTypes  = attribute.EnumerationOf(api.Open, api.Link, api.Rating, api.SingleChoice, api.MultipleChoice)
	contentTypes   = attribute.EnumerationOf(api.Text, api.HTML)
	displays       = attribute.EnumerationOf(api.Number, api.Emoji)
	branchingTypes = attribute.EnumerationOf(api.NextQuestion, api.End, api.ResponseBased, api.SpecificQuestion)
)

// checkEnumerations refuses values outside the known sets, unless the prior state holds them.
func checkEnumerations(prior, planned candidate, diags *diag.Diagnostics) {
	surveyTypes.Check(path.Root("type"), planned.Type, []types.String{prior.Type}, diags)
	schedules.Check(path.Root("schedule"), planned.Schedule, []types.String{prior.Schedule}, diags)
	intervals.Check(path.Root("response_sampling_interval_type"), planned.SamplingIntervalType, []types.String{prior.SamplingIntervalType}, diags)

	var kinds, formats, shows, ways []types.String
	for _, question := range prior.questionList {
		kinds = append(kinds, question.Type)
		formats = append(formats, question.DescriptionContentType)
		shows = append(shows, question.Display)
		ways = append(ways, branchingKind(question))
	}

	for i, question := range planned.questionList {
		at := path.Root("questions").AtListIndex(i)
		questionTypes.Check(at.AtName("type"), question.Type, kinds, diags)
		contentTypes.Check(at.AtName("description_content_type"), question.DescriptionContentType, formats, diags)
		displays.Check(at.AtName("display"), question.Display, shows, diags)
		branchingTypes.Check(at.AtName("branching").AtName("type"), branchingKind(question), ways, diags)
	}
}

func branchingKind(q Question) types.String {
	kind, ok := q.Branching.Attributes()["type"].(types.String)
	if !ok {
		return types.StringNull()
	}
	return kind
}
