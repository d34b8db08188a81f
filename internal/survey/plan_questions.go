package survey

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// planQuestions plans the list of questions: each planned question takes what the
// configuration leaves open from the prior question that it is, wherever that
// stood. Terraform itself would take it from the same place in the list.
type planQuestions struct{}

// Description implements planmodifier.Describer.
func (planQuestions) Description(context.Context) string {
	return "Questions keep their ids through reordering, insertion and edits."
}

// MarkdownDescription implements planmodifier.Describer.
func (p planQuestions) MarkdownDescription(ctx context.Context) string { return p.Description(ctx) }

// PlanModifyList implements planmodifier.List.
func (planQuestions) PlanModifyList(ctx context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if req.ConfigValue.IsNull() {
		return
	}
	config, ok := questions(req.ConfigValue, &resp.Diagnostics)
	planned, okPlan := questions(req.PlanValue, &resp.Diagnostics)
	prior, okPrior := questions(req.StateValue, &resp.Diagnostics)
	if !ok || !okPlan || !okPrior {
		return
	}
	for i, j := range match(prior, config) {
		if j < 0 {
			planned[i].ID = orUnknown(config[i].ID)
			planned[i].Extra = config[i].Extra
			continue
		}
		settleQuestion(&planned[i], config[i], prior[j], i == j)
	}
	resp.PlanValue = questionList(planned)
}

func orUnknown(id types.String) types.String {
	if id.IsNull() {
		return types.StringUnknown()
	}
	return id
}

// settleQuestion fills what the configuration leaves open from the prior question.
// inPlace says that it stands where it stood: only there may Terraform be answered
// with the prior spelling of a configured value.
func settleQuestion(planned *Question, config, prior Question, inPlace bool) {
	if config.ID.IsNull() {
		planned.ID = prior.ID
	}
	for _, one := range []struct {
		planned       *types.String
		config, prior types.String
	}{
		{&planned.Description, config.Description, prior.Description},
		{&planned.DescriptionContentType, config.DescriptionContentType, prior.DescriptionContentType},
		{&planned.ButtonText, config.ButtonText, prior.ButtonText},
		{&planned.Link, config.Link, prior.Link},
		{&planned.Display, config.Display, prior.Display},
		{&planned.LowerBoundLabel, config.LowerBoundLabel, prior.LowerBoundLabel},
		{&planned.UpperBoundLabel, config.UpperBoundLabel, prior.UpperBoundLabel},
	} {
		leaveNothing(one.planned, one.config, one.prior)
		if inPlace {
			keepCleaned(one.planned, one.config, one.prior)
		}
	}
	if inPlace {
		keepCleaned(&planned.Question, config.Question, prior.Question)
		planned.Choices = keepCleanedChoices(planned.Choices, config.Choices, prior.Choices)
	}
	leaveNothing(&planned.Optional, config.Optional, prior.Optional)
	leaveNothing(&planned.IsNPSQuestion, config.IsNPSQuestion, prior.IsNPSQuestion)
	leaveNothing(&planned.ShuffleOptions, config.ShuffleOptions, prior.ShuffleOptions)
	leaveNothing(&planned.HasOpenChoice, config.HasOpenChoice, prior.HasOpenChoice)
	leaveNothing(&planned.SkipSubmitButton, config.SkipSubmitButton, prior.SkipSubmitButton)
	leaveNothing(&planned.Choices, config.Choices, prior.Choices)
	leaveNothing(&planned.Validation, config.Validation, prior.Validation)
	planned.Translations = settleJSON(config.Translations, prior.Translations, inPlace, sameJSONMarkup)
	planned.Extra = settleJSON(config.Extra, prior.Extra, inPlace, attribute.SameJSON)
	if config.Extra.IsNull() {
		planned.Extra = withoutConfigured(prior.Extra, config)
	}
}

// leaveNothing keeps a prior "", false or empty list on which the configuration is
// silent: null in its place would be a change of nothing.
func leaveNothing[T attr.Value](planned *T, config, prior T) {
	if config.IsNull() && attribute.IsNothing(prior) {
		*planned = prior
	}
}

func settleJSON(config, prior jsontypes.Normalized, inPlace bool, same attribute.Equivalent) jsontypes.Normalized {
	known := !config.IsNull() && !config.IsUnknown() && !prior.IsNull()
	if inPlace && known && same(prior.ValueString(), config.ValueString()) {
		return prior
	}
	return config
}

// withoutConfigured drops the keys from a kept extra that the configuration now
// sets by their attribute: an explicit null, say, that got a value.
func withoutConfigured(extra jsontypes.Normalized, config Question) jsontypes.Normalized {
	var keys map[string]json.RawMessage
	if extra.IsNull() || json.Unmarshal([]byte(extra.ValueString()), &keys) != nil {
		return extra
	}
	dropped := false
	for key, value := range config.byWireName() {
		if _, ok := keys[key]; ok && !value.IsNull() {
			delete(keys, key)
			dropped = true
		}
	}
	switch {
	case !dropped:
		return extra
	case len(keys) == 0:
		return attribute.NullJSON
	}
	return object(keys)
}

// byWireName gives the attributes of a question under the names of the wire.
func (q Question) byWireName() map[string]attr.Value {
	return map[string]attr.Value{
		"id": q.ID, "type": q.Type, "question": q.Question, "description": q.Description,
		"descriptionContentType": q.DescriptionContentType, "optional": q.Optional,
		"buttonText": q.ButtonText, "branching": q.Branching, "link": q.Link, "display": q.Display,
		"scale": q.Scale, "lowerBoundLabel": q.LowerBoundLabel, "upperBoundLabel": q.UpperBoundLabel,
		"isNpsQuestion": q.IsNPSQuestion, "choices": q.Choices, "shuffleOptions": q.ShuffleOptions,
		"hasOpenChoice": q.HasOpenChoice, "skipSubmitButton": q.SkipSubmitButton,
		"validation": q.Validation, "translations": q.Translations,
	}
}
