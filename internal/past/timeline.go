// Package past reconstructs the history of a survey's questions from the activity log, snapshots,
// and Terraform state. It finds questions whose IDs a save replaced, and plans which old IDs to
// restore.
//
// Two questions in two lists are the same if they have the same ID, or if no other match is
// plausible. A planned restore is either certain or confirmed by the user. The package must not
// assign an ID to a different question, and must not detach answers without reporting it. Start
// reading at [Follow] for the history, and at [PlanRepair] for repairs.
package past

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
)

// Source is the origin of a list of questions.
type Source string

// The possible sources.
const (
	FromFeed     Source = "activity"
	FromSnapshot Source = "snapshot"
	FromState    Source = "state"
	FromLive     Source = "live"
)

// NoRequest is the request index of a list that no request in the activity log created.
const NoRequest = -1

// List is the list of a survey's questions at one point in time.
type List struct {
	Questions []Question
	Source    Source
	// At is when the list was saved, and By who saved it. They are zero if unknown.
	At time.Time
	By string
	// Request is the index of the request in the feed that created the list, or NoRequest.
	Request int
}

// Timeline follows the questions of a survey through all known lists.
type Timeline struct {
	// Lists are in order from oldest to newest. The last one contains the live questions.
	Lists []List
	// Lineages are all questions, in order of appearance.
	Lineages []*Lineage
	// Members contains the lineages of each list's questions. Matches tells how each was
	// recognized.
	Members [][]*Lineage
	Matches [][]Match

	byID map[string]*Lineage
}

// Follow builds a survey's timeline. live are its current questions. older are lists from other
// sources, oldest first. They count as older than the feed. A list that the feed also contains is
// ignored.
func Follow(live []Question, feed Feed, older ...List) *Timeline {
	lists := feed.lists()
	if last := len(lists) - 1; last < 0 || !sameQuestions(lists[last].Questions, live) {
		lists = append(lists, List{Questions: live, Source: FromLive, Request: NoRequest})
	}

	var before []List
	for _, list := range older {
		isKnown := func(l List) bool { return sameQuestions(l.Questions, list.Questions) }
		if !slices.ContainsFunc(lists, isKnown) && !slices.ContainsFunc(before, isKnown) {
			list.Request = NoRequest
			before = append(before, list)
		}
	}
	return newTimeline(append(before, lists...))
}

func newTimeline(lists []List) *Timeline {
	t := &Timeline{Lists: lists, byID: map[string]*Lineage{}}
	for k, list := range lists {
		s := step{t: t, after: list.Questions, to: make([]*Lineage, len(list.Questions)), how: make([]Match, len(list.Questions))}
		if k > 0 {
			s.before, s.from = lists[k-1].Questions, t.Members[k-1]
		}
		s.run(list.Request != NoRequest)
		t.add(k, &s)
	}

	for _, line := range t.Lineages {
		for _, holding := range line.Holdings {
			for i := range holding.Periods {
				if next := holding.Periods[i].lastList + 1; next < len(lists) {
					holding.Periods[i].Until = lists[next].At
				}
			}
		}
	}
	return t
}

// add adds the lineages of a list, including new ones.
func (t *Timeline) add(k int, s *step) {
	list := t.Lists[k]
	for i, q := range list.Questions {
		isShared := q.ID != "" && isRepeated(list.Questions, q.ID)
		if s.to[i] == nil && isShared {
			s.to[i] = t.byID[q.ID]
		}
		if s.to[i] == nil {
			s.to[i] = &Lineage{first: k}
			t.Lineages = append(t.Lineages, s.to[i])
		}

		line := s.to[i]
		line.IsShared = line.IsShared || isShared
		line.hold(k, list, q, s.how[i])
		if q.ID != "" {
			t.byID[q.ID] = line
		}
	}
	t.Members, t.Matches = append(t.Members, s.to), append(t.Matches, s.how)
}

// Live returns the current questions of the survey.
func (t *Timeline) Live() []Question { return t.Lists[len(t.Lists)-1].Questions }

// LiveLineages returns the lineages of the current questions.
func (t *Timeline) LiveLineages() []*Lineage { return t.Members[len(t.Lists)-1] }

// IsLive reports whether a current question has an ID.
func (t *Timeline) IsLive(id string) bool {
	return slices.ContainsFunc(t.Live(), func(q Question) bool { return q.ID == id })
}

// IsAsked reports whether a current question has or had an ID.
func (t *Timeline) IsAsked(id string) bool { return slices.Contains(t.LiveLineages(), t.byID[id]) }

// IsRestored reports whether someone restored an earlier ID of a current question.
func (t *Timeline) IsRestored(id string) bool {
	line := t.byID[id]
	return line != nil && line.IsRestored(id)
}

// IDs returns all IDs that a current question had.
func (t *Timeline) IDs(position int) (ids []string) {
	for _, holding := range t.LiveLineages()[position].Holdings {
		ids = append(ids, holding.ID)
	}
	return ids
}

// LostIDs returns the IDs of a lineage that no current question has.
func (t *Timeline) LostIDs(line *Lineage) []Holding {
	return slices.DeleteFunc(slices.Clone(line.Holdings), func(h Holding) bool { return t.IsLive(h.ID) })
}

