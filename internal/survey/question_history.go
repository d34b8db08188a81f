package survey

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// QuestionHistory is what is remembered of the questions of a survey: which id had which
// type and text, list by list. The state cannot hold it: a refresh overwrites it with edits
// of the web interface. Of the questions it holds id, type and text alone.
//
// A read does not see the configuration, and a plan that changes nothing is not stored. So
// a list that a read found counts as accepted, from the next read on, if the state still
// holds it and an apply would have let it be: either an apply without changes stored it,
// after somebody took the edit over into the code, or a refresh alone did.
type QuestionHistory struct {
	// lists are the remembered lists, newest first: the newest is that of the state.
	lists [][]Question
	// written is the list that was last written to the service: the configuration said it.
	written int
	// accepted is the newest list that the configuration is taken to have said.
	accepted int
	// restores is set when a configuration with the texts of the newest list would change
	// it: questions in it have taken the place of others.
	restores bool
	// cuts are the questions that got other ids in saves without ids, by these ids.
	cuts map[string]cut
}

// keptLists is the number of lists that are remembered, besides the written and the
// accepted one.
const keptLists = 8

// Newest is the list of the state; nil when nothing is remembered.
func (h QuestionHistory) Newest() []Question {
	if len(h.lists) == 0 {
		return nil
	}
	return h.lists[0]
}

// isOpen reports whether the next read may change the history though it finds the same list: it
// accepts the newest one, or asks again where answers are that were cut off.
func (h QuestionHistory) isOpen() bool { return h.accepts() || len(h.Known(h.Newest())) > 0 }

// accepts reports whether the next read accepts the newest list.
func (h QuestionHistory) accepts() bool { return h.accepted != 0 && !h.restores }

// AfterWrite is the history after a write of questions with the texts of a configuration.
func (h QuestionHistory) AfterWrite(list []Question) QuestionHistory {
	h = h.with(list)
	h.written, h.accepted, h.restores = 0, 0, false
	h.settle(list)
	return h
}

// AfterRead is the history after a read that has found the questions after. before are those
// of the state until then.
func (h QuestionHistory) AfterRead(before, after []Question, isImport bool) QuestionHistory {
	switch {
	case len(h.lists) > 0:
	case isImport || LackIDs(before):
		// Those of another provider have no ids, so the questions on the service count.
		return h.AfterWrite(after)
	default:
		h = h.AfterWrite(before)
	}

	if h.accepts() {
		h.accepted = 0
	}
	known := h.cuts
	h.noteCuts(after)
	isSame := sameList(h.Newest(), after)
	if !isSame {
		h = h.with(after)
	}
	h.forgetCuts()
	if !isSame || !maps.Equal(known, h.cuts) {
		h.restores = h.wouldChange(after)
	}
	return h
}

// with is the history with a newest list.
func (h QuestionHistory) with(list []Question) QuestionHistory {
	lists := [][]Question{keysOnly(list)}
	next := QuestionHistory{restores: h.restores, cuts: h.cuts}

	for k, one := range h.lists {
		switch isPinned := k == h.written || k == h.accepted; {
		case k == 0 && sameList(one, list):
		case len(lists) < keptLists || isPinned:
			lists = append(lists, one)
		default:
			continue
		}
		if k == h.written {
			next.written = len(lists) - 1
		}
		if k == h.accepted {
			next.accepted = len(lists) - 1
		}
	}
	next.lists = lists
	return next
}

// wouldChange reports whether a configuration with the texts of a list would give one of
// its questions another id.
func (h QuestionHistory) wouldChange(list []Question) bool {
	config := keysOnly(list)
	for i := range config {
		config[i].ID = types.StringNull()
	}
	for i, from := range Match(list, h, config) {
		isLeftOut := IsOmittedID(list[i].ID) && !IsOmittedID(from.ID)
		if from.Prior != i || isLeftOut {
			return true
		}
	}
	return false
}

// keysOnly are questions with nothing but id, type and text.
func keysOnly(list []Question) []Question { return questionsOfKeys(keysOf(list)) }

