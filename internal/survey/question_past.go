package survey

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// QuestionPast has the lists of questions that a survey had since it was last written: one
// of them is what the code was written from.
type QuestionPast struct{ history QuestionHistory }

// DecodeQuestionPast reads the past of a survey's questions from its private state.
func DecodeQuestionPast(raw []byte) (QuestionPast, error) {
	stored, err := DecodeHistory(raw)
	if err != nil {
		return QuestionPast{}, err
	}
	h := stored.history()
	if len(h.lists) > 0 {
		h.lists = h.lists[:h.written+1] // the code said the written one, so it is not older
		h.accepted = min(h.accepted, h.written)
	}
	return QuestionPast{h}, nil
}

// With is the past with more lists, newest first. They come before the newest one, which the
// service holds now.
func (p QuestionPast) With(lists [][]QuestionKey) QuestionPast {
	added := make([][]Question, 0, len(lists)+1)
	for _, keys := range lists {
		added = append(added, keysOnly(questionsOfKeys(keys)))
	}
	if len(p.history.lists) == 0 || len(added) == 0 {
		return p
	}

	h := p.history
	if h.written == 0 { // the service holds the written list again
		added = append(added, h.Newest())
	}
	if h.accepted > 0 {
		h.accepted += len(added)
	}
	h.written += len(added)
	h.lists = slices.Insert(slices.Clone(h.lists), 1, added...)
	return QuestionPast{h}
}

// TakenForOthers are the ids of the questions of a survey that a plan takes for others if the
// configuration states their types and texts alone: the service made them in place of
// questions that said the same. remembered is from the private state.
func TakenForOthers(remembered []byte, live []QuestionKey) []string {
	stored, err := DecodeHistory(remembered)
	if err != nil {
		return nil
	}

	list := questionsOfKeys(live)
	config := keysOnly(list)
	for i := range config {
		config[i].ID = types.StringNull()
	}
	var ids []string
	for i, from := range Match(list, stored.history(), config) {
		if id := list[i].ID.ValueString(); id != "" && from.ID.ValueString() != id {
			ids = append(ids, id)
		}
	}
	return ids
}

// IsEmpty reports whether nothing is remembered.
func (p QuestionPast) IsEmpty() bool { return len(p.history.lists) == 0 }

// Match returns for each question of a configuration the id that it has had, "" for a new
// one; and the list that the configuration was written from.
func (p QuestionPast) Match(config []QuestionKey) (ids []string, base []QuestionKey) {
	list := questionsOfKeys(config)
	m := newMatching(p.history.Newest(), p.history, list)
	for _, q := range m.lists[m.baseOf(p.history)].questions {
		base = append(base, QuestionKey{q.ID.ValueString(), q.Type.ValueString(), q.Question.ValueString()})
	}
	for _, from := range Match(p.history.Newest(), p.history, list) {
		ids = append(ids, from.ID.ValueString())
	}
	return ids, base
}

// Had reports whether a question had a type and text.
func (p QuestionPast) Had(key QuestionKey) bool {
	return slices.ContainsFunc(p.history.lists, func(list []Question) bool {
		return slices.ContainsFunc(list, func(q Question) bool {
			return q.ID.ValueString() == key.ID && q.Type.ValueString() == key.Type && q.Question.ValueString() == key.Text
		})
	})
}

// Held reports whether any list had a question.
func (p QuestionPast) Held(id string) bool {
	return slices.ContainsFunc(p.history.lists, func(list []Question) bool {
		return slices.ContainsFunc(list, func(q Question) bool { return q.ID.ValueString() == id })
	})
}
