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

// SameID is the index of the prior question that a returned one matches, or -1: the one
// with its id, or one without an id at its position.
func SameID(prior, answered []Question, index int) int {
	if answered[index].ID.ValueString() == "" {
		if index < len(prior) && prior[index].ID.ValueString() == "" {
			return index
		}
		return -1
	}
	return slices.IndexFunc(prior, func(q Question) bool { return q.ID.Equal(answered[index].ID) })
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

	isSame := map[string]bool{
		// A GET of the hosted service leaves out a link that is empty.
		"link":         answered.Link.ValueString() == "" && prior.Link.ValueString() == "",
		"translations": attribute.EquivalentJSON(answered.Translations.ValueString(), prior.Translations.ValueString()),
		extraName:      attribute.EquivalentJSON(extraObject(answered.Extra), extraObject(prior.Extra)),
	}
	values, priorValues := attribute.FromStruct(answered), attribute.FromStruct(&prior)
	for _, name := range attribute.Names(answered) { // in one order always: a warning names them
		values[name] = attribute.Reconcile(a, prefix+"/"+name, values[name], priorValues[name], isSame[name])
	}
	attribute.ToStruct(answered, values)
}

// extraObject is extra as an object: null is one without keys.
func extraObject(extra jsontypes.Normalized) string {
	if extra.IsNull() {
		return "{}"
	}
	return extra.ValueString()
}

// sendQuestions sends the whole list if a question changes: the service replaces it as a
// whole.
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
