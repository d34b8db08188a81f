package identity

import (
	"cmp"
	"slices"
)

// candidate is a pair that a rule allows.
type candidate struct {
	i, k int
	// isBase is set if the pair is based on the base version.
	isBase bool
	// share is the similarity of the value that the rule compares, and content the similarity of
	// the content.
	share, content float64
	// isOtherType is set if the types differ. The pair can't be chosen, but shows that the question
	// was retyped.
	isOtherType bool
	// isDeleted is set if PostHog no longer has the entity.
	isDeleted bool
}

// isClose reports whether a candidate is about as good as the best one. A deleted question must be
// clearly closer than a live one.
func (c candidate) isClose(best candidate) bool {
	isNear := c.isBase == best.isBase && c.share > best.share-clearMargin && c.content > best.content-clearMargin
	isNearer := c.share > best.share+clearMargin || c.content > best.content+clearMargin
	return isNear && (c.isDeleted == best.isDeleted || !c.isDeleted || isNearer)
}

// hasRival reports whether either question has another candidate.
func (c candidate) hasRival(candidates []candidate) bool {
	return slices.ContainsFunc(candidates, func(rival candidate) bool {
		return (rival.i == c.i) != (rival.k == c.k) && !rival.isOtherType
	})
}

// preferHeld returns the first live candidate for the same question that is about as close as c. It
// returns c if c is live or has no such alternative.
func (c candidate) preferHeld(candidates []candidate, isOver func(candidate) bool) candidate {
	index := slices.IndexFunc(candidates, func(rival candidate) bool {
		return c.isDeleted && !rival.isDeleted && rival.i == c.i && rival.isOtherType == c.isOtherType && rival.isClose(c) && !isOver(rival)
	})
	if index < 0 {
		return c
	}
	return candidates[index]
}

// pairSameText pairs questions with the same type and text, and different content.
func (m *matcher) pairSameText() {
	var candidates []candidate
	for i, q := range m.config {
		for k := range m.entities {
			if q.Type == Unknown || m.found[i].isCertain || !m.isFree(k) {
				continue
			}
			if s, ok := m.closestRecord(q, k); ok {
				share := q.Content.similarity(s.Content)
				candidates = append(candidates, candidate{i: i, k: k, isBase: s.rank == 0, share: share, content: share, isDeleted: !m.entities[k].isHeld()})
			}
		}
	}

	m.preferSameContent(candidates)
	rivals := slices.Clone(candidates) // contest reorders candidates
	m.contest(candidates, SameText, func(c candidate) bool {
		return !c.isDeleted && m.entities[c.k].isFromCode && !c.hasRival(rivals) && !m.isPerhapsReworded(c)
	})
}

// isPerhapsReworded reports whether a candidate's entity may instead continue as another configured
// question with a similar text.
func (m *matcher) isPerhapsReworded(c candidate) bool {
	for i, q := range m.config {
		if i == c.i || m.found[i].isCertain {
			continue
		}
		if slices.ContainsFunc(m.entities[c.k].records, func(s record) bool {
			return q.Type == s.Type && !m.same(q.Text, s.Text) && m.similarity(q.Text, s.Text) >= similarShare
		}) {
			return true
		}
	}
	return false
}

// closestRecord returns an entity's record that has q's type and text: the one in the base version,
// or otherwise the one with the closest content.
func (m *matcher) closestRecord(q Question, k int) (best record, ok bool) {
	for _, s := range m.entities[k].records {
		if !m.entities[k].isOfType(q.Type, s) || !m.same(q.Text, s.Text) {
			continue
		}
		isCloser := best.rank > 0 && q.Content.similarity(s.Content) > q.Content.similarity(best.Content)
		if !ok || isCloser {
			best, ok = s, true
		}
	}
	return best, ok
}

