package survey

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// An enumeration of the contract, and how a value is checked against it.
type enumeration struct {
	valid func(string) bool
	known []string
}

func values[T interface {
	~string
	Valid() bool
}](known ...T) enumeration {
	words := make([]string, len(known))
	for i, value := range known {
		words[i] = string(value)
	}
	return enumeration{valid: func(s string) bool { return T(s).Valid() }, known: words}
}

var (
	surveyTypes    = values(api.Popover, api.Widget, api.ExternalSurvey, api.API)
	schedules      = values(api.Once, api.Recurring, api.Always)
	intervals      = values(api.Day, api.Week, api.Month)
	questionTypes  = values(api.Open, api.Link, api.Rating, api.SingleChoice, api.MultipleChoice)
	contentTypes   = values(api.Text, api.HTML)
	displays       = values(api.Number, api.Emoji)
	branchingTypes = values(api.NextQuestion, api.End, api.ResponseBased, api.SpecificQuestion)
)

// check says at plan that a value is outside the known set, unless the prior state
// holds it: what the service itself returned is accepted, so that objects of a
// newer service can be imported and kept.
func (e enumeration) check(at path.Path, value types.String, prior map[string]bool, diags *diag.Diagnostics) {
	word := value.ValueString()
	if value.IsNull() || value.IsUnknown() || e.valid(word) || prior[word] {
		return
	}
	diags.AddAttributeError(at, fmt.Sprintf("Unknown %s", last(at)),
		fmt.Sprintf("%s is %q. Known are: %s.", at, word, strings.Join(e.known, ", ")))
}

func last(at path.Path) string {
	steps := at.Steps()
	name, _ := steps[len(steps)-1].(path.PathStepAttributeName)
	return string(name)
}

func checkKnown(ctx context.Context, planned, prior Fields, diags *diag.Diagnostics) {
	had := func(values ...types.String) map[string]bool {
		set := map[string]bool{}
		for _, value := range values {
			set[value.ValueString()] = true
		}
		return set
	}
	surveyTypes.check(path.Root("type"), planned.Type, had(prior.Type), diags)
	schedules.check(path.Root("schedule"), planned.Schedule, had(prior.Schedule), diags)
	intervals.check(path.Root("response_sampling_interval_type"), planned.SamplingIntervalType, had(prior.SamplingIntervalType), diags)
	list, ok := questions(ctx, planned.Questions, diags)
	before, okPrior := questions(ctx, prior.Questions, diags)
	if !ok || !okPrior {
		return
	}
	kinds, formats, shows, ways := had(), had(), had(), had()
	for _, question := range before {
		kinds[question.Type.ValueString()] = true
		formats[question.DescriptionContentType.ValueString()] = true
		shows[question.Display.ValueString()] = true
		ways[branchingKind(question).ValueString()] = true
	}
	for i, question := range list {
		at := path.Root("questions").AtListIndex(i)
		questionTypes.check(at.AtName("type"), question.Type, kinds, diags)
		contentTypes.check(at.AtName("description_content_type"), question.DescriptionContentType, formats, diags)
		displays.check(at.AtName("display"), question.Display, shows, diags)
		branchingTypes.check(at.AtName("branching").AtName("type"), branchingKind(question), ways, diags)
	}
}

func branchingKind(q Question) types.String {
	kind, ok := q.Branching.Attributes()["type"].(types.String)
	if !ok {
		return types.StringNull()
	}
	return kind
}

// checkExtra refuses keys in a configured extra that have an attribute of their
// own: the service's answer would fill that attribute, against the configuration.
func checkExtra(ctx context.Context, config Fields, diags *diag.Diagnostics) {
	list, ok := questions(ctx, config.Questions, diags)
	if !ok {
		return
	}
	for i, question := range list {
		var keys map[string]json.RawMessage
		if question.Extra.IsNull() || question.Extra.IsUnknown() || json.Unmarshal([]byte(question.Extra.ValueString()), &keys) != nil {
			continue
		}
		own := question.byWireName()
		for key, value := range keys {
			set, isOwn := own[key]
			if isOwn && (typed(key, value) || !set.IsNull()) {
				at := path.Root("questions").AtListIndex(i).AtName("extra")
				diags.AddAttributeError(at, "A key of extra has an attribute of its own",
					fmt.Sprintf("%s holds %q, which is an attribute of the question. Set the attribute and take the key out of extra.", at, key))
			}
		}
	}
}
