package identity

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
)

// Rule is the reason why two questions are paired.
type Rule int

// The rules, in the order in which they apply.
const (
	// New means that the question continues no other question.
	New Rule = iota
	SameID
	Identical
	SameText
	SimilarText
	SamePosition
)

// Pair tells which earlier question a question continues.
type Pair struct {
	// Index is the position of the earlier question among the live questions or in the earlier
	// version, or -1.
	Index int
	// ID is the ID that the question keeps. It is empty for a new question.
	ID string
	// Was is the earlier question's latest form, with the ID that it had. It is zero for a new
	// question.
	Was  Question
	Rule Rule
	// IsCertain is set if no other pairing is plausible. A pair that isn't certain is reported.
	IsCertain bool
	// Candidates are the questions that fit equally well. If there are any, the rule is New.
	Candidates []Question
}

// Match pairs each question of a later version with a question of an earlier one. See
// [History.Match].
func Match(earlier, later []Question) []Pair { return History{}.Match(earlier, later) }

// Match applies these rules in order. Each rule considers only the questions that earlier rules
// left unpaired:
//
//	rule          type  text     content   certain
//	SameID                                 always; an ID in the configuration wins
//	Identical     =     =        =         if PostHog has it; equal questions are paired in order: without
//	                                       crossing a unique question if possible, and nearest first
//	SameText      =     =        closest   if no other question fits
//	SimilarText   =     closest            from three quarters of the letter pairs, or from a half
//	                                       between the same neighbors, if no other question fits
//	SamePosition  =                        never; applies only if no other question moved
//
// A question whose text occurs only before the last write is also possible: the configuration was
// reset to an old version.
//
// Texts are compared in their [markup.Canonical] form, and contents by the share of parts in
// common. Two texts are similar if they share at least half of their letter pairs. "Closest" means
// that each of the two questions is the closest match of the other by a clear margin. Without a
// clear margin, the position decides if nothing moved. Otherwise, the questions have several
// candidates, and none of them is chosen. Another question fits if its text is the same or similar
// and it isn't certainly paired, or if it equals one of the two questions.
//
// A pair with the same content and a similar text wins over a pair with the same text and different
// content, whose configured question is then new (see preferSameContent). A question whose text is
// closer to a question of another type was retyped, and is new.
//
// For [Match], the earlier version is one list. For [History.Match], it is everything that the
// history remembers: each entity has one record per version, and each version has a rank. The base,
// from which the configuration was most likely written, has rank 0. The other versions since the
// last write follow. Within a rule, a better rank wins.
//
// These limits apply to entities:
//
//   - An entity that PostHog no longer has was deleted. Within a rule, it comes after an equally
//     close live entity, and the pair is only possible.
//   - An entity that a write deleted is matched only by its ID.
//   - Among equal entities, one that was part of a write comes before one that was added in PostHog.
//   - An entity that was never in the configuration is not paired by similar text or position. With
//     different content, the pair is only possible.
const (
	// certainShare is the share of letter pairs from which a reworded text is a certain match.
	certainShare = 0.75
	// similarShare is the share of letter pairs from which a reworded text is a possible match.
	similarShare = 0.5
	// clearMargin is the lead that the closest match needs.
	clearMargin = 0.1
)

// Match pairs each question in a configuration with the entity that it continues. live are PostHog's
// current questions.
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

// found is the entity that a configured question was paired with.
type found struct {
	entity    int // -1 for none
	rule      Rule
	isCertain bool
	// candidates are the entities that fit equally well.
	candidates []int
	// isRetyped is set if the question is more similar to an entity of another type.
	isRetyped bool
	// held is the live entity that currently takes entity's place, or -1. See restoreConfiguredIDs.
	held int
}

