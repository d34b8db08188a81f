package survey

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// appliedKey is the key of the private state that holds the questions as they were last
// applied. The state cannot hold them: a refresh overwrites it with edits of the web
// interface.
const appliedKey = "applied_questions"

// appliedQuestion is an applied question as [matchQuestions] needs it: its id on the
// service, and the type and text of the configuration.
type appliedQuestion struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
}

// loadApplied returns the questions as they were last applied; nil when the private state
// lacks them, as that of another version of the provider does.
func loadApplied(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) []Question {
	raw, found := private.GetKey(ctx, appliedKey)
	diags.Append(found...)
	var applied []appliedQuestion
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, &applied); err != nil {
		diags.AddWarning("Cannot read private state",
			"The private state of the survey does not say which id each question had when it was last applied ("+err.Error()+"). "+
				"Questions are matched with those that the service holds now. Check the ids in the plan before you apply it.")
		return nil
	}

	list := make([]Question, len(applied))
	for i, one := range applied {
		list[i] = Question{ID: types.StringValue(one.ID), Type: types.StringValue(one.Type), Question: types.StringValue(one.Text)}
	}
	return list
}

// saveApplied writes questions to the private state as applied.
func saveApplied(ctx context.Context, list []Question, private attribute.PrivateState, diags *diag.Diagnostics) {
	applied := make([]appliedQuestion, len(list))
	for i, q := range list {
		applied[i] = appliedQuestion{ID: q.ID.ValueString(), Type: q.Type.ValueString(), Text: q.Question.ValueString()}
	}
	// A list of texts always encodes.
	raw, _ := json.Marshal(applied)
	diags.Append(private.SetKey(ctx, appliedKey, raw)...)
}

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

// withAppliedIDs replaces ids that are "" in the state, as in the configuration, by those
// on the service. The state has them from an apply to the next refresh, so the list is the
// applied one.
func withAppliedIDs(list types.List, applied []Question, diags *diag.Diagnostics) types.List {
	in, known := decodeQuestions(list, diags)
	if !known || len(in) == 0 || len(in) != len(applied) {
		return list
	}

	changed := false
	for i := range in {
		if in[i].ID.Equal(types.StringValue("")) && !isOmittedID(applied[i].ID) {
			in[i].ID, changed = applied[i].ID, true
		}
	}

	if !changed {
		return list
	}
	return encodeQuestions(in)
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
	applied := loadApplied(ctx, private, diags)
	stored, _ := decodeQuestions(withAppliedIDs(prior.Questions, applied, diags), diags)
	given, _ := decodeQuestions(config.Questions, diags)
	return withRequestIDs(planned.Questions, config.Questions, matchQuestions(stored, applied, given), diags)
}

// initApplied writes the questions of an import, or of a state by an older version of the
// provider, to the private state as if they had been applied. Those of another provider
// have no ids, so the questions on the service are taken instead.
func initApplied(ctx context.Context, prior, read Fields, isImport bool, private attribute.PrivateState, diags *diag.Diagnostics) {
	list, _ := decodeQuestions(prior.Questions, diags)
	if isImport || lackIDs(list) {
		list, _ = decodeQuestions(read.Questions, diags)
	}
	saveApplied(ctx, list, private, diags)
}

// lackIDs reports whether no question of a state has an id: another provider wrote the
// state, and no refresh has read the ids yet.
func lackIDs(list []Question) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(q Question) bool { return !q.ID.IsNull() })
}
