package survey

import (
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Identity returns the values by which a question is matched.
func (q Question) Identity() identity.Question {
	text := func(value types.String) string {
		if value.IsUnknown() {
			return identity.Unknown
		}
		return value.ValueString()
	}

	content := map[string]any{}
	for name, value := range attribute.FromStruct(&q) {
		if !value.IsNull() && !value.IsUnknown() {
			content[name] = plainValue(value)
		}
	}
	return identity.Question{ID: text(q.ID), Type: text(q.Type), Text: text(q.Question), Content: identity.HashContent(content)}
}

// plainValue returns an attribute of a question as a decoded JSON value.
func plainValue(value attr.Value) any {
	switch value := value.(type) {
	case types.List:
		elements := []any{}
		for _, element := range value.Elements() {
			elements = append(elements, plainValue(element))
		}
		return elements
	case types.Object:
		fields := map[string]any{}
		for name, field := range value.Attributes() {
			fields[name] = plainValue(field)
		}
		return fields
	case types.Number:
		return numberToAPI(value.ValueBigFloat())
	case types.Int64:
		return json.Number(value.String())
	case jsontypes.Normalized:
		return jsonvalue.Text(value.ValueString())
	case types.String:
		return value.ValueString()
	}
	return nil
}

// Identities returns the identities of the questions in a list.
func Identities(list []Question) []identity.Question {
	identities := make([]identity.Question, len(list))
	for i := range list {
		identities[i] = list[i].Identity()
	}
	return identities
}

// IsOmittedID reports whether an ID is not set. An empty ID counts as omitted, because data with a blank column
// produces it.
func IsOmittedID(id types.String) bool {
	return id.IsNull() || !id.IsUnknown() && id.ValueString() == ""
}

// LackIDs reports whether none of a state's questions has an ID. In this case, another provider wrote the state, and
// no refresh has read the IDs yet.
func LackIDs(list []Question) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(q Question) bool { return !q.ID.IsNull() })
}

// WithIDs returns a state's questions, with the ID in PostHog for each question whose configured ID is "". From an
// apply to the next refresh, the state also contains "". Its list is then the applied one, which is the newest in the
// history.
func WithIDs(past identity.History, state Questions) Questions {
	applied, list := past.Newest(), state.List()
	if len(list) != len(applied) || len(list) == 0 {
		return state
	}

	changed := slices.Clone(list)
	for i := range changed {
		if changed[i].ID.Equal(types.StringValue("")) && applied[i].ID != "" {
			changed[i].ID = types.StringValue(applied[i].ID)
		}
	}
	return NewQuestions(changed)
}

// QuestionPairs matches a prior state's questions with a plan's questions. The zero QuestionPairs means that the
// questions are not known yet.
type QuestionPairs struct {
	Before, After []Question
	// Pairs contains the matching question of Before for each question of After.
	Pairs []identity.Pair
	// IsReordered is set if someone moved questions in PostHog since the last write.
	IsReordered bool
	// Detached lists the questions in Before whose answers are under a different ID, and those for which the
	// configuration sets an earlier ID.
	Detached identity.DetachedList
	// CarriedIDs contains the IDs that the questions in Before had before a save left them without an ID. For each
	// other question, it contains the ID in Before.
	CarriedIDs []string
}

// PairQuestions matches a plan's questions with the prior state's. It uses the configured IDs if there is a
// configuration. A planned ID is a result of matching and must not be its input.
func PairQuestions(config, planned, prior Questions, past identity.History) QuestionPairs {
	if config.IsNull() {
		config = planned
	}

	priorQuestions, isKnownBefore := prior.Known()
	configured, isKnownAfter := config.Known()
	if !isKnownBefore || !isKnownAfter {
		return QuestionPairs{}
	}
	live := Identities(WithIDs(past, prior).List())
	var carriedIDs []string
	for _, q := range past.WithCarriedIDs(live) {
		carriedIDs = append(carriedIDs, q.ID)
	}
	return QuestionPairs{
		CarriedIDs: carriedIDs,
		Before:     priorQuestions, After: configured, Pairs: past.Match(live, Identities(configured)), IsReordered: past.IsReordered(live),
		Detached: identity.MergeDetached(past.Detached(Identities(priorQuestions)), past.FindRestored(Identities(priorQuestions), Identities(configured))),
	}
}

// AnswerID returns the ID under which PostHog stores the answers to a question in Before.
func (p QuestionPairs) AnswerID(j int) string {
	for _, d := range p.Detached.Certain() {
		if d.Position == j && !d.Stays && !d.IsHarmless() {
			return d.OldID
		}
	}
	return p.Before[j].ID.ValueString()
}

// PriorIndex returns the index in Before of a question in After, or -1.
func (p QuestionPairs) PriorIndex(i int) int {
	if i >= len(p.Pairs) {
		return -1
	}
	return p.Pairs[i].Index
}

// PlannedIndex returns the index in After of a question in Before, or -1.
func (p QuestionPairs) PlannedIndex(j int) int {
	return slices.IndexFunc(p.Pairs, func(pair identity.Pair) bool { return pair.Index == j })
}

// IsInPlace reports whether all questions keep their positions.
func (p QuestionPairs) IsInPlace() bool {
	for i, pair := range p.Pairs {
		if pair.Index != i {
			return false
		}
	}
	return len(p.Before) == len(p.Pairs)
}
