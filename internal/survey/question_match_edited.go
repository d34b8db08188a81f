package survey

import (
	"cmp"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// atLeastHalf is the similarity from which one text is taken for an edit of another.
const atLeastHalf = 0.5

// similarPair is a configured question and one of a list, with the similarity of their texts.
type similarPair struct {
	similarity float64
	i, j       int
}

// pairMostSimilar matches questions of one type between the same neighbours at least half of
// whose texts are the same, the most similar ones first.
func (m *matching) pairMostSimilar(list listing) {
	if !slices.Contains(m.found, -1) {
		return
	}

	isBetween, isRetyped := m.neighbours(list), m.retyped(list)
	var pairs []similarPair
	for i := range m.config {
		for j := range list.questions {
			if !m.isUnmatched(list, i, j) || isRetyped[i] || !isBetween(i, j) {
				continue
			}
			if similarity := m.similarity(list, i, j); similarity >= atLeastHalf {
				pairs = append(pairs, similarPair{similarity, i, j})
			}
		}
	}

	// Of those that are equally similar, the first ones of both lists.
	slices.SortFunc(pairs, func(a, b similarPair) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j))
	})
	for _, pair := range pairs {
		if m.isUnmatched(list, pair.i, pair.j) {
			m.assign(list, pair.i, pair.j)
		}
	}
}

func (m *matching) similarity(list listing, i, j int) float64 {
	return m.texts.similarity(m.config[i].Question.ValueString(), list.questions[j].Question.ValueString())
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
				if m.isUnmatched(list, i, j) && fits(i, j) && isTaken(list.identities[j]) {
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
	retyped := make([]bool, len(m.config))
	for i, q := range m.config {
		retyped[i] = attribute.IsKnown(q.Question) && slices.ContainsFunc(list.questions, func(before Question) bool {
			return before.Question == q.Question && before.Type != q.Type
		})
	}
	return retyped
}

// isRetypedAndEdited is retyped for a text that was edited at the same time: half of it
// is that of a question without a match.
func (m *matching) isRetypedAndEdited(list listing, i int) bool {
	for j, before := range list.questions {
		isFree := m.matchedBy[list.identities[j]] < 0
		if isFree && before.Type != m.config[i].Type && m.similarity(list, i, j) >= atLeastHalf {
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

	sides := func(n int, matched func(int) int) []pair {
		between := make([]pair, n)
		last, next := none, none
		for k := range n {
			between[k].before = last
			if identity := matched(k); identity != none {
				last = identity
			}
		}
		for k := n - 1; k >= 0; k-- {
			between[k].after = next
			if identity := matched(k); identity != none {
				next = identity
			}
		}
		return between
	}

	after := sides(len(m.config), func(i int) int {
		if !slices.Contains(list.identities, m.found[i]) {
			return none
		}
		return m.found[i]
	})
	before := sides(len(list.questions), func(j int) int {
		if m.matchedBy[list.identities[j]] < 0 {
			return none
		}
		return list.identities[j]
	})
	return func(i, j int) bool { return m.sameType(list, i, j) && after[i] == before[j] }
}
