package survey

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// appliedFrom are the questions that a write has applied: those of the state, with the
// texts of the configuration and the ids of the response.
func appliedFrom(config, state types.List, answer nullable.Nullable[[]json.RawMessage], diags *diag.Diagnostics) []Question {
	list, _ := decodeQuestions(state, diags)
	if worded, ok := decodeQuestions(config, diags); ok && len(worded) == len(list) {
		for i := range list {
			list[i].Type, list[i].Question = worded[i].Type, worded[i].Question
		}
	}

	if stored, err := answer.Get(); err == nil && len(stored) == len(list) {
		for i, raw := range stored {
			if q, err := questionFromAPI(raw); err == nil && !isOmittedID(q.ID) {
				list[i].ID = q.ID
			}
		}
	}
	return list
}

// withRequestIDs prepares planned questions for a request: a question whose configured id
// is "" is sent with its id on the service, or as a new one.
func withRequestIDs(planned, config types.List, origins []origin, diags *diag.Diagnostics) types.List {
	out, known := decodeQuestions(planned, diags)
	given, knownConfig := decodeQuestions(config, diags)
	if !known || !knownConfig || len(out) == 0 || len(out) != len(given) {
		return planned
	}

	changed := false
	for i := range out {
		if !given[i].ID.Equal(types.StringValue("")) {
			continue
		}
		out[i].ID, changed = types.StringUnknown(), true
		if i < len(origins) && !isOmittedID(origins[i].id) {
			out[i].ID = origins[i].id
		}
	}

	if !changed {
		return planned
	}
	return encodeQuestions(out)
}

// requestQuestions are the questions that an update sends.
func requestQuestions(ctx context.Context, config, planned, prior Model, private attribute.PrivateState, diags *diag.Diagnostics) types.List {
	past := loadHistory(ctx, private, prior.Name, diags)
	stored, _ := decodeQuestions(withAppliedIDs(prior.Questions, past.newest(), diags), diags)
	given, _ := decodeQuestions(config.Questions, diags)
	return withRequestIDs(planned.Questions, config.Questions, matchQuestions(stored, past, given), diags)
}
