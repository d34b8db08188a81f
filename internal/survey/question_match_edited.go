package survey

import (
	"cmp"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// atLeastHalf is the likeness from which one text is taken for an edit of another.
const atLeastHalf = 0.5

// alikePair is a configured question and one of a list, with the likeness of their texts.
type alikePair struct {
	alike float64
	i, j  int
}

// pairMostAlike matches questions of one type between the same neighbours at least half of
// whose texts are the same, the most similar ones first.
func (m *matching) pairMostAlike(list listing) {
	if !slices.Contains(m.found, -1) {
		return
	}

	isBetween, isRetyped := m.neighbours(list), m.retyped(list)
	var pairs []alikePair
	for i := range m.config {
		for j := range list.questions {
			if !m.isUnmatched(list, i, j) || isRetyped[i] || !isBetween(i, j) {
				continue
			}
			if alike := m.texts.likeness(m.config[i].Question.ValueString(), list.questions[j].Question.ValueString()); alike >= atLeastHalf {
				pairs = append(pairs, alikePair{alike, i, j})
			}
		}
	}

	// Of those that are equally similar, the first ones of both lists.
	slices.SortFunc(pairs, func(a, b alikePair) int {
		return cmp.Or(cmp.Compare(b.alike, a.alike), cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j))
	})
	for _, one := range pairs {
		if m.isUnmatched(list, one.i, one.j) {
			m.assign(list, one.i, one.j)
		}
	}
}

// pairByPosition matches edited questions by their position among unedited ones.
func (m *matching) pairByPosition(list listing, past QuestionHistory) {
	if !slices.Contains(m.found, -1) {
		return
	}

	isBetween, isRetyped, isTaken := m.neighbours(list), m.retyped(list), m.taken(past)
	before := slices.Clone(m.found)
	for _, fits := range []func(i, j int) bool{
		isBetween,
		func(i, j int) bool { return i == j && m.sameType(list, i, j) },
	} {
		for i := range m.config {
			if m.found[i] >= 0 || isRetyped[i] || m.isRetypedAndEdited(list, i) {
				continue
			}
			for j := range list.questions {
				if m.isUnmatched(list, i, j) && fits(i, j) && isTaken(list.known[j]) {
					m.assign(list, i, j)
				}
			}
		}
	}

	for i := range m.found {
		m.byPosition[i] = m.found[i] != before[i]
	}
}

// retyped says of each configured question whether it has the text of one in the list with
// another type: it is a new question, and no edit of the one at its position.
func (m *matching) retyped(list listing) []bool {
	is := make([]bool, len(m.config))
	for i, q := range m.config {
		is[i] = attribute.IsKnown(q.Question) && slices.ContainsFunc(list.questions, func(was Question) bool {
			return was.Question == q.Question && was.Type != q.Type
		})
	}
	return is
}

// isRetypedAndEdited is retyped for a text that was edited at the same time: half of it
// is that of a question without a match.
func (m *matching) isRetypedAndEdited(list listing, i int) bool {
	for j, was := range list.questions {
		if m.matchedBy[list.known[j]] >= 0 || was.Type == m.config[i].Type {
			continue
		}
		if m.texts.likeness(m.config[i].Question.ValueString(), was.Question.ValueString()) >= atLeastHalf {
			return true
		}
	}
	return false
}

// neighbours returns a function that reports whether two questions have the same type and
// are between the same two questions, of those that are matched so far.
func (m *matching) neighbours(list listing) func(i, j int) bool {
	type pair struct{ before, after int }

	const none = -1

	sides := func(n int, known func(int) int) []pair {
		between := make([]pair, n)
		last, next := none, none
		for k := range n {
			between[k].before = last
			if index := known(k); index != none {
				last = index
			}
		}
		for k := n - 1; k >= 0; k-- {
			between[k].after = next
			if index := known(k); index != none {
				next = index
			}
		}
		return between
	}

	now := sides(len(m.config), func(i int) int {
		if !slices.Contains(list.known, m.found[i]) {
			return none
		}
		return m.found[i]
	})
	then := sides(len(list.questions), func(j int) int {
		if m.matchedBy[list.known[j]] < 0 {
			return none
		}
		return list.known[j]
	})
	return func(i, j int) bool { return m.sameType(list, i, j) && now[i] == then[j] }
}
