package survey

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// AnswersCutOff is what every command calls the damage of a save that left out the id of a
// question: the service gives the question another id, and all answers before stay under the
// old one.
const AnswersCutOff = "answers cut off"

// CutQuestion is a question of a survey whose answers were cut off.
type CutQuestion struct {
	// Place is its index in the list of the service.
	Place int
	Text  string
	// Live is the id that it has now, Old the one with the answers from before.
	Live, Old string
	CutFacts
	// IsLikely is set when only a similar text says that it is the same question: that is said,
	// and nothing is done about it.
	IsLikely bool
}

// CutFacts are what the service says of a question that has two ids.
type CutFacts struct {
	// Before is how many answers are under the old id, at most; Since how many are under the
	// new one. They are nil where nobody can tell.
	Before *int64 `json:"before,omitempty"`
	Since  *int64 `json:"since,omitempty"`
	// Stays is set when answers came in under both ids, so that the question keeps the one that
	// it has until a person chooses.
	Stays bool `json:"stays,omitempty"`
}

// String says which question it is and how many answers are under which id.
func (c CutQuestion) String() string {
	about := AnswersCutOff
	if c.IsLikely {
		about = "perhaps " + about
	}
	return fmt.Sprintf("questions[%d] %s: %s (%s)", c.Place, Excerpt(types.StringValue(c.Text)), about, c.Answers())
}

// Answers says how many answers are under which id.
func (c CutQuestion) Answers() string {
	now := "it has no id now"
	if c.Live != "" {
		now = fmt.Sprintf("under its new id %s: %s", c.Live, answers(c.Since, ""))
	}
	return fmt.Sprintf("under its old id %s: %s; %s", c.Old, answers(c.Before, "at most "), now)
}

// answers are a number of answers in words, most what stands before it.
func answers(n *int64, most string) string {
	switch {
	case n == nil:
		return "an unknown number"
	case *n == 0:
		return "none"
	}
	return fmt.Sprint(most, *n)
}

// GiveBackCommand is the command that gives questions their old ids back, and with them the
// answers from before.
func GiveBackCommand(name string, cut ...CutQuestion) string {
	words := []string{"posthog-sync repair", escape.Shell(name)}
	for _, c := range cut {
		question := c.Live
		if question == "" { // the service gave it none
			question = fmt.Sprintf("questions[%d]", c.Place)
		}
		words = append(words, "--question", escape.Shell(question+"="+c.Old))
	}
	return strings.Join(words, " ")
}

// cut is what is remembered of a question that got another id in a save without its id. It is
// the same question under both: an edit of ids is damage, and nobody means it.
type cut struct {
	// Old is the id that the question had before all saves of that kind.
	Old string `json:"old"`
	CutFacts
	// IsLikely is set when only a similar text says so.
	IsLikely bool `json:"likely,omitempty"`
}

// root is the id by which all ids of a question are known to be one.
func (h QuestionHistory) root(id string) string {
	if c, ok := h.cuts[id]; ok && !c.IsLikely {
		return c.Old
	}
	return id
}

// Wanted is the id that a question of the service is to have which has an id now: the one
// with its answers, unless there are answers under both.
func (h QuestionHistory) Wanted(id string) string {
	if h.cuts[id].Stays {
		return id
	}
	return h.root(id)
}

// Cut are those of the questions that the service holds whose answers are cut off.
func (h QuestionHistory) Cut(live []Question) []CutQuestion {
	var found []CutQuestion
	for i, q := range live {
		if c, ok := h.cuts[q.ID.ValueString()]; ok {
			found = append(found, CutQuestion{Place: i, Text: q.Question.ValueString(), Live: q.ID.ValueString(), Old: c.Old, CutFacts: c.CutFacts, IsLikely: c.IsLikely})
		}
	}
	return found
}

// Judged is the history with what the service says of a question of [QuestionHistory.Known].
// What it once said holds while it says nothing.
func (h QuestionHistory) Judged(live string, said CutFacts) QuestionHistory {
	h.cuts = maps.Clone(h.cuts)
	if c := h.cuts[live]; said.Since != nil || c.Since == nil {
		c.CutFacts = said
		h.cuts[live] = c
	}
	return h
}

// Returned is the history after somebody has given a question of [QuestionHistory.Known] the
// id back that it has now: it had that before the remembered one.
func (h QuestionHistory) Returned(live string) QuestionHistory {
	h.cuts = maps.Clone(h.cuts)
	h.moveRoot(h.cuts[live].Old, live)
	return h
}

// Known are the cut questions among those that the service holds which are certainly the same
// under both ids: under which their answers are is to be asked at each read, since people go on
// answering.
func (h QuestionHistory) Known(live []Question) []CutQuestion {
	return slices.DeleteFunc(h.Cut(live), func(c CutQuestion) bool { return c.IsLikely })
}

// moveRoot makes an id the one that a question is to have.
func (h QuestionHistory) moveRoot(from, to string) {
	delete(h.cuts, to)
	for id, c := range h.cuts {
		if c.Old == from {
			h.cuts[id] = cut{Old: to}
		}
	}
	h.cuts[from] = cut{Old: to}
}

// settle keeps the cuts after a write of questions: whichever ids it wrote, the plan has said
// so, and they are the ones from then on.
func (h *QuestionHistory) settle(written []Question) {
	h.cuts = maps.Clone(h.cuts)
	maps.DeleteFunc(h.cuts, func(_ string, c cut) bool { return c.IsLikely })
	for id, c := range h.cuts {
		h.cuts[id] = cut{Old: c.Old}
	}
	for _, q := range written {
		id := q.ID.ValueString()
		if old := h.root(id); old != id {
			h.moveRoot(old, id)
		}
	}
	h.forgetCuts()
}