// preferSameContent pairs questions with the same content and a similar text if a question with the
// same text and different content competes for one of them. That other question is new. For
// example, if [T (a)] becomes [T' (a), T (b)], T' keeps the answers.
func (m *matcher) preferSameContent(sameText []candidate) {
	isContested := func(i, k int, s record) bool {
		return slices.ContainsFunc(sameText, func(c candidate) bool {
			return c.share < 1 && (c.i == i && c.k != k || c.k == k && c.i != i && m.same(m.config[c.i].Text, s.Text))
		})
	}

	var similar []candidate
	for i, q := range m.config {
		for k := range m.entities {
			if !m.isOpen(i) || !m.isFree(k) || slices.ContainsFunc(sameText, func(c candidate) bool { return c.i == i && c.k == k }) {
				continue
			}
			share := 0.0
			for _, s := range m.entities[k].records {
				isSameContent := q.Content.isKnown() && q.Content == s.Content
				if isSameContent && q.Type == s.Type && isContested(i, k, s) {
					share = max(share, m.similarity(q.Text, s.Text))
				}
			}
			if share >= similarShare {
				similar = append(similar, candidate{i: i, k: k, share: share})
			}
		}
	}

	for _, c := range similar {
		isClose := func(rival candidate) bool {
			return (rival.i == c.i) != (rival.k == c.k) && rival.share > c.share-clearMargin
		}
		if !slices.ContainsFunc(similar, isClose) {
			m.take(c.i, c.k, SimilarText, false)
		}
	}
}

// pairSimilar pairs questions whose text was edited. A question that is only possibly paired, or
// whose configured ID does not exist, still competes with others.
func (m *matcher) pairSimilar() {
	isSettled := make([]bool, len(m.entities))
	for _, f := range m.found {
		if f.isCertain {
			isSettled[f.entity] = true
		}
	}

	var candidates []candidate
	for i, q := range m.config {
		for k, e := range m.entities {
			if q.Type == Unknown || m.found[i].isCertain || isSettled[k] || e.isDropped {
				continue
			}

			sameType := candidate{i: i, k: k, isDeleted: !e.isHeld()}
			otherType := candidate{i: i, k: k, isOtherType: true, isDeleted: sameType.isDeleted}
			for _, s := range e.records {
				c := &otherType
				if e.isOfType(q.Type, s) {
					c = &sameType
				}
				if share := m.similarity(q.Text, s.Text); share > c.share {
					c.share, c.content = share, q.Content.similarity(s.Content)
				}
			}
			if e.isFromCode && sameType.share >= similarShare {
				candidates = append(candidates, sameType)
			}
			if otherType.share >= similarShare && otherType.share > sameType.share {
				candidates = append(candidates, otherType)
			}
		}
	}

	isBetween := m.neighbors()
	rivals := slices.Clone(candidates)
	m.contest(candidates, SimilarText, func(c candidate) bool {
		return !c.isDeleted && (c.share >= certainShare || isBetween(c.i, c.k)) && !c.hasRival(rivals) && !m.hasTwin(c)
	})
}

// hasTwin reports whether another question is identical to either of the two. It is then unclear which of the identical
// questions was reworded.
func (m *matcher) hasTwin(c candidate) bool {
	isEqual := func(k int, q Question) bool {
		return slices.ContainsFunc(m.entities[k].records, func(s record) bool { return m.equal(q, s.Question) })
	}
	for k := range m.entities {
		if k != c.k && isEqual(k, m.config[c.i]) {
			return true
		}
	}
	for i, q := range m.config {
		if i != c.i && isEqual(c.k, q) {
			return true
		}
	}
	return false
}

