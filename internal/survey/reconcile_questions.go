package survey

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// questionsFromAPI reads the list of questions, each beside the prior question that
// it is: by place in the answer to a write, by id in the answer to a read.
func questionsFromAPI(field nullable.Nullable[[]json.RawMessage], prior types.List, a *attribute.Answer) (types.List, error) {
	switch {
	case !field.IsSpecified() && (prior.IsUnknown() || prior.IsNull()):
		return types.ListNull(questionType), nil
	case !field.IsSpecified():
		a.Missing = append(a.Missing, "questions")
		return prior, nil
	case field.IsNull():
		return reconcileList(types.ListNull(questionType), prior, a), nil
	}

	raws := field.MustGet()
	answered := make([]Question, len(raws))
	for i, raw := range raws {
		var err error
		if answered[i], err = questionFromAPI(raw); err != nil {
			return types.ListNull(questionType), fmt.Errorf("questions[%d]: %w", i, err)
		}
	}

	var diags diag.Diagnostics
	before, known := decodeQuestions(prior, &diags)
	switch {
	case !known:
	case a.IsWrite && len(before) != len(answered):
		return reconcileList(encodeQuestions(answered), prior, a), asError(diags)
	case a.IsWrite:
		for i := range answered {
			reconcileQuestion(&answered[i], before[i], i, a)
		}
	default:
		for i := range answered {
			if j := sameID(before, answered, i); j >= 0 {
				reconcileQuestion(&answered[i], before[j], i, a)
			}
		}
	}

	return encodeQuestions(answered), asError(diags)
}

// sameID is the place of the prior question that an answered one is, or -1: the one with
// its id, or without any id at its place.
func sameID(before, answered []Question, index int) int {
	if answered[index].ID.ValueString() == "" {
		if index < len(before) && before[index].ID.ValueString() == "" {
			return index
		}
		return -1
	}
	return slices.IndexFunc(before, func(q Question) bool { return q.ID.Equal(answered[index].ID) })
}

// reconcileList reconciles the list as a whole, where the answer has another number of
// questions than was planned.
func reconcileList(answered, prior types.List, a *attribute.Answer) types.List {
	if prior.IsNull() && answered.IsNull() {
		return answered
	}
	return attribute.Reconcile(a, "questions", answered, prior, false)
}

// reconcileQuestion reconciles every attribute of one question. Memory names a question by
// its id, which stays with it wherever it moves.
func reconcileQuestion(answered *Question, prior Question, index int, a *attribute.Answer) {
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

func asError(diags diag.Diagnostics) error {
	for _, one := range diags.Errors() {
		return fmt.Errorf("%s: %s", one.Summary(), one.Detail())
	}
	return nil
}
