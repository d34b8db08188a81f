package survey

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// questionsFromAPI converts the list of questions. It reconciles each question with the matching prior question: by
// position in the response to a write, and by ID in the response to a read.
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

	priorQuestions, isKnown := prior.Known()
	switch {
	case !isKnown:
	case a.IsWrite && len(priorQuestions) != len(answered):
		return attribute.Reconcile(a, "questions", NewQuestions(answered), prior, false), nil
	case a.IsWrite:
		for i := range answered {
			ReconcileQuestion(&answered[i], priorQuestions[i], i, a)
		}
	default:
		for i := range answered {
			if j := SameID(priorQuestions, answered, i); j >= 0 {
				ReconcileQuestion(&answered[i], priorQuestions[j], i, a)
			}
		}
	}

	return NewQuestions(answered), nil
}

// SameID returns the index of the prior question that a question in a response matches, or -1. It matches by ID, or
// by position if neither question has an ID.
func SameID(prior, answered []Question, index int) int {
	if answered[index].ID.ValueString() == "" {
		if index < len(prior) && prior[index].ID.ValueString() == "" {
			return index
		}
		return -1
	}
	return slices.IndexFunc(prior, func(q Question) bool { return q.ID.Equal(answered[index].ID) })
}

// ReconcileQuestion reconciles every attribute of a question. The normalization memory refers to a question by its
// ID, which does not change when the question moves.
func ReconcileQuestion(answered *Question, prior Question, index int, a *attribute.Response) {
	prefix := "questions/" + answered.ID.ValueString()
	if answered.ID.ValueString() == "" {
		prefix = fmt.Sprintf("questions/%d", index)
	}

	if a.IsWrite && prior.ID.Equal(types.StringValue("")) {
		answered.ID = prior.ID // the configuration lets PostHog choose the ID
	}

	isSame := map[string]bool{
		// The hosted service omits an empty link in the response to a GET request.
		"link":         answered.Link.ValueString() == "" && prior.Link.ValueString() == "",
		"translations": attribute.EquivalentJSON(answered.Translations.ValueString(), prior.Translations.ValueString()),
		extraName:      attribute.EquivalentJSON(extraObject(answered.Extra), extraObject(prior.Extra)),
	}
	values, priorValues := attribute.FromStruct(answered), attribute.FromStruct(&prior)
	for _, name := range attribute.Names(answered) { // a fixed order, because a warning lists the names
		values[name] = attribute.Reconcile(a, prefix+"/"+name, values[name], priorValues[name], isSame[name])
	}
	attribute.ToStruct(answered, values)
}

// extraObject returns extra as an object's text. It returns an empty object for null.
func extraObject(extra jsontypes.Normalized) string {
	if extra.IsNull() {
		return "{}"
	}
	return extra.ValueString()
}

// sendQuestions sends the whole list if any question changes, because PostHog replaces the whole list.
func sendQuestions(r *api.SurveyRequest, planned, prior Fields, newID func() string, diags *diag.Diagnostics) {
	if planned.Questions.IsUnknown() || planned.Questions.Equal(prior.Questions) {
		return
	}
	if planned.Questions.IsNull() {
		if !prior.Questions.IsNull() {
			r.Questions.SetNull()
		}
		return
	}

	list, ok := planned.Questions.Known()
	if !ok {
		planned.Questions.RefuseNull(diags)
		return
	}

	wire := make([]json.RawMessage, len(list))
	for i, question := range list {
		wire[i] = QuestionToAPI(question, newID, path.Root("questions").AtListIndex(i), diags)
	}
	r.Questions.Set(wire)
}