// contest assigns the closest candidates first. Without a clear winner, all competitors remain
// candidates for each other until every clear pair is known. Then settle decides.
func (m *matcher) contest(candidates []candidate, rule Rule, isCertain func(candidate) bool) {
	slices.SortStableFunc(candidates, func(a, b candidate) int {
		last := func(isLast bool) int { return map[bool]int{true: 1}[isLast] }
		return cmp.Or(last(!a.isBase)-last(!b.isBase), cmp.Compare(b.share, a.share), cmp.Compare(b.content, a.content), last(a.isDeleted)-last(b.isDeleted), a.i-b.i, a.k-b.k)
	})

	var ties [][]candidate
	isOver := func(c candidate) bool { return !m.isOpen(c.i) || m.found[c.i].isRetyped || m.taken[c.k] }
	for n, first := range candidates {
		if isOver(first) {
			continue
		}

		best := first.preferHeld(candidates[n+1:], isOver)
		switch group := collectRivals(best, candidates[n:], isOver); {
		case len(group) == 1 && best.isOtherType:
			m.found[best.i].isRetyped = true
		case len(group) == 1:
			m.take(best.i, best.k, rule, isCertain(best))
		default:
			ties = append(ties, m.tie(group))
		}
	}
	m.settle(ties, rule)
}

// collectRivals returns the best candidate and all candidates that compete with it, directly or
// through others.
func collectRivals(best candidate, rest []candidate, isOver func(candidate) bool) []candidate {
	byI, byK := map[int][]candidate{}, map[int][]candidate{}
	for _, c := range rest {
		if c != best && c.isClose(best) && !isOver(c) {
			byI[c.i], byK[c.k] = append(byI[c.i], c), append(byK[c.k], c)
		}
	}

	group, isIn := []candidate{best}, map[candidate]bool{best: true}
	for n := 0; n < len(group); n++ {
		next := group[n]
		for _, c := range slices.Concat(byI[next.i], byK[next.k]) {
			if !isIn[c] {
				isIn[c] = true
				group = append(group, c)
			}
		}
		byI[next.i], byK[next.k] = nil, nil
	}
	return group
}

// tie makes rivals candidates for each other, and returns the rivals of the same type. If there are none, the
// question was retyped.
func (m *matcher) tie(group []candidate) []candidate {
	first := group[0].i
	group = slices.DeleteFunc(group, func(c candidate) bool { return c.isOtherType })
	m.found[first].isRetyped = len(group) == 0

	for _, c := range group {
		m.found[c.i].candidates = append(m.found[c.i].candidates, c.k)
		m.taken[c.k] = true
	}
	return group
}

// settle decides between rivals: by their positions if nothing moved, or if similarity and order
// agree. Otherwise, every question keeps its candidates.
func (m *matcher) settle(ties [][]candidate, rule Rule) {
	hasMoved := m.hasMoved()
	for _, group := range ties {
		var pick []candidate
		if !hasMoved {
			pick = m.inPlace(group, rule)
		}
		if pick == nil && rule == SimilarText {
			pick = m.inOrder(group)
		}
		if pick == nil {
			continue
		}

		for _, c := range group {
			m.taken[c.k] = false
		}
		for _, c := range pick {
			m.take(c.i, c.k, rule, false)
		}
	}
}

// inPlace returns a group's pairs whose questions did not move, if no question in the group moved.
// Otherwise, it returns nil. A position never wins over a more similar text.
func (m *matcher) inPlace(group []candidate, rule Rule) []candidate {
	if len(m.base) != len(m.config) {
		return nil
	}

	var pick []candidate
	for _, c := range group {
		isCloser := func(rival candidate) bool { return (rival.i == c.i || rival.k == c.k) && rival.share > c.share }
		switch {
		case m.base[c.i] == c.k && rule == SimilarText && slices.ContainsFunc(group, isCloser):
			return nil
		case m.base[c.i] == c.k:
			pick = append(pick, c)
		case !slices.ContainsFunc(group, func(rival candidate) bool { return rival.i == c.i && m.base[c.i] == rival.k }):
			return nil
		}
	}
	return pick
}

