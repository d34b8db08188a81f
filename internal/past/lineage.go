package past

import (
	"fmt"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Match describes how a question was recognized although its ID changed.
type Match string

// Reliable ways to recognize a question.
const (
	// ByID means that the question has the ID.
	ByID Match = "id"
	// ByText means that type, text, and content are the same, or that no other match is plausible.
	ByText Match = "text"
)

// Lineage is one question under all IDs that it had.
type Lineage struct {
	// Holdings are its IDs, in the order in which the question received them.
	Holdings []Holding
	// IsShared is set if several questions had one of the IDs at the same time.
	IsShared bool

	// first is the index of the first list that contains the question.
	first int
	// said are all forms of the question, newest last.
	said []Question
}

// Holding is an ID that a question had, and the periods during which it had it.
type Holding struct {
	ID string
	// Last is the latest form of the question under the ID.
	Last Question
	// Match describes how the question was recognized when it received the ID.
	Match Match
	// Source is where the ID was found.
	Source Source
	// Periods are the periods during which the question had the ID, oldest first. There are several if someone
	// restored the ID.
	Periods []Period
}

// Period is the time from the save that gave an ID to a question until the save that took it away. The times are zero
// if they are unknown, if the question had the ID from the beginning, or if it still has the ID.
type Period struct {
	From, Until time.Time

	firstList, lastList int
}

// WasLostBefore reports whether the ID was lost before the other one was received.
func (h Holding) WasLostBefore(later Holding) bool {
	return h.lastPeriod().lastList < later.Periods[0].firstList
}

// IsLost reports whether the question lost the ID at a known time.
func (h Holding) IsLost() bool { return len(h.Periods) > 0 && !h.lastPeriod().Until.IsZero() }

func (h Holding) lastPeriod() Period { return h.Periods[len(h.Periods)-1] }

// hold records the question's form in a list.
func (l *Lineage) hold(k int, list List, q Question, match Match) {
	l.said = append(l.said, q)
	if q.ID == "" {
		return
	}
	i := slices.IndexFunc(l.Holdings, func(h Holding) bool { return h.ID == q.ID })
	if i < 0 {
		i = len(l.Holdings)
		l.Holdings = append(l.Holdings, Holding{ID: q.ID, Match: match, Source: list.Source})
	}

	h := &l.Holdings[i]
	h.Last = q
	if n := len(h.Periods); n == 0 || h.Periods[n-1].lastList < k-1 {
		h.Periods = append(h.Periods, Period{From: list.At, firstList: k})
	}
	h.Periods[len(h.Periods)-1].lastList = k
}

// IsRestored reports whether the current ID is older than the newest one. Someone restored it, and
// this decision must be respected.
func (l *Lineage) IsRestored(id string) bool {
	newest := len(l.Holdings) - 1
	return id != "" && newest >= 0 && l.Holdings[newest].ID != id
}

// Last returns the latest form of the question.
func (l *Lineage) Last() Question { return l.said[len(l.said)-1] }

// HasEverBeen reports whether the question ever had the type and text of another one.
func (l *Lineage) HasEverBeen(q Question) bool { return slices.ContainsFunc(l.said, q.asks) }

// step follows the questions from one list to the next.
type step struct {
	t             *Timeline
	before, after []Question
	// from are the old list's lineages, and to those of the current list. A lineage in to is nil until it is found.
	from, to []*Lineage
	how      []Match
}

// run finds the lineages of the current list. If the feed does not show the save, only IDs are
// certain, because other saves may be missing.
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
		current[i].ID = ""
		// An ID that returns was not in the old list. Its question competes with equal questions, so that none of them
		// wrongly continues the question that it replaced.
		if slices.Contains(s.from, s.to[i]) {
			current[i].ID = s.placeholderID(s.to[i])
		}
	}
	for i, pair := range identity.MatchSaved(old, current) {
		if pair.Index >= 0 && pair.IsCertain {
			s.claim(i, s.from[pair.Index], ByText)
		}
	}
}

// placeholderID returns an ID that represents a lineage, or "" without one.
func (s *step) placeholderID(line *Lineage) string {
	if index := slices.Index(s.t.Lineages, line); index >= 0 {
		return fmt.Sprint("lineage ", index)
	}
	return ""
}

// claim assigns a lineage to a question unless either is already taken.
func (s *step) claim(i int, line *Lineage, match Match) {
	if s.to[i] == nil && !slices.Contains(s.to, line) {
		s.to[i], s.how[i] = line, match
	}
}

// keepIDs finds the questions that kept their IDs.
func (s *step) keepIDs() {
	for i, q := range s.after {
		line := s.t.byID[q.ID]
		if q.ID == "" || line == nil {
			continue
		}
		if j := slices.Index(s.to, line); j >= 0 && s.after[j].ID != q.ID {
			line = s.split(line, q.ID, s.after[j].ID)
			if s.t.byID[s.after[j].ID] != s.to[j] { // the other question loses the ID
				s.to[j], line = line, s.t.byID[q.ID]
			}
		}
		s.to[i], s.how[i] = line, ByID
	}
}

// split divides a lineage if one list contains two of its IDs, because they belong to two questions.
// The question in the old list keeps the lineage, or otherwise the newer one does. split returns the
// new lineage.
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

// place returns the index of an ID among the holdings.
func (l *Lineage) place(id string) int {
	return slices.IndexFunc(l.Holdings, func(h Holding) bool { return h.ID == id })
}
