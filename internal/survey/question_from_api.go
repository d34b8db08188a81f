package survey

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

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

// questionsFromAPI converts the list of questions. Each is reconciled with the matching
// prior question: by position in the response to a write, by id in that to a read.
func questionsFromAPI(field nullable.Nullable[[]json.RawMessage], prior Questions, a *attribute.Response) (Questions, error) {
	switch {
	case !field.IsSpecified() && (prior.IsUnknown() || prior.IsNull()):
		return Questions{}, nil
	case !field.IsSpecified():
		a.Missing = append(a.Missing, "questions")
		return prior, nil
	case field.IsNull():
		return attribute.Reconcile(a, "questions", Questions{}, prior, false), nil
	}

	raws := field.MustGet()
	answered := make([]Question, len(raws))
	for i, raw := range raws {
		var err error
		if answered[i], err = QuestionFromAPI(raw); err != nil {
			return Questions{}, fmt.Errorf("questions[%d]: %w", i, err)
		}
	}

	before, known := prior.Known()
	switch {
	case !known:
	case a.IsWrite && len(before) != len(answered):
		return attribute.Reconcile(a, "questions", NewQuestions(answered), prior, false), nil
	case a.IsWrite:
		for i := range answered {
			ReconcileQuestion(&answered[i], before[i], i, a)
		}
	default:
		for i := range answered {
			if j := SameID(before, answered, i); j >= 0 {
				ReconcileQuestion(&answered[i], before[j], i, a)
			}
		}
	}

	return NewQuestions(answered), nil
}

// SameID is the index of the prior question that a returned one matches, or -1: the one
// with its id, or one without an id at its position.
func SameID(before, answered []Question, index int) int {
	if answered[index].ID.ValueString() == "" {
		if index < len(before) && before[index].ID.ValueString() == "" {
			return index
		}
		return -1
	}
	return slices.IndexFunc(before, func(q Question) bool { return q.ID.Equal(answered[index].ID) })
}

// ReconcileQuestion reconciles every attribute of a question. The normalization memory
// refers to a question by its id, which stays the same wherever the question moves.
func ReconcileQuestion(answered *Question, prior Question, index int, a *attribute.Response) {
	prefix := "questions/" + answered.ID.ValueString()
	if answered.ID.ValueString() == "" {
		prefix = fmt.Sprintf("questions/%d", index)
	}

	if a.IsWrite && prior.ID.Equal(types.StringValue("")) {
		answered.ID = prior.ID // the configuration leaves it to the service
	}

	// In one order always: it is the order in which a warning names what changed.
	for _, one := range []struct {
		name            string
		answered, prior *types.String
	}{
		{"id", &answered.ID, &prior.ID}, {"type", &answered.Type, &prior.Type}, {"question", &answered.Question, &prior.Question},
		{"description", &answered.Description, &prior.Description},
		{"description_content_type", &answered.DescriptionContentType, &prior.DescriptionContentType},
		{"button_text", &answered.ButtonText, &prior.ButtonText}, {"link", &answered.Link, &prior.Link},
		{"display", &answered.Display, &prior.Display}, {"lower_bound_label", &answered.LowerBoundLabel, &prior.LowerBoundLabel},
		{"upper_bound_label", &answered.UpperBoundLabel, &prior.UpperBoundLabel},
	} {
		// A GET of the hosted service leaves out a link that is empty.
		isEmptyLink := one.name == "link" && one.answered.ValueString() == "" && one.prior.ValueString() == ""
		*one.answered = attribute.Reconcile(a, prefix+"/"+one.name, *one.answered, *one.prior, isEmptyLink)
	}

	for _, one := range []struct {
		name            string
		answered, prior *types.Bool
	}{
		{"optional", &answered.Optional, &prior.Optional}, {"is_nps_question", &answered.IsNPSQuestion, &prior.IsNPSQuestion},
		{"shuffle_options", &answered.ShuffleOptions, &prior.ShuffleOptions}, {"has_open_choice", &answered.HasOpenChoice, &prior.HasOpenChoice},
		{"skip_submit_button", &answered.SkipSubmitButton, &prior.SkipSubmitButton},
	} {
		*one.answered = attribute.Reconcile(a, prefix+"/"+one.name, *one.answered, *one.prior, false)
	}

	answered.Branching = attribute.Reconcile(a, prefix+"/branching", answered.Branching, prior.Branching, false)
	answered.Scale = attribute.Reconcile(a, prefix+"/scale", answered.Scale, prior.Scale, false)
	answered.Choices = attribute.Reconcile(a, prefix+"/choices", answered.Choices, prior.Choices, false)
	answered.Validation = attribute.Reconcile(a, prefix+"/validation", answered.Validation, prior.Validation, false)
	answered.Translations = attribute.Reconcile(a, prefix+"/translations", answered.Translations, prior.Translations,
		attribute.EquivalentJSON(answered.Translations.ValueString(), prior.Translations.ValueString()))
	answered.Extra = attribute.Reconcile(a, prefix+"/extra", answered.Extra, prior.Extra,
		attribute.EquivalentJSON(extraObject(answered.Extra), extraObject(prior.Extra)))
}

// extraObject is extra as an object: null is one without keys.
func extraObject(extra jsontypes.Normalized) string {
	if extra.IsNull() {
		return "{}"
	}
	return extra.ValueString()
}
