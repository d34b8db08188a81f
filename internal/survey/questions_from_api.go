package survey

import (
	"encoding/json"
	"fmt"
	"slices"

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
		return settleList(types.ListNull(questionType), prior, a), nil
	}
	raws := field.MustGet()
	told := make([]Question, len(raws))
	for i, raw := range raws {
		var err error
		if told[i], err = questionFromAPI(raw); err != nil {
			return types.ListNull(questionType), fmt.Errorf("questions[%d]: %w", i, err)
		}
	}
	var diags diag.Diagnostics
	before, known := questions(prior, &diags)
	switch {
	case !known:
	case a.IsWrite && len(before) != len(told):
		return settleList(questionList(told), prior, a), asError(diags)
	case a.IsWrite:
		for i := range told {
			settleTold(&told[i], before[i], i, a)
		}
	default:
		for i := range told {
			if j := sameID(before, told, i); j >= 0 {
				settleTold(&told[i], before[j], i, a)
			}
		}
	}
	return questionList(told), asError(diags)
}

// sameID is the place of the prior question that a told one is, or -1: the one with
// its id, or without any id at its place.
func sameID(before, told []Question, place int) int {
	if told[place].ID.ValueString() == "" {
		if place < len(before) && before[place].ID.ValueString() == "" {
			return place
		}
		return -1
	}
	return slices.IndexFunc(before, func(q Question) bool { return q.ID.Equal(told[place].ID) })
}

// settleList settles the list as a whole, where the answer has another number of
// questions than was planned.
func settleList(told, prior types.List, a *attribute.Answer) types.List {
	if prior.IsNull() && told.IsNull() {
		return told
	}
	return attribute.Reconcile(a, "questions", told, prior, false)
}

// settleTold settles every attribute of one question. Memory names a question by
// its id, which stays with it wherever it moves.
func settleTold(told *Question, prior Question, place int, a *attribute.Answer) {
	under := "questions/" + told.ID.ValueString()
	if told.ID.ValueString() == "" {
		under = fmt.Sprintf("questions/%d", place)
	}
	if a.IsWrite && prior.ID.Equal(types.StringValue("")) {
		told.ID = prior.ID // the configuration leaves it to the service
	}
	// In one order always: it is the order in which a warning names what changed.
	for _, one := range []struct {
		name        string
		told, prior *types.String
	}{
		{"id", &told.ID, &prior.ID}, {"type", &told.Type, &prior.Type}, {"question", &told.Question, &prior.Question},
		{"description", &told.Description, &prior.Description},
		{"description_content_type", &told.DescriptionContentType, &prior.DescriptionContentType},
		{"button_text", &told.ButtonText, &prior.ButtonText}, {"link", &told.Link, &prior.Link},
		{"display", &told.Display, &prior.Display}, {"lower_bound_label", &told.LowerBoundLabel, &prior.LowerBoundLabel},
		{"upper_bound_label", &told.UpperBoundLabel, &prior.UpperBoundLabel},
	} {
		// A GET of the hosted service leaves out a link that is empty.
		isEmptyLink := one.name == "link" && one.told.ValueString() == "" && one.prior.ValueString() == ""
		*one.told = attribute.Reconcile(a, under+"/"+one.name, *one.told, *one.prior, isEmptyLink)
	}
	for _, one := range []struct {
		name        string
		told, prior *types.Bool
	}{
		{"optional", &told.Optional, &prior.Optional}, {"is_nps_question", &told.IsNPSQuestion, &prior.IsNPSQuestion},
		{"shuffle_options", &told.ShuffleOptions, &prior.ShuffleOptions}, {"has_open_choice", &told.HasOpenChoice, &prior.HasOpenChoice},
		{"skip_submit_button", &told.SkipSubmitButton, &prior.SkipSubmitButton},
	} {
		*one.told = attribute.Reconcile(a, under+"/"+one.name, *one.told, *one.prior, false)
	}
	told.Branching = attribute.Reconcile(a, under+"/branching", told.Branching, prior.Branching, false)
	told.Scale = attribute.Reconcile(a, under+"/scale", told.Scale, prior.Scale, false)
	told.Choices = attribute.Reconcile(a, under+"/choices", told.Choices, prior.Choices, false)
	told.Validation = attribute.Reconcile(a, under+"/validation", told.Validation, prior.Validation, false)
	told.Translations = attribute.Reconcile(a, under+"/translations", told.Translations, prior.Translations,
		attribute.EquivalentJSON(told.Translations.ValueString(), prior.Translations.ValueString()))
	told.Extra = attribute.Reconcile(a, under+"/extra", told.Extra, prior.Extra,
		attribute.EquivalentJSON(told.Extra.ValueString(), prior.Extra.ValueString()))
}

func asError(diags diag.Diagnostics) error {
	for _, one := range diags.Errors() {
		return fmt.Errorf("%s: %s", one.Summary(), one.Detail())
	}
	return nil
}
