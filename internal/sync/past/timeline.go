// Package past follows the questions of a survey through the lists that it had, which the
// activity feed and other sources remember: which question kept its id, which lost it and has
// another one now, which is new or gone. Two questions of two lists are one if they have one
// id, or if nothing else can be meant.
//
// It gives those that lost their ids the ids back under which their answers are, and writes
// only what is certain or decided by a person: a question never gets the id of another one,
// and answers under one id are never given up for those under another without that being said.
package past

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
)

// Source is where a list of questions is known from.
type Source string

// The sources.
const (
	FromFeed     Source = "activity"
	FromSnapshot Source = "snapshot"
	FromState    Source = "state"
	FromLive     Source = "live"
)

// NoRequest is the request of a list that no request of the feed made.
const NoRequest = -1

// List is the questions of a survey as it had them once.
type List struct {
	Questions []Question
	Source    Source
	// At is when the survey got them, By who saved them; zero where that is not known.
	At time.Time
	By string
	// Request is the index of the request of the feed that made the list, or NoRequest.
	Request int
}

// Timeline are the questions of a survey through all lists that it had.
type Timeline struct {
	// Lists are oldest first. The last one is what the survey has now.
	Lists []List
	// Lineages are all questions, in the order in which they appeared.
	Lineages []*Lineage
	// Members are the lineages of the questions of each list, Matches how each was found.
	Members [][]*Lineage
	Matches [][]Match

	byID map[string]*Lineage
}

// Follow follows the questions of a survey. live are those that it has now. older are lists of
// other sources, oldest first: they count as older than the feed, and one that the feed has
// says nothing new.
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
		for i := range line.Holdings {
			if next := line.Holdings[i].lastList + 1; next < len(lists) {
				line.Holdings[i].Until = lists[next].At
			}
		}
	}
	return t
}

// add adds the lineages of a list, and those of its questions that are new.
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

// Live are the questions that the survey has now.
func (t *Timeline) Live() []Question { return t.Lists[len(t.Lists)-1].Questions }

// LiveLineages are the lineages of the questions that the survey has now.
func (t *Timeline) LiveLineages() []*Lineage { return t.Members[len(t.Lists)-1] }

// IsLive reports whether a question of the survey has an id now.
func (t *Timeline) IsLive(id string) bool {
	return slices.ContainsFunc(t.Live(), func(q Question) bool { return q.ID == id })
}

// LostIDs are the ids of a question that no question has now.
func (t *Timeline) LostIDs(line *Lineage) []Holding {
	return slices.DeleteFunc(slices.Clone(line.Holdings), func(h Holding) bool { return t.IsLive(h.ID) })
}

// CutOff is the number of questions of the survey whose answers are under an id that they lost.
func (t *Timeline) CutOff() int {
	n := 0
	for i, line := range t.LiveLineages() {
		if len(t.LostIDs(line)) > 0 && !line.IsRestored(t.Live()[i].ID) {
			n++
		}
	}
	return n
}

// MissingLineages are the questions that the survey has not any more.
func (t *Timeline) MissingLineages() []*Lineage {
	return slices.DeleteFunc(slices.Clone(t.Lineages), func(l *Lineage) bool { return slices.Contains(t.LiveLineages(), l) })
}

// Holding finds an id that a question of the survey has or had.
func (t *Timeline) Holding(id string) (Holding, bool) {
	line := t.byID[id]
	if line == nil || id == "" {
		return Holding{}, false
	}
	return line.Holdings[line.place(id)], true
}

// Predecessor is the question in whose place a question of the survey came, by the rules of a
// plan: by a similar text or its place. It is a guess, and nil for none.
func (t *Timeline) Predecessor(line *Lineage) *Lineage {
	if line.first == 0 {
		return nil
	}
	i := slices.Index(t.Members[line.first], line)
	if i < 0 {
		return nil
	}
	old, current := Identities(t.Lists[line.first-1].Questions), Identities(t.Lists[line.first].Questions)
	pair := identity.Compare(old, current)[i]
	if pair.Index < 0 {
		return nil
	}
	return t.Members[line.first-1][pair.Index]
}

// Question is what is known of a question in a list.
type Question struct {
	identity.Question
	// rest is everything else that it says; empty where the source does not have it.
	rest string
}

// Identities are what questions are compared by.
func Identities(list []Question) []identity.Question {
	identities := make([]identity.Question, len(list))
	for i, q := range list {
		identities[i] = q.Question
	}
	return identities
}

// Questions reads a list of questions as the service has it; none for null and for no JSON at
// all. Not ok is a list that cannot be followed.
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

// ParseQuestionList are the questions of a survey, element by element.
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

// FromIdentities are questions that a state remembers.
func FromIdentities(questions []identity.Question) []Question {
	list := make([]Question, len(questions))
	for i, q := range questions {
		list[i].Question = q
	}
	return list
}

// asks reports whether two questions have the same type and text to PostHog.
func (q Question) asks(p Question) bool {
	return q.Type == p.Type && markup.Canonical(q.Text) == markup.Canonical(p.Text)
}

// isEdited reports whether two questions are known to differ in more than their IDs.
func (q Question) isEdited(p Question) bool {
	return q.Text != p.Text || q.rest != "" && p.rest != "" && q.rest != p.rest
}

// sameQuestions reports whether two lists have the same questions, in one order. Content that a source
// does not have is no difference: it is what tells questions of one text apart.
func sameQuestions(a, b []Question) bool { return identity.SameVersion(Identities(a), Identities(b)) }

// isRepeated reports whether several questions of a list have an ID.
func isRepeated(list []Question, id string) bool {
	first := slices.IndexFunc(list, func(q Question) bool { return q.ID == id })
	return first >= 0 && slices.ContainsFunc(list[first+1:], func(q Question) bool { return q.ID == id })
}