// sameList reports whether two lists are the same to the service. A question that the
// service cleaned is the one that was written.
func sameList(a, b []Question) bool {
	return slices.EqualFunc(a, b, func(q, other Question) bool {
		return q.ID.ValueString() == other.ID.ValueString() && saysTheSame(q, other)
	})
}

// LackIDs reports whether no question of a state has an id: another provider wrote the
// state, and no refresh has read the ids yet.
func LackIDs(list []Question) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(q Question) bool { return !q.ID.IsNull() })
}

// storedHistory is a QuestionHistory in the private state. Lists share what they have in
// common.
type storedHistory struct {
	// IsOpen comes first: see [openHistory].
	IsOpen    bool          `json:"open,omitempty"`
	Restores  bool          `json:"restores,omitempty"`
	Written   int           `json:"written"`
	Accepted  int           `json:"accepted"`
	Questions []QuestionKey `json:"questions"`
	// Lists are places in Questions.
	Lists [][]int `json:"lists"`
	// Cuts are the questions with other ids than before, by these.
	Cuts map[string]cut `json:"cuts,omitempty"`
}

// openHistory is how an open history begins in the private state.
var openHistory = []byte(`{"open":true`)

// DecodeHistory reads what is remembered. That of an earlier version is the list of the last
// write.
func DecodeHistory(raw []byte) (storedHistory, error) {
	var stored storedHistory
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || trimmed[0] == '[' {
		if len(trimmed) > 0 {
			if err := json.Unmarshal(raw, &stored.Questions); err != nil {
				return stored, err
			}
			list := make([]int, len(stored.Questions))
			for i := range list {
				list[i] = i
			}
			stored.Lists = [][]int{list}
		}
		return stored, nil
	}

	if err := json.Unmarshal(raw, &stored); err != nil {
		return stored, err
	}
	return stored, stored.check()
}

// check reports places that are not there.
func (s storedHistory) check() error {
	for _, list := range s.Lists {
		for _, place := range list {
			if place < 0 || place >= len(s.Questions) {
				return fmt.Errorf("there is no question %d", place)
			}
		}
	}
	for _, k := range []int{s.Written, s.Accepted} {
		if k < 0 || k >= len(s.Lists) && k > 0 {
			return fmt.Errorf("there is no list %d", k)
		}
	}
	return nil
}

// lists are the lists of questions, newest first.
func (s storedHistory) lists() [][]QuestionKey {
	lists := make([][]QuestionKey, len(s.Lists))
	for k, places := range s.Lists {
		for _, place := range places {
			lists[k] = append(lists[k], s.Questions[place])
		}
	}
	return lists
}

func (s storedHistory) history() QuestionHistory {
	h := QuestionHistory{written: s.Written, accepted: s.Accepted, restores: s.Restores, cuts: s.Cuts}
	for _, keys := range s.lists() {
		h.lists = append(h.lists, questionsOfKeys(keys))
	}
	return h
}

func (h QuestionHistory) encode() []byte {
	stored := storedHistory{IsOpen: h.isOpen(), Restores: h.restores, Written: h.written, Accepted: h.accepted, Questions: []QuestionKey{}, Lists: [][]int{}, Cuts: h.cuts}
	places := map[QuestionKey]int{}
	for _, list := range h.lists {
		indexes := make([]int, len(list))
		for i, one := range keysOf(list) {
			place, ok := places[one]
			if !ok {
				place = len(stored.Questions)
				places[one], stored.Questions = place, append(stored.Questions, one)
			}
			indexes[i] = place
		}
		stored.Lists = append(stored.Lists, indexes)
	}

	raw, _ := json.Marshal(stored) // texts and numbers always encode
	return raw
}

// WithIDs are the questions of a state with the ids that they have on the service, where the
// state has "" as the configuration has. The state has that from an apply to the next
// refresh, so the list is the applied one, the newest of the history.
func (h QuestionHistory) WithIDs(state Questions) Questions {
	applied, list := h.Newest(), state.List()
	if len(list) != len(applied) {
		return state
	}

	changed := slices.Clone(list)
	for i := range changed {
		if changed[i].ID.Equal(types.StringValue("")) && !IsOmittedID(applied[i].ID) {
			changed[i].ID = applied[i].ID
		}
	}
	if len(changed) == 0 {
		return state
	}
	return NewQuestions(changed)
}
