package survey

import "slices"

// match says which prior question each planned question is, as an index into
// prior, or -1 for a new one. Past answers hang on a question's id, so an id must
// not get lost, and even less move to another question. The rules, each for what
// those before it left over:
//
//  1. The id that the configuration gives. A question with an id that nobody had is new.
//  2. The same type and text, wherever it moved; of several with one text, as many as
//     can be in the order in which they stood.
//  3. The same type between the same neighbours, which are the nearest questions on
//     both sides that rules 1 and 2 found: first texts of which half stayed, then the
//     rest in order.
//  4. The same type at the same place in the list.
//
// So a question whose type and text stay keeps its id, whatever becomes of it and of
// the others. One whose text is edited keeps it as long as no question moves, if
// either none comes or goes or half of the text stays. No prior question is given
// out twice, nor to a question of another type unless the configuration gives its id.
// What the rules cannot tell from an edited text is a question that was deleted and
// another one of its type that was put in its place.
//
// It is a pure function of what the questions say; an unknown text is like no other.
func match(prior, config []Question) []int {
	m := matching{prior, config, nothing(len(config)), nothing(len(prior))}
	m.pair(func(i, j int) bool { return m.named(i) && config[i].ID.Equal(prior[j].ID) })
	m.pairInOrder(m.sameText)
	m.pair(m.sameText)
	between := m.neighbours()
	m.pairMostAlike(between)
	m.pair(between)
	m.pair(func(i, j int) bool { return i == j && m.sameType(i, j) })
	return m.found
}

// matching is how far the rules have come: found is the prior question of each
// configured one, taker the configured one of each prior one, -1 for none.
type matching struct {
	prior, config []Question
	found, taker  []int
}

func nothing(n int) []int { return slices.Repeat([]int{-1}, n) }

func (m matching) named(i int) bool { return !m.config[i].ID.IsNull() }

func (m matching) sameType(i, j int) bool {
	return !m.named(i) && m.config[i].Type.Equal(m.prior[j].Type)
}

func (m matching) sameText(i, j int) bool {
	return m.sameType(i, j) && m.config[i].Question.Equal(m.prior[j].Question)
}

func (m matching) isOpen(i, j int) bool { return m.found[i] < 0 && m.taker[j] < 0 }

func (m matching) take(i, j int) { m.found[i], m.taker[j] = j, i }

// pair gives each configured question the first prior one that fits.
func (m matching) pair(fits func(i, j int) bool) {
	for i := range m.config {
		for j := range m.prior {
			if m.isOpen(i, j) && fits(i, j) {
				m.take(i, j)
			}
		}
	}
}

// pairInOrder pairs as many as it can without one pair crossing another: a longest
// common subsequence.
func (m matching) pairInOrder(same func(i, j int) bool) {
	// longest[i][j] is how many pairs there are from i and from j on.
	longest := make([][]int, len(m.config)+1)
	for i := range longest {
		longest[i] = make([]int, len(m.prior)+1)
	}
	fits := func(i, j int) bool { return m.isOpen(i, j) && same(i, j) }
	for i := range slices.Backward(m.config) {
		for j := range slices.Backward(m.prior) {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if fits(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(m.config) && j < len(m.prior); {
		switch {
		case fits(i, j):
			m.take(i, j)
			i, j = i+1, j+1
		case longest[i+1][j] > longest[i][j+1]:
			i++
		default:
			j++
		}
	}
}

// neighbours returns what tells whether two questions have one type and stand
// between the same two questions, of those that are matched now.
func (m matching) neighbours() func(i, j int) bool {
	type pair struct{ before, after int }
	sides := func(n int, prior func(int) int) []pair {
		between := make([]pair, n)
		last := -1
		for k := range n {
			between[k].before = last
			if j := prior(k); j >= 0 {
				last = j
			}
		}
		next := len(m.prior)
		for k := n - 1; k >= 0; k-- {
			between[k].after = next
			if j := prior(k); j >= 0 {
				next = j
			}
		}
		return between
	}
	now := sides(len(m.config), func(i int) int { return m.found[i] })
	then := sides(len(m.prior), func(j int) int {
		if m.taker[j] < 0 {
			return -1
		}
		return j
	})
	return func(i, j int) bool { return m.sameType(i, j) && now[i] == then[j] }
}

// pairMostAlike pairs questions that fit and of whose texts at least half is the
// same, those that are most alike first.
func (m matching) pairMostAlike(fits func(i, j int) bool) {
	for {
		best, atI, atJ := 0.5, -1, -1
		for i := range m.config {
			for j := range m.prior {
				if !m.isOpen(i, j) || !fits(i, j) {
					continue
				}
				alike := likeness(m.config[i].Question.ValueString(), m.prior[j].Question.ValueString())
				if alike > best || alike == best && atI < 0 {
					best, atI, atJ = alike, i, j
				}
			}
		}
		if atI < 0 {
			return
		}
		m.take(atI, atJ)
	}
}

// likeness is how much of two texts is the same, from 0 to 1: the share of
// neighbouring letters of one that the other has, too, which needs no idea of what
// a word is in which language.
func likeness(a, b string) float64 {
	x, y := letterPairs(a), letterPairs(b)
	both := 0
	for pair := range x {
		if y[pair] {
			both++
		}
	}
	if len(x)+len(y) == 0 {
		return 0
	}
	return 2 * float64(both) / float64(len(x)+len(y))
}

func letterPairs(text string) map[[2]rune]bool {
	pairs := map[[2]rune]bool{}
	last := rune(-1)
	for _, letter := range text {
		if last >= 0 {
			pairs[[2]rune{last, letter}] = true
		}
		last = letter
	}
	return pairs
}
