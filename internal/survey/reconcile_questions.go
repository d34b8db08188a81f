package survey

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

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