// movedIDs returns, for each current question that a save gave the ID of another one, its form under its own ID. It
// ignores IDs that other questions keep, because no repair can restore them.
func (t *Timeline) movedIDs() []identity.Question {
	var versions [][]identity.Question
	for _, list := range t.Lists {
		versions = append(versions, Identities(list.Questions))
	}

	moved := make([]identity.Question, len(t.Live()))
	for i, m := range identity.MovedIDs(versions, versions[len(versions)-1]) {
		if !m.IsTaken && !m.IsExchanged {
			moved[i] = m.Was
		}
	}
	return moved
}

// CutOff counts the current questions that have answers under an ID that they lost.
func (t *Timeline) CutOff() int {
	n := 0
	for i, line := range t.LiveLineages() {
		if len(t.LostIDs(line)) > 0 && !line.IsRestored(t.Live()[i].ID) {
			n++
		}
	}
	return n
}

// MissingLineages returns the questions that the survey no longer has.
func (t *Timeline) MissingLineages() []*Lineage {
	return slices.DeleteFunc(slices.Clone(t.Lineages), func(l *Lineage) bool { return slices.Contains(t.LiveLineages(), l) })
}

// LostTogether reports whether one save replaced the IDs of two equal questions. No one can tell which of the two a
// later question continues.
func (t *Timeline) LostTogether(id, otherID string) bool {
	find := func(k int, id string) int {
		return slices.IndexFunc(t.Lists[k].Questions, func(q Question) bool { return q.ID == id })
	}
	for k := len(t.Lists) - 2; k >= 0; k-- {
		i, j := find(k, id), find(k, otherID)
		if i < 0 || j < 0 {
			continue
		}
		return t.Lists[k].Questions[i].isTwin(t.Lists[k].Questions[j]) && find(k+1, id) < 0 && find(k+1, otherID) < 0
	}
	return false
}

// Holding finds an ID that a question of the survey has or had.
func (t *Timeline) Holding(id string) (Holding, bool) {
	line := t.byID[id]
	if line == nil || id == "" {
		return Holding{}, false
	}
	return line.Holdings[line.place(id)], true
}

// Predecessors returns the questions that another one may have replaced. It guesses by a similar text or
// the position. match compares the lists before and after.
func (t *Timeline) Predecessors(line *Lineage, match matching) []*Lineage {
	if line.first == 0 {
		return nil
	}
	i := slices.Index(t.Members[line.first], line)
	if i < 0 {
		return nil
	}

	old, current := Identities(t.Lists[line.first-1].Questions), Identities(t.Lists[line.first].Questions)
	pair := match(old, current)[i]
	guesses := pair.Candidates
	if pair.Index >= 0 {
		guesses = []identity.Question{old[pair.Index]}
	}
	var lines []*Lineage
	for k, q := range old {
		isEqual := func(guess identity.Question) bool { guess.ID = q.ID; return guess == q }
		if slices.ContainsFunc(guesses, isEqual) {
			lines = append(lines, t.Members[line.first-1][k])
		}
	}
	return lines
}

// matching pairs the questions of two lists.
type matching func(earlier, later []identity.Question) []identity.Pair

// Question is a question as a list contains it.
type Question struct {
	identity.Question
	// rest is the JSON of all fields except the ID. It is empty if the source does not contain the fields.
	rest string
}

// Identities returns the values by which questions are compared.
func Identities(list []Question) []identity.Question {
	identities := make([]identity.Question, len(list))
	for i, q := range list {
		identities[i] = q.Question
	}
	return identities
}

// Questions parses a list of questions as PostHog returns it. For null and empty input, it returns an
// empty list. ok is false if the list cannot be followed.
func Questions(raw []byte) (list []Question, ok bool) {
	questions, ok := identity.ParseQuestions(raw)
	var fields []map[string]json.RawMessage
	if !ok || len(questions) == 0 || json.Unmarshal(raw, &fields) != nil {
		return nil, ok
	}

	for i, q := range questions {
		delete(fields[i], "id")
		rest, _ := json.Marshal(fields[i]) // it was decoded from JSON
		list = append(list, Question{q, string(rest)})
	}
	return list, true
}

// ParseQuestionList parses the questions of a survey one by one.
func ParseQuestionList(raws []json.RawMessage) (list []Question, ok bool) {
	for _, raw := range raws {
		question, ok := Questions(slices.Concat([]byte("["), raw, []byte("]")))
		if !ok {
			return nil, false
		}
		list = append(list, question...)
	}
	return list, true
}

// FromIdentities converts questions from a Terraform state.
func FromIdentities(questions []identity.Question) []Question {
	list := make([]Question, len(questions))
	for i, q := range questions {
		list[i].Question = q
	}
	return list
}

// asks reports whether PostHog treats the type and text of two questions as equal.
func (q Question) asks(p Question) bool {
	return q.Type == p.Type && markup.Canonical(q.Text) == markup.Canonical(p.Text)
}

// isTwin reports whether two questions are equal in everything but their IDs.
func (q Question) isTwin(p Question) bool { return q.asks(p) && q.Content == p.Content }

// isEdited reports whether two questions certainly differ in more than their IDs.
func (q Question) isEdited(p Question) bool {
	return q.Text != p.Text || q.rest != "" && p.rest != "" && q.rest != p.rest
}

// sameQuestions reports whether two lists contain the same questions in the same order. It ignores
// content that a source does not have.
func sameQuestions(a, b []Question) bool { return identity.SameVersion(Identities(a), Identities(b)) }

// isRepeated reports whether several questions of a list have the same ID.
func isRepeated(list []Question, id string) bool {
	first := slices.IndexFunc(list, func(q Question) bool { return q.ID == id })
	return first >= 0 && slices.ContainsFunc(list[first+1:], func(q Question) bool { return q.ID == id })
}
