package survey

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// HistoryKey is the key of the private state that holds what is remembered of the
// questions. It is that of earlier versions, which stored the list of the last write alone.
const HistoryKey = "applied_questions"

// storedHistory is a QuestionHistory in the private state. Lists share what they have in
// common.
type storedHistory struct {
	// IsOpen comes first: see [OpenHistory].
	IsOpen    bool             `json:"open,omitempty"`
	Restores  bool             `json:"restores,omitempty"`
	Written   int              `json:"written"`
	Accepted  int              `json:"accepted"`
	Questions []storedQuestion `json:"questions"`
	// Lists are places in Questions.
	Lists [][]int `json:"lists"`
}

// storedQuestion is a question as [Match] needs it: its id on the service, and its
// type and text.
type storedQuestion struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Text string `json:"question"`
}

// OpenHistory is how an open history begins in the private state.
var OpenHistory = []byte(`{"open":true`)

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
	h := QuestionHistory{written: s.Written, accepted: s.Accepted, restores: s.Restores}
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
	stored := storedHistory{IsOpen: h.isOpen(), Restores: h.restores, Written: h.written, Accepted: h.accepted, Questions: []storedQuestion{}, Lists: [][]int{}}
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

// LoadHistory returns what is remembered of the questions: nothing when the private state
// lacks it, as that of another provider does.
func LoadHistory(ctx context.Context, private attribute.PrivateState, name types.String, diags *diag.Diagnostics) QuestionHistory {
	raw, found := private.GetKey(ctx, HistoryKey)
	diags.Append(found...)

	stored, err := DecodeHistory(raw)
	if err != nil {
		diags.AddWarning(TitleOf("Cannot read the ids of questions from the private state", name),
			"The private state of the survey does not say which id each question had when it was last applied ("+err.Error()+"). "+
				"Questions are matched with those that the service holds now. Check the ids in the plan before you apply it.")
		return QuestionHistory{}
	}
	return stored.history()
}

// Save stores what is remembered in the private state.
func (h QuestionHistory) Save(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) {
	diags.Append(private.SetKey(ctx, HistoryKey, h.encode())...)
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
