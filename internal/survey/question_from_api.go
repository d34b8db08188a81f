package survey

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// QuestionFromAPI converts a question. Everything that the typed attributes cannot hold
// goes to extra, so that nothing is lost: unknown keys, known keys with a value of another
// type, and explicit nulls.
func QuestionFromAPI(raw json.RawMessage) (Question, error) {
	wire, extra, err := decodeQuestion(raw)
	if err != nil {
		return Question{}, err
	}

	q := Question{
		ID:                     attribute.StringOf(wire.ID),
		Type:                   attribute.StringOf(wire.Type),
		Question:               attribute.StringOf(wire.Question),
		Description:            attribute.StringOf(wire.Description),
		DescriptionContentType: attribute.StringOf(wire.DescriptionContentType),
		Optional:               attribute.BoolOf(wire.Optional),
		ButtonText:             attribute.StringOf(wire.ButtonText),
		Link:                   attribute.StringOf(wire.Link),
		Display:                attribute.StringOf(wire.Display),
		LowerBoundLabel:        attribute.StringOf(wire.LowerBoundLabel),
		UpperBoundLabel:        attribute.StringOf(wire.UpperBoundLabel),
		IsNPSQuestion:          attribute.BoolOf(wire.IsNpsQuestion),
		ShuffleOptions:         attribute.BoolOf(wire.ShuffleOptions),
		HasOpenChoice:          attribute.BoolOf(wire.HasOpenChoice),
		SkipSubmitButton:       attribute.BoolOf(wire.SkipSubmitButton),
		Choices:                attribute.StringListOf(wire.Choices),
		Translations:           jsontypes.NewNormalizedNull(),
	}

	q.Scale, _ = attribute.NumberOf(wire.Scale)
	q.Branching, _ = branchingFromAPI(wire.Branching)
	q.Validation, _ = validationFromAPI(wire.Validation)
	if translations, err := wire.Translations.Get(); err == nil {
		q.Translations = attribute.JSON(translations)
	}

	q.Extra, err = extraFromAPI(extra)
	return q, err
}

// decodeQuestion splits a question into the part that the contract's type can hold and the
// rest, which is kept as it is.
func decodeQuestion(raw json.RawMessage) (api.SurveyQuestion, map[string]json.RawMessage, error) {
	// Nearly every question fits the type, so its keys are not tried one by one. No
	// attribute can hold an explicit null.
	if !bytes.Contains(raw, []byte("null")) {
		if wire, fits := typedQuestion(raw); fits {
			return wire, map[string]json.RawMessage{}, nil
		}
	}

	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil || keys == nil {
		return api.SurveyQuestion{}, nil, fmt.Errorf("a question is not an object: %.80s", raw)
	}

	extra := map[string]json.RawMessage{}
	for key, value := range keys {
		if !Typed(key, value) {
			extra[key] = value
			delete(keys, key)
		}
	}

	var wire api.SurveyQuestion
	rest, err := json.Marshal(keys)
	if err == nil {
		err = json.Unmarshal(rest, &wire)
	}
	return wire, extra, err
}

// Typed reports whether an attribute of the question can hold the value of a key
// without loss.
func Typed(key string, value json.RawMessage) bool {
	if attribute.IsJSONNull(value) {
		return false
	}
	one, err := json.Marshal(map[string]json.RawMessage{key: value})
	if err != nil {
		return false
	}
	_, fits := typedQuestion(one)
	return fits
}

// typedQuestion decodes an object, and reports whether the attributes of a question can
// hold all of it without loss.
func typedQuestion(raw json.RawMessage) (api.SurveyQuestion, bool) {
	var wire api.SurveyQuestion
	if json.Unmarshal(raw, &wire) != nil || len(wire.AdditionalProperties) > 0 {
		return api.SurveyQuestion{}, false
	}

	// A null in a list of strings would have been decoded as an empty string.
	back, err := json.Marshal(wire)
	if err != nil || !attribute.SameJSON(string(raw), string(back)) {
		return api.SurveyQuestion{}, false
	}

	_, scale := attribute.NumberOf(wire.Scale)
	_, branching := branchingFromAPI(wire.Branching)
	_, validation := validationFromAPI(wire.Validation)
	return wire, scale && branching && validation
}

// branchingFromAPI returns false for an object that the attribute cannot hold
// without loss, such as one with an undocumented key.
func branchingFromAPI(field nullable.Nullable[api.SurveyBranching]) (types.Object, bool) {
	null := types.ObjectNull(BranchingType.AttrTypes)
	wire, err := field.Get()
	if err != nil {
		return null, !field.IsSpecified()
	}

	if wire.Index.IsNull() || wire.Type.IsNull() || !wire.Type.IsSpecified() || len(wire.AdditionalProperties) > 0 {
		return null, false
	}

	values := types.MapNull(types.StringType)
	if wire.ResponseValues.IsSpecified() {
		targets, err := wire.ResponseValues.Get()
		if err != nil || targets == nil {
			return null, false
		}
		elements := map[string]attr.Value{}
		for key, target := range targets {
			elements[key] = types.StringValue(targetFromAPI(target))
		}
		values = types.MapValueMust(types.StringType, elements)
	}

	return types.ObjectValueMust(BranchingType.AttrTypes, map[string]attr.Value{
		"type": attribute.StringOf(wire.Type), "index": attribute.Int64Of(wire.Index), "response_values": values,
	}), true
}

// targetFromAPI converts a branching target to text: a string to itself, an integer to its
// digits, and anything ambiguous to its JSON.
func targetFromAPI(raw json.RawMessage) string {
	var word string
	if json.Unmarshal(raw, &word) == nil && !attribute.IsJSONNull(raw) && !json.Valid([]byte(word)) && word != "" {
		return word
	}
	return attribute.JSON(raw).ValueString()
}

func validationFromAPI(field nullable.Nullable[[]api.SurveyQuestionValidation]) (types.List, bool) {
	null := types.ListNull(ValidationRuleType)
	rules, err := field.Get()
	if err != nil {
		return null, !field.IsSpecified()
	}

	elements := make([]attr.Value, 0, len(rules))
	for _, rule := range rules {
		if !rule.Type.IsSpecified() || rule.Type.IsNull() || rule.Value.IsNull() || len(rule.AdditionalProperties) > 0 {
			return null, false
		}
		elements = append(elements, types.ObjectValueMust(ValidationRuleType.AttrTypes, map[string]attr.Value{
			"type": attribute.StringOf(rule.Type), "value": attribute.Int64Of(rule.Value),
		}))
	}

	return types.ListValueMust(ValidationRuleType, elements), true
}

func extraFromAPI(extra map[string]json.RawMessage) (jsontypes.Normalized, error) {
	if len(extra) == 0 {
		return jsontypes.NewNormalizedNull(), nil
	}
	raw, err := json.Marshal(extra)
	if err != nil {
		return jsontypes.NewNormalizedNull(), err
	}
	return attribute.JSON(raw), nil
}
