package identity

import (
	"cmp"
	"slices"
)

// Rule is the reason for which two questions are one.
type Rule int

// The rules, in the order in which they apply.
const (
	// New is a question that none of the other version is.
	New Rule = iota
	SameID
	Identical
	SameText
	SimilarText
	SamePosition
)

// Pair is what a question of one version is in another one.
type Pair struct {
	// Index is its index in the list that PostHog holds, or in the version before; -1 for none.
	Index int
	// ID is the ID that the question keeps; empty for a new one.
	ID string
	// Was is what the question said last, with the ID that it had; zero for a new one.
	Was  Question
	Rule Rule
	// IsCertain is set where nothing else can be meant. What is only possible is reported.
	IsCertain bool
	// Candidates are the questions that it may be where there are several; it is New then.
	Candidates []Question
}

// Match says which question of one version each question of a later one is. See [History.Match].
func Match(earlier, later []Question) []Pair { return History{}.Match(earlier, later) }

// The match is a table of rules, each for the questions that the rules before it left over:
//
//	rule          type  text     content   certain
//	SameID                                 always; an ID in the configuration wins
//	Identical     =     =        =         always; equal ones are paired in order, nearest first
//	SameText      =     =        closest   if no other question may be it
//	SimilarText   =     closest            from three quarters of the letter pairs, or from a half
//	                                       between the same neighbors, if no other may be it
//	SamePosition  =                        never; and only if all others are in place
//
// A question that says what it said before the last write, and nothing else now, is possible, too:
// the configuration went back.
//
// Texts are compared as [markup.Canonical], content by the share of its parts in common. A text is
// similar from one half of its letter pairs. "Closest" means that each is the closest of the
// other by a clear margin. Where it isn't, the position decides if nothing moved; else the
// questions have several candidates, and none of them is taken. Another question may be it if it has
// the same or a similar text, and no rule has certainly paired it; or if it is equal to one of the two.
//
// A pair of the same content and a similar text goes before one of the same text and other
// content, which is then a new question beside it (see preferSameContent). A question whose text
// is closer to one of another type was retyped, and is new.
//
// The other version is one list for [Match]. For [History.Match] it is all that is remembered: each
// entity has a record for each version that has it, ranked: first the base, which is the
// version that the configuration was most likely written from, then the others since the last
// write. A better rank goes first within a rule. A question that PostHog no longer holds was deleted:
// within a rule it is considered after one that is as close, and it is only possible. One that a write
// deleted is considered by its ID alone. Of equal ones, one that a write had goes before one that was
// added in PostHog. A question that the configuration never had is not taken for a reworded one, nor by
// its position, and only possibly for one with other content.
const (
	// certainShare is the share of letter pairs from which a reworded text is certain.
	certainShare = 0.75
	// similarShare is the share from which it is possible.
	similarShare = 0.5
	// clearMargin is how much closer the closest has to be.
	clearMargin = 0.1
)

// Match says for each question of a configuration which entity it is. live is what PostHog
// holds now.
func (h History) Match(live, config []Question) []Pair {
	m := newMatcher(h, live, config)
	m.pairByID()
	m.pairIdentical(true)
	m.pairIdentical(false)
	m.pairSameText()
	m.pairSimilar()
	m.pairByPast()
	m.pairByPosition()
	m.restoreConfiguredIDs()
	return m.pairs()
}

// found is what a question of the configuration was found to be.
type found struct {
	entity    int // -1 for none
	rule      Rule
	isCertain bool
	// candidates are entities where several are possible.
	candidates []int
	// isRetyped is set where the question is rather one of another type.
	isRetyped bool
	// held is the question that PostHog holds in place of an entity, -1 for none. See linkReplaced.
	held int
}

// matcher pairs the questions of a configuration with the entities that are remembered.
type matcher struct {
	texts
	config   []Question
	entities []entity
	// base are the entities of the base version, by their positions.
	base  []int
	found []found
	// taken is set for an entity that is paired, or a candidate.
	taken []bool
}

