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

// Identity is what a question is compared by.
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

// plainValue is an attribute of a question as JSON has it.
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

// Identities are what questions are compared by.
func Identities(list []Question) []identity.Question {
	identities := make([]identity.Question, len(list))
	for i := range list {
		identities[i] = list[i].Identity()
	}
	return identities
}

// IsOmittedID reports whether an id is not set. An empty one counts as omitted: it comes
// from data with a blank column.
func IsOmittedID(id types.String) bool {
	return id.IsNull() || !id.IsUnknown() && id.ValueString() == ""
}

// LackIDs reports whether no question of a state has an id: another provider wrote the state,
// and no refresh has read the ids yet.
func LackIDs(list []Question) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(q Question) bool { return !q.ID.IsNull() })
}

// WithIDs are the questions of a state with the ids that they have in PostHog, where the state
// has "" as the configuration has. The state has that from an apply to the next refresh, so the
// list is the applied one, the newest of the history.
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

// QuestionPairs are the questions of a prior state and of a plan, and which is which. The zero
// QuestionPairs is of questions that are not known yet.
type QuestionPairs struct {
	Before, After []Question
	// Pairs has what each question of After was.
	Pairs []identity.Pair
	// IsReordered is set when someone moved questions in PostHog since the last write.
	IsReordered bool
	// Detached lists the questions of Before whose ID is not the one with their answers, and those
	// for which the configuration sets an earlier ID.
	Detached identity.DetachedList
}

// PairQuestions matches the questions of a plan with those of its prior state. It matches what
// the configuration says, if it says any: an id that the plan gave to a question is the result
// of the match, not its input.
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
	return QuestionPairs{
		Before: priorQuestions, After: configured, Pairs: past.Match(live, Identities(configured)), IsReordered: past.IsReordered(live),
		Detached: identity.MergeDetached(past.Detached(Identities(priorQuestions)), past.FindRestored(Identities(priorQuestions), Identities(configured))),
	}
}

// AnswerID returns the ID that has the answers of a question of Before.
func (p QuestionPairs) AnswerID(j int) string {
	for _, d := range p.Detached.Certain() {
		if d.Position == j && !d.Stays && !d.IsHarmless() {
			return d.OldID
		}
	}
	return p.Before[j].ID.ValueString()
}

// PriorIndex is the index that a question of After had before, or -1.
func (p QuestionPairs) PriorIndex(i int) int {
	if i >= len(p.Pairs) {
		return -1
	}
	return p.Pairs[i].Index
}

// PlannedIndex is the index that a question of Before has after, or -1.
func (p QuestionPairs) PlannedIndex(j int) int {
	return slices.IndexFunc(p.Pairs, func(pair identity.Pair) bool { return pair.Index == j })
}

// IsInPlace reports whether all questions are where they were.
func (p QuestionPairs) IsInPlace() bool {
	for i, pair := range p.Pairs {
		if pair.Index != i {
			return false
		}
	}
	return len(p.Before) == len(p.Pairs)
}
