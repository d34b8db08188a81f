package survey

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// PlanQuestion fills in omitted values from the prior question. inPlace is set for a
// question that has not moved: only there does Terraform accept an equivalent prior value
// for a configured one.
func PlanQuestion(planned *Question, config, prior Question, inPlace bool) {
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
		keepEmptyPrior(one.planned, one.config, one.prior)
		if inPlace {
			keepEquivalentMarkup(one.planned, one.config, one.prior)
		}
	}

	if inPlace {
		keepEquivalentMarkup(&planned.Question, config.Question, prior.Question)
		planned.Choices = keepEquivalentChoices(planned.Choices, config.Choices, prior.Choices)
	}

	keepEmptyPrior(&planned.Optional, config.Optional, prior.Optional)
	keepEmptyPrior(&planned.IsNPSQuestion, config.IsNPSQuestion, prior.IsNPSQuestion)
	keepEmptyPrior(&planned.ShuffleOptions, config.ShuffleOptions, prior.ShuffleOptions)
	keepEmptyPrior(&planned.HasOpenChoice, config.HasOpenChoice, prior.HasOpenChoice)
	keepEmptyPrior(&planned.SkipSubmitButton, config.SkipSubmitButton, prior.SkipSubmitButton)
	keepEmptyPrior(&planned.Choices, config.Choices, prior.Choices)
	keepEmptyPrior(&planned.Validation, config.Validation, prior.Validation)

	planned.Translations = keepEquivalentJSON(config.Translations, prior.Translations, inPlace, SameJSONMarkup)
	planned.Extra = keepEquivalentJSON(config.Extra, prior.Extra, inPlace, attribute.EquivalentJSON)
	if config.Extra.IsNull() {
		planned.Extra = withoutConfigured(prior.Extra, config)
	}
}

// keepEmptyPrior keeps a prior "", false or empty list that the configuration omits: null
// would be a change without an effect.
func keepEmptyPrior[T attr.Value](planned *T, config, prior T) {
	if config.IsNull() && attribute.IsEmpty(prior) {
		*planned = prior
	}
}

func keepEquivalentJSON(config, prior jsontypes.Normalized, inPlace bool, same attribute.Equivalent) jsontypes.Normalized {
	known := !config.IsNull() && !config.IsUnknown() && !prior.IsNull()
	if inPlace && known && same(prior.ValueString(), config.ValueString()) {
		return prior
	}
	return config
}

// withoutConfigured drops the keys of extra that the configuration now sets by their
// attribute, such as an explicit null.
func withoutConfigured(extra jsontypes.Normalized, config Question) jsontypes.Normalized {
	var keys map[string]json.RawMessage
	if extra.IsNull() || json.Unmarshal([]byte(extra.ValueString()), &keys) != nil {
		return extra
	}

	dropped := false
	for key, value := range config.ByWireName() {
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
	return attribute.RawObject(keys)
}

// ByWireName returns the attributes of a question by their names on the wire.
func (q Question) ByWireName() map[string]attr.Value {
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
