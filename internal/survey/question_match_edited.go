package survey

import (
	"cmp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
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
func (m *matching) pairMostSimilar(list listing, isAnother func(i, identity int) bool) {
	if !m.isAnyUnmatched() {
		return
	}

	isBetween := m.neighbours(list)
	var pairs []similarPair
	for i := range m.config {
		for j := range list.questions {
			if !m.isUnmatched(list, i, j) || !isBetween(i, j) || !m.isFromCode(m.past.accepted, list.identities[j]) {
				continue
			}
			if similarity := m.alike(m.config[i].Question, list.questions[j].Question); similarity >= atLeastHalf && !isAnother(i, list.identities[j]) {
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

func (m *matching) alike(a, b types.String) float64 {
	return m.letterPairs(a.ValueString()).similarity(m.letterPairs(b.ValueString()))
}

// pairByPosition matches edited questions by their position among unedited ones.
func (m *matching) pairByPosition(list listing) {
	if !m.isAnyUnmatched() {
		return
	}

	isBetween, isAnother := m.neighbours(list), m.retyped(m.isHalfOfText)
	before := slices.Clone(m.found)
	for _, fits := range []func(i, j int) bool{
		isBetween,
		func(i, j int) bool { return i == j && m.sameType(list, i, j) },
	} {
		for i := range m.config {
			for j, identity := range list.identities {
				isThere := m.identities[identity].stored >= 0
				if m.isUnmatched(list, i, j) && fits(i, j) && isThere && m.isEditOf(list, i, j) && !isAnother(i, identity) {
					m.assign(list, i, j)
				}
			}
		}
	}

	for i := range m.found {
		m.byPosition[i] = m.found[i] != before[i]
	}
}

// isEditOf reports whether a configured question at the place of another may be an edit of it: a
// write had that one, or the configuration is taken to have had it, and has half of its text.
func (m *matching) isEditOf(list listing, i, j int) bool {
	if m.isFromCode(m.past.written, list.identities[j]) {
		return true
	}
	return m.isFromCode(m.past.accepted, list.identities[j]) && m.alike(m.config[i].Question, list.questions[j].Question) >= atLeastHalf
}

// retyped returns a function that reports whether a configured question is rather another one
// than that of an identity, retyped: another one that is still unmatched had its text, in any
// list, with another type. isSame says what counts as its text.
func (m *matching) retyped(isSame func(before, configured types.String) bool) func(i, identity int) bool {
	retyped := make([][]int, len(m.config))
	isSaid := map[saying]bool{} // each type and text of one is compared once
	for _, list := range m.lists {
		for j, before := range list.questions {
			said := saying{list.identities[j], before.Type, before.Question}
			if m.matchedBy[said.identity] >= 0 || isSaid[said] {
				continue
			}
			isSaid[said] = true
			for i, q := range m.config {
				if m.found[i] < 0 && attribute.IsKnown(q.Question) && said.kind != q.Type && isSame(said.text, q.Question) {
					retyped[i] = append(retyped[i], said.identity)
				}
			}
		}
	}

	return func(i, identity int) bool {
		return slices.ContainsFunc(retyped[i], func(other int) bool { return other != identity && m.matchedBy[other] < 0 })
	}
}

// saying is a type and text that a question has in a list.
type saying struct {
	identity   int
	kind, text types.String
}

func isSameText(before, configured types.String) bool { return before == configured }

// isHalfOfText is isSameText for a text that was edited since.
func (m *matching) isHalfOfText(before, configured types.String) bool {
	return before == configured || m.alike(configured, before) >= atLeastHalf
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

// letterPairs are the pairs of neighbouring letters in a text, each once and sorted.
type letterPairs []uint64

func letterPairsOf(text string) letterPairs {
	pairs := make(letterPairs, 0, len(text))
	last := rune(-1)
	for _, letter := range text {
		if last >= 0 {
			pairs = append(pairs, uint64(last)<<32|uint64(letter)) //nolint:gosec // no letter is negative
		}
		last = letter
	}

	slices.Sort(pairs)
	return slices.Compact(pairs)
}

// Similarity is the share of letter pairs that two texts have in common, from 0 to 1. It works
// for any language.
func Similarity(a, b string) float64 { return letterPairsOf(a).similarity(letterPairsOf(b)) }

func (p letterPairs) similarity(other letterPairs) float64 {
	if len(p)+len(other) == 0 {
		return 0
	}
	return 2 * float64(p.shared(other)) / float64(len(p)+len(other))
}

// shared is the number of pairs that both have.
func (p letterPairs) shared(other letterPairs) int {
	both := 0
	for i, j := 0, 0; i < len(p) && j < len(other); {
		switch {
		case p[i] == other[j]:
			both, i, j = both+1, i+1, j+1
		case p[i] < other[j]:
			i++
		default:
			j++
		}
	}
	return both
}

// remembering works out once for each text what the comparison of texts needs of it.
func remembering[T any](of func(text string) T) func(text string) T {
	known := map[string]T{}
	return func(text string) T {
		value, ok := known[text]
		if !ok {
			value = of(text)
			known[text] = value
		}
		return value
	}
}