func newMatcher(h History, live, config []Question) *matcher {
	m := &matcher{texts: newTexts(), config: config}
	m.entities, m.base = h.entities(m.texts, live, config)
	m.taken = make([]bool, len(m.entities))
	m.found = slices.Repeat([]found{{entity: -1, held: -1}}, len(config))
	return m
}

func (m *matcher) take(i, k int, rule Rule, isCertain bool) {
	m.found[i] = found{entity: k, rule: rule, isCertain: isCertain, held: -1}
	m.taken[k] = true
}

// isOpen reports whether a question of the configuration is to be paired by what it says.
func (m *matcher) isOpen(i int) bool {
	f := m.found[i]
	return f.entity < 0 && len(f.candidates) == 0 && m.config[i].ID == "" && m.config[i].Type != Unknown
}

// isFree reports whether an entity is to be paired.
func (m *matcher) isFree(k int) bool { return !m.taken[k] && !m.entities[k].isDropped }

// pairs are the result.
func (m *matcher) pairs() []Pair {
	pairs := make([]Pair, len(m.config))
	for i, f := range m.found {
		pairs[i] = Pair{Index: -1, ID: statedID(m.config[i])}
		for _, k := range f.candidates {
			pairs[i].Candidates = append(pairs[i].Candidates, m.entities[k].last())
		}
		if f.entity < 0 {
			continue
		}

		k := m.entities[f.entity]
		pairs[i].Index, pairs[i].Was, pairs[i].Rule, pairs[i].IsCertain = k.current, k.last(), f.rule, f.isCertain
		pairs[i].ID = cmp.Or(pairs[i].ID, k.id)
		if f.held >= 0 {
			pairs[i].Index = m.entities[f.held].current
		}
	}
	return pairs
}

// restoreConfiguredIDs finds, for questions whose configured ID PostHog no longer holds, the one that it
// holds under another ID: a save replaced the ID, and the configuration restores it.
func (m *matcher) restoreConfiguredIDs() {
	for i, f := range m.found {
		if f.rule != SameID || m.entities[f.entity].isHeld() {
			continue
		}

		closest, share := -1, 0.0
		for k, candidate := range m.entities {
			if !m.isFree(k) || !candidate.isHeld() || candidate.isWritten || candidate.currentType != m.config[i].Type {
				continue
			}
			similarity := max(m.similarity(m.config[i].Text, candidate.newest.Text), m.similarity(m.entities[f.entity].newest.Text, candidate.newest.Text))
			if m.same(m.config[i].Text, candidate.newest.Text) {
				similarity = 1
			}
			if similarity >= similarShare && similarity > share {
				closest, share = k, similarity
			}
		}
		if closest >= 0 {
			m.found[i].held, m.taken[closest] = closest, true
		}
	}
}

func statedID(q Question) string {
	if q.ID == Unknown {
		return ""
	}
	return q.ID
}

func (m *matcher) pairByID() {
	for i, q := range m.config {
		if statedID(q) == "" {
			continue
		}
		for k := range m.entities {
			if m.entities[k].hasID(q.ID) && !m.taken[k] {
				m.take(i, k, SameID, true)
				break
			}
		}
	}
}

// class is what identical questions share.
type class struct {
	kind, text string
	content    Content
}

func (m *matcher) classify(q Question) (class, bool) {
	return class{q.Type, m.of(q.Text), q.Content}, q.Text != Unknown && q.Content.isKnown()
}

