package identity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// stored is a History's form in private state. Versions share equal questions.
type stored struct {
	IsOpen    bool       `json:"open,omitempty"`
	Restores  bool       `json:"restores,omitempty"`
	Written   int        `json:"written"`
	Accepted  int        `json:"accepted"`
	Questions []Question `json:"questions"`
	// Versions contains indexes of Questions.
	Versions [][]int                `json:"lists"`
	Replaced map[string]replacement `json:"cuts,omitempty"`
}

// Decode decodes a history from private state. Empty input is an empty history. Early releases stored
// only the version of the last write, and older releases did not store content.
func Decode(raw []byte) (History, error) {
	raw = bytes.TrimSpace(raw)
	var s stored
	switch {
	case len(raw) == 0:
		return History{}, nil
	case raw[0] == '[':
		if err := json.Unmarshal(raw, &s.Questions); err != nil {
			return History{}, err
		}
		s.Versions = [][]int{{}}
		for i := range s.Questions {
			s.Versions[0] = append(s.Versions[0], i)
		}
	default:
		if err := json.Unmarshal(raw, &s); err != nil {
			return History{}, err
		}
	}

	if err := s.check(); err != nil {
		return History{}, err
	}
	return s.history(), nil
}

// check returns an error if an index is out of range.
func (s stored) check() error {
	for _, version := range s.Versions {
		for _, i := range version {
			if i < 0 || i >= len(s.Questions) {
				return fmt.Errorf("question %d does not exist", i)
			}
		}
	}
	for _, v := range []int{s.Written, s.Accepted} {
		if v < 0 || v >= len(s.Versions) && v > 0 {
			return fmt.Errorf("version %d does not exist", v)
		}
	}
	return nil
}

func (s stored) history() History {
	h := History{written: s.Written, accepted: s.Accepted, restores: s.Restores, replaced: s.Replaced}
	for _, indexes := range s.Versions {
		version := []Question{}
		for _, i := range indexes {
			version = append(version, s.Questions[i])
		}
		h.versions = append(h.versions, version)
	}
	return h
}

// Encode returns the history for private state.
func (h History) Encode() []byte {
	s := stored{IsOpen: h.IsOpen(), Restores: h.restores, Written: h.written, Accepted: h.accepted, Questions: []Question{}, Versions: [][]int{}, Replaced: h.replaced}
	places := map[Question]int{}
	for _, version := range h.versions {
		indexes := make([]int, len(version))
		for i, q := range version {
			place, ok := places[q]
			if !ok {
				place = len(s.Questions)
				places[q], s.Questions = place, append(s.Questions, q)
			}
			indexes[i] = place
		}
		s.Versions = append(s.Versions, indexes)
	}

	raw, _ := json.Marshal(s) // texts and numbers always encode
	return raw
}

// IsOpen evaluates [History.IsOpen] for an encoded history, without decoding the rest.
func IsOpen(raw []byte) bool {
	var s struct {
		IsOpen bool `json:"open"`
	}
	return json.Unmarshal(raw, &s) == nil && s.IsOpen
}

// KeepsIDs reports whether a plan for a configuration equal to the state would keep all question
// IDs, and has no detached answers to report. An ID is "" if the state does not contain one.
func (h History) KeepsIDs(ids []string) bool {
	newest := h.Newest()
	if h.versions == nil {
		return true
	}
	return !h.restores && len(h.movedIDs(newest))+len(h.leftOut(newest)) == 0 && slices.EqualFunc(newest, ids, func(q Question, id string) bool {
		r, isReplaced := h.replaced[q.ID]
		return (!isReplaced || r.Logged == Separate) && (id == "" || id == q.ID)
	})
}