// forgetCuts drops what is known of ids that no remembered list has.
func (h *QuestionHistory) forgetCuts() {
	maps.DeleteFunc(h.cuts, func(id string, _ cut) bool { return !h.held(id) })
	if len(h.cuts) == 0 {
		h.cuts = nil
	}
}

// held reports whether any remembered list had a question.
func (h QuestionHistory) held(id string) bool {
	return slices.ContainsFunc(h.lists, func(list []Question) bool { return hasID(list, id) })
}

func hasID(list []Question, id string) bool { return placeOfID(list, id) >= 0 }

func placeOfID(list []Question, id string) int {
	return slices.IndexFunc(list, func(q Question) bool { return q.ID.ValueString() == id })
}

// noteCuts recognizes the questions of a read that have other ids than the code knows them
// by. What the code knows is the list of the last write, and what the service held since.
func (h *QuestionHistory) noteCuts(live []Question) {
	h.cuts = maps.Clone(h.cuts)
	if h.cuts == nil {
		h.cuts = map[string]cut{}
	}
	// Where both ids are there, they are of two questions.
	maps.DeleteFunc(h.cuts, func(id string, c cut) bool { return hasID(live, id) && hasID(live, c.Old) })

	s := idSearch{QuestionHistory: h, live: live}
	since := h.lists[:min(h.written+1, len(h.lists))]
	for _, list := range since {
		s.findTexts(list)
	}
	if before := s.beforeSave(since); before != nil {
		s.findEdited(before)
	}
}

// idSearch looks for the questions of a read under other ids.
type idSearch struct {
	*QuestionHistory
	live []Question
}

// isUnknown reports whether a live question has an id by which the code does not know it.
func (s idSearch) isUnknown(i int) bool {
	id := s.live[i].ID.ValueString()
	_, isCut := s.cuts[id]
	return id != "" && !isCut && !hasID(s.lists[s.written], id) && !s.isRoot(id)
}

func (s idSearch) isRoot(id string) bool {
	for _, c := range s.cuts {
		if c.Old == id && !c.IsLikely {
			return true
		}
	}
	return false
}

// isGone reports whether the service does not hold a question, under any id.
func (s idSearch) isGone(q Question) bool {
	root := s.root(q.ID.ValueString())
	return root != "" && !slices.ContainsFunc(s.live, func(other Question) bool { return s.root(other.ID.ValueString()) == root })
}

// findTexts finds questions of a list that have another id, with their types and texts, one
// after the other.
func (s idSearch) findTexts(list []Question) {
	for i, q := range s.live {
		if !s.isUnknown(i) {
			continue
		}
		j := slices.IndexFunc(list, func(other Question) bool { return saysTheSame(q, other) && s.isGone(other) })
		if j >= 0 {
			s.join(q.ID.ValueString(), s.root(list[j].ID.ValueString()), false)
		}
	}
}

func saysTheSame(q, other Question) bool {
	a, b := q.Question.ValueString(), other.Question.ValueString()
	return q.Type.ValueString() == other.Type.ValueString() && (SameMarkup(a, b) || SameMarkup(b, a))
}

// beforeSave is the list that a save has changed which left the read; nil where it is no
// longer known.
func (s idSearch) beforeSave(since [][]Question) []Question {
	for _, list := range since {
		if slices.ContainsFunc(list, func(q Question) bool { return !hasID(s.live, q.ID.ValueString()) }) ||
			slices.ContainsFunc(s.live, func(q Question) bool { return !hasID(list, q.ID.ValueString()) }) {
			return list
		}
	}
	return nil
}

// findEdited finds questions that have another id and another text. A save that kept no id at
// all is one without ids: then a text that is alike is that of the same question. Otherwise
// somebody may have deleted one question and added another that is alike; and a place alone says
// little where a save kept at least a text, and nothing else.
func (s idSearch) findEdited(before []Question) {
	config := keysOnly(s.live)
	isWithoutIDs, isSameText := true, false
	for i := range config {
		isFresh := !hasID(before, config[i].ID.ValueString())
		isWithoutIDs = isWithoutIDs && isFresh
		isSameText = isSameText || isFresh && slices.ContainsFunc(before, func(q Question) bool { return saysTheSame(config[i], q) })
		if isFresh {
			config[i].ID = types.StringNull()
		}
	}

	for i, from := range Match(before, QuestionHistory{}, config) {
		isAlike := !from.ByPosition
		if from.Prior >= 0 && s.isUnknown(i) && s.isGone(before[from.Prior]) && (isAlike || isWithoutIDs && isSameText) {
			s.join(s.live[i].ID.ValueString(), s.root(before[from.Prior].ID.ValueString()), !isWithoutIDs || !isAlike)
		}
	}
}

// join records that a live id is that of a question which had another one. An id from before
// the last write is given back; of any other one the service is to be asked.
func (s idSearch) join(live, old string, isLikely bool) {
	isOlder := QuestionHistory{lists: s.lists[s.written+1:]}.held(live)
	switch {
	case isLikely:
		s.cuts[live] = cut{Old: old, IsLikely: true}
	case isOlder:
		s.moveRoot(old, live)
	default:
		s.cuts[live] = cut{Old: old}
	}
}
