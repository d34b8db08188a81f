package terraform

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// appliedFrom are the questions that a write has applied: those of the state, with the
// texts of the configuration and the ids of the response.
func appliedFrom(config, state survey.Questions, response nullable.Nullable[[]json.RawMessage]) []survey.Question {
	applied := slices.Clone(state.List())
	if configured, ok := config.Known(); ok && len(configured) == len(applied) {
		for i := range applied {
			applied[i].Type, applied[i].Question = configured[i].Type, configured[i].Question
		}
	}

	if stored, err := response.Get(); err == nil && len(stored) == len(applied) {
		for i, raw := range stored {
			if q, err := survey.QuestionFromAPI(raw); err == nil && !survey.IsOmittedID(q.ID) {
				applied[i].ID = q.ID
			}
		}
	}
	return applied
}

// applied are the questions that a write has applied. A response to a request without
// questions may have the ids of a save since the plan, which the code knows nothing of.
func (w write) applied(state survey.Questions, response nullable.Nullable[[]json.RawMessage]) []survey.Question {
	if !w.request.Questions.IsSpecified() && len(w.sent.List()) == len(state.List()) {
		return appliedFrom(w.questions, w.sent, nil)
	}
	return appliedFrom(w.questions, state, response)
}

// withRequestIDs are planned questions as a request has them: one whose configured id is ""
// is sent with its id on the service, or as a new one.
func withRequestIDs(planned, config survey.Questions, origins []survey.Origin) survey.Questions {
	configured, known := config.Known()
	if list, ok := planned.Known(); !known || !ok || len(list) == 0 || len(list) != len(configured) {
		return planned
	}

	sent := slices.Clone(planned.List())
	for i := range sent {
		if !configured[i].ID.Equal(types.StringValue("")) {
			continue
		}
		sent[i].ID = types.StringUnknown()
		if i < len(origins) && !survey.IsOmittedID(origins[i].ID) {
			sent[i].ID = origins[i].ID
		}
	}
	return survey.NewQuestions(sent)
}