// pairIdentical pairs questions that are equal in everything, rank by rank.
func (m *matcher) pairIdentical(isHeld bool) {
	open := map[class][]int{}
	for i, q := range m.config {
		if c, ok := m.classify(q); ok && m.isOpen(i) {
			open[c] = append(open[c], i)
		}
	}
	if len(open) == 0 {
		return
	}

	byRank, bestRanks := map[int]map[class][]seat{}, map[class]map[int]int{}
	for k := range m.entities {
		for _, s := range m.entities[k].records {
			c, ok := m.classify(s.Question)
			if !ok || len(open[c]) == 0 || !m.isFree(k) || m.entities[k].isHeld() != isHeld {
				continue
			}
			if byRank[s.rank] == nil {
				byRank[s.rank] = map[class][]seat{}
			}
			byRank[s.rank][c] = append(byRank[s.rank][c], seat{s.position, k})
			if bestRanks[c] == nil {
				bestRanks[c] = map[int]int{}
			}
			if _, isRanked := bestRanks[c][k]; !isRanked {
				bestRanks[c][k] = s.rank
			}
		}
	}

	// What one question alone ever said goes before what several said.
	for rank := range m.ranks() {
		for c, best := range bestRanks {
			for k, bestRank := range best {
				if len(best) == 1 && len(open[c]) == 1 && bestRank == rank && !m.taken[k] {
					m.take(open[c][0], k, Identical, isHeld)
				}
			}
		}
	}
	// Of several, one that a write had goes before one that was added in PostHog.
	for _, isAdded := range []bool{false, true} {
		for rank := range m.ranks() {
			for c, seats := range byRank[rank] { // classes share no question of the configuration
				isOther := func(s seat) bool { return m.entities[s.entity].isWritten == isAdded }
				m.pairInOrder(open[c], slices.DeleteFunc(slices.Clone(seats), isOther), isHeld)
			}
		}
	}
}

// ranks is the number of versions.
func (m *matcher) ranks() int {
	ranks := 0
	for _, k := range m.entities {
		for _, s := range k.records {
			ranks = max(ranks, s.rank+1)
		}
	}
	return ranks
}

// seat is an entity at its position in a version.
type seat struct{ position, entity int }

// pairInOrder pairs equal questions in the order in which they stand, each with the nearest
// position: of all ways to do so, the one with the least total distance; of several, the first.
func (m *matcher) pairInOrder(open []int, seats []seat, isCertain bool) {
	open = slices.DeleteFunc(slices.Clone(open), func(i int) bool { return !m.isOpen(i) })
	seats = slices.DeleteFunc(seats, func(s seat) bool { return m.taken[s.entity] })
	slices.SortFunc(seats, func(a, b seat) int { return cmp.Compare(a.position, b.position) })

	for _, pair := range nearest(len(open), len(seats), func(i, j int) int { return max(open[i]-seats[j].position, seats[j].position-open[i]) }) {
		m.take(open[pair[0]], seats[pair[1]].entity, Identical, isCertain)
	}
}

// nearest pairs as many of n and k things in a row as there are on both sides, without one pair
// crossing another, with the least sum of distances. Of equal sums it prefers the first things.
func nearest(n, k int, distance func(i, j int) int) [][2]int {
	if n > k {
		pairs := nearest(k, n, func(i, j int) int { return distance(j, i) })
		for p := range pairs {
			pairs[p][0], pairs[p][1] = pairs[p][1], pairs[p][0]
		}
		return pairs
	}

	// best[i][j] is the least sum for the things from i on with those from j on.
	const impossible = 1 << 30
	best := make([][]int, n+1)
	for i := n; i >= 0; i-- {
		best[i] = make([]int, k+1)
		for j := k; j >= 0; j-- {
			switch {
			case i == n:
			case k-j < n-i:
				best[i][j] = impossible
			default:
				best[i][j] = distance(i, j) + best[i+1][j+1]
				if j+1 <= k {
					best[i][j] = min(best[i][j], best[i][j+1])
				}
			}
		}
	}

	var pairs [][2]int
	for i, j := 0, 0; i < n; j++ {
		if distance(i, j)+best[i+1][j+1] == best[i][j] {
			pairs = append(pairs, [2]int{i, j})
			i++
		}
	}
	return pairs
}

// Compare says which question of one version each question of a later one is, where IDs need not
// agree: an ID that the version before lacks tells nothing, as after a save without IDs, or in a
// copy of a survey.
func Compare(earlier, later []Question) []Pair {
	questions := slices.Clone(later)
	for i, q := range later {
		if !has(earlier, q.ID) {
			questions[i].ID = ""
		}
	}
	return Match(earlier, questions)
}
