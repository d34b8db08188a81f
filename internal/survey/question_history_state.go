package survey

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// storedHistory is a QuestionHistory in the private state. Lists share what they have in
// common.
type storedHistory struct {
	// IsOpen comes first: see [openHistory].
	IsOpen    bool             `json:"open,omitempty"`
	Restores  bool             `json:"restores,omitempty"`
	Written   int              `json:"written"`
	Accepted  int              `json:"accepted"`
	Questions []storedQuestion `json:"questions"`
	// Lists are places in Questions.
	Lists [][]int `json:"lists"`
	// Cuts are the questions with other ids than before, by these.
	Cuts map[string]cut `json:"cuts,omitempty"`
}

// storedQuestion is a question as [Match] needs it: its id on the service, and its
// type and text.
type storedQuestion struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
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

func (s storedHistory) history() QuestionHistory {
	h := QuestionHistory{written: s.Written, accepted: s.Accepted, restores: s.Restores, cuts: s.Cuts}
	for _, places := range s.Lists {
		list := make([]Question, len(places))
		for i, place := range places {
			one := s.Questions[place]
			list[i] = Question{ID: types.StringValue(one.ID), Type: types.StringValue(one.Type), Question: types.StringValue(one.Text)}
		}
		h.lists = append(h.lists, list)
	}
	return h
}

func (h QuestionHistory) encode() []byte {
	stored := storedHistory{IsOpen: h.isOpen(), Restores: h.restores, Written: h.written, Accepted: h.accepted, Questions: []storedQuestion{}, Lists: [][]int{}, Cuts: h.cuts}
	places := map[storedQuestion]int{}
	for _, list := range h.lists {
		indexes := make([]int, len(list))
		for i, q := range list {
			one := storedQuestion{ID: q.ID.ValueString(), Type: q.Type.ValueString(), Text: q.Question.ValueString()}
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