// matcher pairs configured questions with remembered entities.
type matcher struct {
	texts
	config   []Question
	entities []entity
	// base lists the entities of the base version by position.
	base  []int
	found []found
	// taken marks the entities that are paired or a candidate.
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

// isOpen reports whether a configured question still has to be paired by its content.
func (m *matcher) isOpen(i int) bool {
	f := m.found[i]
	return f.entity < 0 && len(f.candidates) == 0 && m.config[i].ID == "" && m.config[i].Type != Unknown
}

// isFree reports whether an entity is still unpaired.
func (m *matcher) isFree(k int) bool { return !m.taken[k] && !m.entities[k].isDropped }

// pairs converts the result.
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

// restoreConfiguredIDs handles questions whose configured ID PostHog no longer has, because a save
// replaced the ID, and the configuration restores it. It finds the live question that has the
// replacement ID. If several configured questions have the same text, the live question must have the same content.
func (m *matcher) restoreConfiguredIDs() {
	for i, f := range m.found {
		if f.rule != SameID || m.entities[f.entity].isHeld() {
			continue
		}

		closest, share := -1, 0.0
		isRepeated := countText(m.config, m.config[i]) > 1
		for k, candidate := range m.entities {
			isOther := isRepeated && m.config[i].Content.isKnown() && m.config[i].Content != candidate.newest.Content
			if !m.isFree(k) || !candidate.isHeld() || candidate.isWritten || candidate.currentType != m.config[i].Type || isOther {
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

// class groups identical questions.
type class struct {
	kind, text string
	content    Content
}

func (m *matcher) classify(q Question) (class, bool) {
	return class{q.Type, m.of(q.Text), q.Content}, q.Text != Unknown && q.Content.isKnown()
}

// pairIdentical pairs identical questions, rank by rank.
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

	// If only one entity ever had these values, its pair goes first.
	for rank := range m.ranks() {
		for c, best := range bestRanks {
			for k, bestRank := range best {
				if len(best) == 1 && len(open[c]) == 1 && bestRank == rank && !m.taken[k] {
					m.take(open[c][0], k, Identical, isHeld)
				}
			}
		}
	}
	// Next, entities that were part of a write go before entities that were added in PostHog.
	unique := sync.OnceValue(m.uniquePairs)
	for _, isAdded := range []bool{false, true} {
		for rank := range m.ranks() {
			anchors := func() []anchor { return m.anchors(unique(), rank) }
			for c, seats := range byRank[rank] { // a configured question belongs to only one class, so the order doesn't matter
				isOther := func(s seat) bool { return m.entities[s.entity].isWritten == isAdded }
				m.pairInOrder(open[c], slices.DeleteFunc(slices.Clone(seats), isOther), anchors, isHeld)
			}
		}
	}
}

// anchor is a paired question: its index in the configuration, and its position in an earlier version.
type anchor struct{ index, position int }

// uniquePairs returns the pairs by ID, and those of questions that are identical to only one entity, which may be deleted.
// It maps the index of the configured question to the entity.
func (m *matcher) uniquePairs() map[int]int {
	entities, questions := map[class][]int{}, map[class]int{}
	byID := map[int]bool{}
	for _, f := range m.found {
		byID[f.entity] = byID[f.entity] || f.rule == SameID
	}
	for k, e := range m.entities {
		for _, s := range e.records {
			if c, ok := m.classify(s.Question); ok && !slices.Contains(entities[c], k) {
				entities[c] = append(entities[c], k)
			}
		}
	}
	for _, q := range m.config {
		c, _ := m.classify(q)
		questions[c]++
	}

	pairs := map[int]int{}
	for i, q := range m.config {
		c, ok := m.classify(q)
		switch {
		case m.found[i].rule == SameID:
			pairs[i] = m.found[i].entity
		case ok && questions[c] == 1 && len(entities[c]) == 1 && !byID[entities[c][0]]:
			pairs[i] = entities[c][0]
		}
	}
	return pairs
}

// anchors returns those of the unique pairs that a version contains, in the order of the configuration.
func (m *matcher) anchors(unique map[int]int, rank int) (anchors []anchor) {
	for _, i := range slices.Sorted(maps.Keys(unique)) {
		for _, s := range m.entities[unique[i]].records {
			if s.rank == rank {
				anchors = append(anchors, anchor{i, s.position})
			}
		}
	}
	return anchors
}

// ranks counts the versions.
func (m *matcher) ranks() int {
	ranks := 0
	for _, k := range m.entities {
		for _, s := range k.records {
			ranks = max(ranks, s.rank+1)
		}
	}
	return ranks
}

// seat is an entity's position in a version.
type seat struct{ position, entity int }

// pairInOrder pairs equal questions without crossings between each other, with the fewest crossings of anchors, and with
// the smallest total distance. If there are several solutions, it prefers the first.
func (m *matcher) pairInOrder(open []int, seats []seat, anchors func() []anchor, isCertain bool) {
	open = slices.DeleteFunc(slices.Clone(open), func(i int) bool { return !m.isOpen(i) })
	seats = slices.DeleteFunc(seats, func(s seat) bool { return m.taken[s.entity] })
	slices.SortFunc(seats, func(a, b seat) int { return cmp.Compare(a.position, b.position) })

	var fixed []anchor
	if len(open) != len(seats) { // otherwise, there is only one solution
		fixed = anchors()
	}
	for _, pair := range nearest(len(open), len(seats), func(i, j int) int { return cost(open[i], seats[j].position, fixed) }) {
		if k := seats[pair[1]].entity; !m.taken[k] {
			m.take(open[pair[0]], k, Identical, isCertain)
		}
	}
}

// cost compares the place of a configured question with a position in an earlier version: by the number of anchors that
// are on another side of it, and then by the distance from the closest anchors, because questions before these may have
// been inserted or deleted. The anchors are sorted.
func cost(index, position int, anchors []anchor) int {
	const most = 1 << 16 // a distance is smaller
	crossings, before, after := 0, anchor{-1, -1}, anchor{-1, -1}
	for _, a := range anchors {
		if (index < a.index) != (position < a.position) {
			crossings++
		}
		switch {
		case a.index < index:
			before = a
		case after.index < 0:
			after = a
		}
	}

	distance := func(a anchor) int {
		shift := (index - a.index) - (position - a.position)
		return max(shift, -shift)
	}
	total := distance(before)
	if after.index >= 0 {
		total += distance(after)
	}
	return crossings*most + total
}

// nearest pairs items from two rows. It returns as many pairs as the shorter row has items, without
// crossings and with the smallest sum of distances. If several solutions have the same sum, it
// prefers earlier items.
func nearest(n, k int, distance func(i, j int) int) [][2]int {
	if n > k {
		pairs := nearest(k, n, func(i, j int) int { return distance(j, i) })
		for p := range pairs {
			pairs[p][0], pairs[p][1] = pairs[p][1], pairs[p][0]
		}
		return pairs
	}

	// best[i][j] is the smallest sum for the items from i on with those from j on.
	const impossible = math.MaxInt / 4
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

// Compare pairs the questions from two versions whose IDs need not agree. It ignores IDs that the
// earlier version doesn't contain, for example after a save without IDs or in a copy of a survey.
func Compare(earlier, later []Question) []Pair { return Match(earlier, withIDsOf(earlier, later)) }

// CompareSaved is [MatchSaved] for versions whose IDs need not agree.
func CompareSaved(earlier, later []Question) []Pair {
	return MatchSaved(earlier, withIDsOf(earlier, later))
}

// withIDsOf returns the questions, without IDs that the other version doesn't contain.
func withIDsOf(earlier, later []Question) []Question {
	questions := slices.Clone(later)
	for i, q := range later {
		if !has(earlier, q.ID) {
			questions[i].ID = ""
		}
	}
	return questions
}

// MatchSaved matches like [Match], for two versions that PostHog stored one after the other. A save can replace IDs, so
// the pair for a question with a new ID is certain only if the text is the same, and either the content is also the
// same or no other question has the text. It is impossible to know whether a similar text asks the same thing. The
// position pairs a question only if all other questions are known, and the save did not keep all of their IDs:
// otherwise, someone replaced the question.
func MatchSaved(earlier, later []Question) []Pair {
	pairs := Match(earlier, later)
	kept, replaced, guesses := 0, 0, 0
	for _, pair := range pairs {
		switch {
		case pair.Rule == SamePosition:
			guesses++
		case pair.Rule == SameID:
			kept++
		case pair.Index >= 0:
			replaced++
		}
	}

	for i, pair := range pairs {
		if isReplaced := kept > 0 && replaced == 0; pair.Rule == SamePosition && (isReplaced || guesses > 1) {
			pairs[i] = Pair{Index: -1, ID: statedID(later[i])}
			continue
		}
		isOnly := countText(earlier, later[i]) == 1 && countText(later, later[i]) == 1
		pairs[i].IsCertain = pair.IsCertain && (pair.Rule <= Identical || pair.Rule == SameText && isOnly)
	}
	return pairs
}

// countText counts the questions that have q's text. It ignores the type, because a question with
// another type can be the same question, retyped.
func countText(list []Question, q Question) int {
	t, n := newTexts(), 0
	for _, candidate := range list {
		if t.same(candidate.Text, q.Text) {
			n++
		}
	}
	return n
}
