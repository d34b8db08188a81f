package survey

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// QuestionPast has the lists of questions that a survey had since the code was last known to
// say one of them, newest first: the code was written from one of these. A question has one id
// in all of them, see [QuestionPast.Root].
type QuestionPast struct {
	history QuestionHistory
	// written are the ids that questions had at the last write, by their roots.
	written map[string]string
}

// DecodeQuestionPast reads the past of a survey's questions since its last write from its
// private state.
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
	written := map[string]string{}
	for k := range h.lists {
		for i := range h.lists[k] {
			id := h.lists[k][i].ID.ValueString()
			h.lists[k][i].ID = types.StringValue(h.root(id))
			if k == len(h.lists)-1 {
				written[h.root(id)] = id
			}
		}
	}
	return QuestionPast{h, written}, nil
}

// Root is the id by which all ids of a question are known to be one.
func (p QuestionPast) Root(id string) string { return p.history.root(id) }

// Written is the id that a question had at the last write; its root for one that came since.
func (p QuestionPast) Written(root string) string { return cmp.Or(p.written[root], root) }

// Cut are the questions of the service whose answers are cut off.
func (p QuestionPast) Cut(live []QuestionKey) []CutQuestion {
	return p.history.Cut(questionsOfKeys(live))
}

// First is the oldest list: the one that the code is known to have said.
func (p QuestionPast) First() []QuestionKey {
	if len(p.history.lists) == 0 {
		return nil
	}
	return keysOf(p.history.lists[len(p.history.lists)-1])
}

// Since is the past since the code said a list. live are the questions that the service has now.
func (p QuestionPast) Since(said, live []QuestionKey) QuestionPast {
	first := keysOnly(questionsOfKeys(said))
	hasIDs := func(list []Question) bool {
		return slices.EqualFunc(list, first, func(q, other Question) bool { return q.ID.Equal(other.ID) })
	}

	lists := slices.Clone(p.history.lists)
	if len(lists) == 0 {
		lists = [][]Question{keysOnly(questionsOfKeys(live))}
	}
	if at := slices.IndexFunc(lists, hasIDs); at >= 0 {
		lists = lists[:at]
	} else if len(lists) > 1 {
		lists = lists[:len(lists)-1] // the written one is older
	}
	lists = append(lists, first)
	return QuestionPast{history: QuestionHistory{lists: lists, written: len(lists) - 1, accepted: len(lists) - 1}}
}

// Match returns for each question of a configuration the id that it has had, "" for a new
// one and for one that a place alone would tell; and the list that the configuration was
// written from.
func (p QuestionPast) Match(config []QuestionKey) (ids []string, base []QuestionKey) {
	list := questionsOfKeys(config)
	m := newMatching(p.history.Newest(), p.history, list)
	base = keysOf(m.lists[m.baseOf()].questions)
	for _, from := range Match(p.history.Newest(), p.history, list) {
		if from.ByPosition {
			from.ID = types.StringNull()
		}
		ids = append(ids, from.ID.ValueString())
	}
	return ids, base
}

// Held reports whether any list had a question.
func (p QuestionPast) Held(id string) bool { return p.history.held(id) }

// PlannedIDs are the ids that a plan gives to the questions of a configuration, "" for a new
// one. remembered is from the private state, live are the questions that the service has.
func PlannedIDs(remembered []byte, live, config []QuestionKey) []string {
	stored, err := DecodeHistory(remembered)
	if err != nil {
		stored = storedHistory{}
	}
	ids := make([]string, len(config))
	for i, from := range Match(questionsOfKeys(live), stored.history(), questionsOfKeys(config)) {
		ids[i] = from.ID.ValueString()
		if from.Prior < 0 && config[i].ID != "" {
			ids[i] = config[i].ID
		}
	}
	return ids
}

func keysOf(list []Question) []QuestionKey {
	keys := make([]QuestionKey, len(list))
	for i, q := range list {
		keys[i] = QuestionKey{q.ID.ValueString(), q.Type.ValueString(), q.Question.ValueString()}
	}
	return keys
}

// CutOff says which of the questions of a service are known by other ids, since a save left
// these out: the id that each had, "" for one that has it still, or is not known.
func CutOff(known, live []QuestionKey) []string {
	var before []Question
	for _, q := range keysOnly(questionsOfKeys(known)) {
		if id := q.ID.ValueString(); id != "" && !hasID(before, id) {
			before = append(before, q)
		}
	}
	h := QuestionHistory{lists: [][]Question{before}}
	h.noteCuts(questionsOfKeys(live))

	old := make([]string, len(live))
	for i, one := range newMatching(questionsOfKeys(live), h, nil).identities[:len(live)] {
		if one.root != live[i].ID {
			old[i] = one.root
		}
	}
	return old
}

// RememberedLists are the lists of questions that a private state remembers of a survey, newest
// first; none when it remembers nothing.
func RememberedLists(raw []byte) ([][]QuestionKey, error) {
	stored, err := DecodeHistory(raw)
	if err != nil {
		return nil, err
	}

	return stored.lists(), nil
}
