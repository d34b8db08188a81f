package past

import (
	"fmt"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Match says how a question was recognized that has another id than before.
type Match string

// The ways to recognize a question. All of them are certain.
const (
	// ByID is a question that has its ID.
	ByID Match = "id"
	// ByText is one of its type, text, and content, or with nothing else that could be meant.
	ByText Match = "text"
)

// Lineage is one question, under all ids that it had.
type Lineage struct {
	// Holdings are its ids, in the order in which it got them.
	Holdings []Holding
	// IsShared is set when several questions had one of the ids at a time.
	IsShared bool

	// first is the index of the first list that has it.
	first int
	// said is all that it ever said, the newest last.
	said []Question
}

// Holding is an id that a question had.
type Holding struct {
	ID string
	// Last is what the question said under it last.
	Last Question
	// Match says how the question was recognized when it got this id.
	Match Match
	// Source is where the id is known from.
	Source Source
	// From and Until are when it got and lost the id; zero where that is not known, or for
	// one that it had from the beginning, or has still.
	From, Until time.Time

	firstList, lastList int
}

// WasLostBefore reports whether the id was lost before a question got another one.
func (h Holding) WasLostBefore(later Holding) bool { return h.lastList < later.firstList }

// hold adds what a list says about the question.
func (l *Lineage) hold(k int, list List, q Question, match Match) {
	l.said = append(l.said, q)
	if q.ID == "" {
		return
	}
	i := slices.IndexFunc(l.Holdings, func(h Holding) bool { return h.ID == q.ID })
	if i < 0 {
		i = len(l.Holdings)
		l.Holdings = append(l.Holdings, Holding{ID: q.ID, Match: match, Source: list.Source, From: list.At, firstList: k})
	}
	l.Holdings[i].Last, l.Holdings[i].lastList = q, k
}

// IsRestored reports whether the question has an id that it had before others: somebody wrote it
// back, and that was a decision.
func (l *Lineage) IsRestored(id string) bool {
	newest := len(l.Holdings) - 1
	return id != "" && newest >= 0 && l.Holdings[newest].ID != id
}

// Last is what the question said last.
func (l *Lineage) Last() Question { return l.said[len(l.said)-1] }

// HasEverBeen reports whether the question ever had the type and text of another one.
func (l *Lineage) HasEverBeen(q Question) bool { return slices.ContainsFunc(l.said, q.asks) }

// step follows the questions from one list to the next.
type step struct {
	t             *Timeline
	before, after []Question
	// from are the lineages of before, to those of after: nil for one that is not found yet.
	from, to []*Lineage
	how      []Match
}

// run finds the lineages of a list: those of the list before. Where the feed does not show the
// save, IDs alone are certain: there may have been others between.
func (s *step) run(isLogged bool) {
	s.keepIDs()
	if !isLogged {
		return
	}

	old, current := Identities(s.before), Identities(s.after)
	for j := range old {
		old[j].ID = s.placeholderID(s.from[j])
	}
	for i := range current {
		current[i].ID = s.placeholderID(s.to[i])
	}
	for i, pair := range identity.Match(old, current) {
		// Nobody can tell whether a similar text under another ID asks the same.
		if pair.Index >= 0 && pair.IsCertain && pair.Rule <= identity.SameText {
			s.claim(i, s.from[pair.Index], ByText)
		}
	}
}

// placeholderID is an ID for a lineage, under all IDs that it had; empty for none.
func (s *step) placeholderID(line *Lineage) string {
	if index := slices.Index(s.t.Lineages, line); index >= 0 {
		return fmt.Sprint("lineage ", index)
	}
	return ""
}

// claim gives a question a lineage, unless it or the lineage is taken.
func (s *step) claim(i int, line *Lineage, match Match) {
	if s.to[i] == nil && !slices.Contains(s.to, line) {
		s.to[i], s.how[i] = line, match
	}
}

// keepIDs finds the questions that have their ids.
func (s *step) keepIDs() {
	for i, q := range s.after {
		line := s.t.byID[q.ID]
		if q.ID == "" || line == nil {
			continue
		}
		if j := slices.Index(s.to, line); j >= 0 && s.after[j].ID != q.ID {
			line = s.split(line, q.ID, s.after[j].ID)
			if s.t.byID[s.after[j].ID] != s.to[j] { // it is the other one that goes
				s.to[j], line = line, s.t.byID[q.ID]
			}
		}
		s.to[i], s.how[i] = line, ByID
	}
}

// split parts a lineage whose ids are in one list: they are two questions. The one that the list
// before had stays, else the newer one. It returns the lineage that is new.
func (s *step) split(line *Lineage, id, otherID string) *Lineage {
	movedID := id
	hadID := func(id string) bool {
		return slices.ContainsFunc(s.before, func(q Question) bool { return q.ID == id })
	}
	if index := line.place(id); hadID(id) && !hadID(otherID) || hadID(id) == hadID(otherID) && index > line.place(otherID) {
		movedID = otherID
	}

	i := line.place(movedID)
	parted := &Lineage{Holdings: []Holding{line.Holdings[i]}, first: line.first, said: slices.Clone(line.said)}
	line.Holdings = slices.Delete(line.Holdings, i, i+1)
	parted.Holdings[0].Match, line.Holdings[0].Match = "", ""
	s.t.byID[movedID] = parted
	s.t.Lineages = append(s.t.Lineages, parted)
	return parted
}

// place is the index of an id in the order in which the question got them.
func (l *Lineage) place(id string) int {
	return slices.IndexFunc(l.Holdings, func(h Holding) bool { return h.ID == id })
}
