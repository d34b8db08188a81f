package terraform

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// appliedFrom are the questions that a write has applied: those of the state, with the
// texts of the configuration and the ids of the response.
func appliedFrom(config, state types.List, answer nullable.Nullable[[]json.RawMessage], diags *diag.Diagnostics) []survey.Question {
	list, _ := survey.DecodeQuestions(state, diags)
	if worded, ok := survey.DecodeQuestions(config, diags); ok && len(worded) == len(list) {
		for i := range list {
			list[i].Type, list[i].Question = worded[i].Type, worded[i].Question
		}
	}

	if stored, err := answer.Get(); err == nil && len(stored) == len(list) {
		for i, raw := range stored {
			if q, err := survey.QuestionFromAPI(raw); err == nil && !survey.IsOmittedID(q.ID) {
				list[i].ID = q.ID
			}
		}
	}
	return list
}

// withRequestIDs prepares planned questions for a request: a question whose configured id
// is "" is sent with its id on the service, or as a new one.
func withRequestIDs(planned, config types.List, origins []survey.Origin, diags *diag.Diagnostics) types.List {
	out, known := survey.DecodeQuestions(planned, diags)
	given, knownConfig := survey.DecodeQuestions(config, diags)
	if !known || !knownConfig || len(out) == 0 || len(out) != len(given) {
		return planned
	}

	changed := false
	for i := range out {
		if !given[i].ID.Equal(types.StringValue("")) {
			continue
		}
		out[i].ID, changed = types.StringUnknown(), true
		if i < len(origins) && !survey.IsOmittedID(origins[i].ID) {
			out[i].ID = origins[i].ID
		}
	}

	if !changed {
		return planned
	}
	return survey.EncodeQuestions(out)
}

// requestQuestions are the questions that an update sends.
func requestQuestions(ctx context.Context, config, planned, prior survey.Model, private attribute.PrivateState, diags *diag.Diagnostics) types.List {
	past := survey.LoadHistory(ctx, private, prior.Name, diags)
	stored, _ := survey.DecodeQuestions(survey.WithAppliedIDs(prior.Questions, past.Newest(), diags), diags)
	given, _ := survey.DecodeQuestions(config.Questions, diags)
	return withRequestIDs(planned.Questions, config.Questions, survey.Match(stored, past, given), diags)
}