// inOrder returns a group's pairs that are each other's closest match, if all of them are in order
// and no entity remains. Otherwise, it returns nil.
func (m *matcher) inOrder(group []candidate) []candidate {
	var pick []candidate
	last := -1
	slices.SortStableFunc(group, func(a, b candidate) int { return cmp.Or(a.i-b.i, cmp.Compare(b.share, a.share)) })
	for n, c := range group {
		if n > 0 && group[n-1].i == c.i {
			continue
		}
		isClosest := !slices.ContainsFunc(group, func(rival candidate) bool {
			return (rival.i == c.i) != (rival.k == c.k) && rival.share >= c.share
		})
		position := slices.Index(m.base, c.k)
		if !isClosest || position <= last {
			return nil
		}
		pick, last = append(pick, c), position
	}

	entities := map[int]bool{}
	for _, c := range group {
		entities[c.k] = true
	}
	if len(entities) > len(pick) {
		return nil
	}
	return pick
}

// hasMoved reports whether any paired question changed its position.
func (m *matcher) hasMoved() bool {
	for i, f := range m.found {
		if f.entity >= 0 && (i >= len(m.base) || m.base[i] != f.entity && !m.onlyChangesID(i)) {
			return true
		}
	}
	return false
}

// onlyChangesID reports whether the configuration sets an ID that PostHog does not have, for the question that is at the
// same position in the base.
func (m *matcher) onlyChangesID(i int) bool {
	f, old := m.found[i], m.entities[m.base[i]].newest
	return f.rule == SameID && !m.entities[f.entity].isHeld() && m.config[i].Type == old.Type && m.same(m.config[i].Text, old.Text)
}

// neighbors returns a function that reports whether a configured question and an entity are between
// the same two paired questions.
func (m *matcher) neighbors() func(i, k int) bool {
	type pair struct{ before, after int }

	const none = -1

	around := func(list []int, isPaired func(index int) bool) []pair {
		sides := make([]pair, len(list))
		last, next := none, none
		for index := range list {
			sides[index].before = last
			if isPaired(index) {
				last = list[index]
			}
		}
		for index := len(list) - 1; index >= 0; index-- {
			sides[index].after = next
			if isPaired(index) {
				next = list[index]
			}
		}
		return sides
	}

	paired := make([]int, len(m.config))
	isPaired := map[int]bool{}
	for i, f := range m.found {
		paired[i] = f.entity
		isPaired[f.entity] = f.entity >= 0 && slices.Contains(m.base, f.entity)
	}
	configSides := around(paired, func(i int) bool { return isPaired[paired[i]] })
	baseSides := around(m.base, func(j int) bool { return isPaired[m.base[j]] })
	return func(i, k int) bool {
		j := slices.Index(m.base, k)
		return j >= 0 && configSides[i] == baseSides[j]
	}
}

// pairByPast pairs questions whose type and text only one entity had before the last write.
func (m *matcher) pairByPast() {
	for i, q := range m.config {
		var found []int
		for k, e := range m.entities {
			isSame := func(past Question) bool { return past.Type == q.Type && m.same(past.Text, q.Text) }
			if m.isOpen(i) && m.isFree(k) && e.isHeld() && slices.ContainsFunc(e.past, isSame) {
				found = append(found, k)
			}
		}
		if len(found) == 1 {
			m.take(i, found[0], SameText, false)
		}
	}
}

// pairByPosition pairs a question with the entity at the same position, even if the texts are not
// similar, if the type fits and no other question moved.
func (m *matcher) pairByPosition() {
	if len(m.base) != len(m.config) || m.hasMoved() {
		return
	}
	for i, q := range m.config {
		k := m.base[i]
		if m.isOpen(i) && m.isFree(k) && m.entities[k].isHeld() && m.entities[k].isFromCode && !m.found[i].isRetyped && m.isOfKnownType(q, k) {
			m.take(i, k, SamePosition, false)
		}
	}
}

func (m *matcher) isOfKnownType(q Question, k int) bool {
	return slices.ContainsFunc(m.entities[k].records, func(s record) bool { return m.entities[k].isOfType(q.Type, s) })
}
