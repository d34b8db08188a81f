package survey

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// origin is the prior question that a configured one matches.
type origin struct {
	// prior is its index in the prior state, -1 if it is not there.
	prior int
	// id is the id that it keeps: null for a new question, and for one that has no id on
	// the service.
	id types.String
	// byPosition is set when only its type and position match: its text is not the one that
	// was last applied.
	byPosition bool
}

// matchQuestions says which question each configured one is. Past answers hang on a question's
// id, so an id must not get lost, and even less move to another question. prior is
// what the service holds now, applied what the configuration said when it was last
// applied, with the ids of then; nil when that is not known. The rules, each for what
// those before it left over:
//
//  1. The id that the configuration gives. A question with an id that no question had is new.
//  2. The same type and text as when it was last applied, wherever it moved and
//     whatever became of it since: a question that was reworded, moved or deleted in
//     the web interface gets back the id that it had. Of several with one text, as
//     many as can be in the order in which they stood.
//  3. The same type and text as the service holds now; then a text of which the service
//     stores the same, since it cleans markup.
//  4. The same type between the same neighbours, which are the nearest questions on
//     both sides that the rules before found: first texts of which half stayed, then
//     the rest in order.
//  5. The same type at the same place in the list.
//
// Rules 4 and 5 recognize a question whose text was edited in the configuration, so
// they look at what was last applied, and leave out one that has its text, or half of it,
// with another type: it was retyped. A question that was created in the web interface
// is found by its id or its text alone: another one at its place is not guessed to be
// the same.
//
// Rule 2 is skipped for a configuration that was brought in line with the service,
// question by question, since it was last applied: there is nothing to change then.
//
// So a question whose type and text stay keeps its id, whatever becomes of it and of
// the others. One whose text is edited keeps it as long as no question moves, if
// either none comes or goes or half of the text stays. No question is given out
// twice, nor to one of another type unless the configuration gives its id. What the
// rules cannot distinguish from an edited text is a question that was deleted and another
// one of its type that was put in its place.
//
// It is a pure function of what the questions say; an unknown text is like no other.
func matchQuestions(prior, applied, config []Question) []origin {
	m := newMatching(prior, applied, config)
	for _, list := range []listing{m.stored, m.applied} {
		m.pair(list, func(i, j int) bool { return m.isNamed(i) && config[i].ID.Equal(list.questions[j].ID) })
	}

	if applied != nil && sameQuestions(config, prior) && !sameQuestions(config, applied) {
		m.pair(m.stored, func(i, j int) bool { return i == j })
	}
	for _, list := range []listing{m.applied, m.stored} {
		m.pairInOrder(list, m.sameText(list))
		m.pair(list, m.sameText(list))
	}

	// A survey that was imported has the texts of the service, not those of its configuration.
	for _, list := range []listing{m.applied, m.stored} {
		m.pairInOrder(list, m.sameMarkup(list))
		m.pair(list, m.sameMarkup(list))
	}

	m.pairByPosition(m.applied)
	return m.origins()
}

// sameQuestions reports whether a configuration has the questions of a list in the same
// order.
func sameQuestions(config, list []Question) bool {
	return slices.EqualFunc(config, list, func(q, other Question) bool {
		return (isOmittedID(q.ID) || q.ID.Equal(other.ID)) && q.Type.Equal(other.Type) && q.Question.Equal(other.Question)
	})
}

// isOmittedID reports whether an id is not set. An empty one counts as omitted: it comes
// from data with a blank column.
func isOmittedID(id types.String) bool {
	return id.IsNull() || !id.IsUnknown() && id.ValueString() == ""
}

// matching is the state of the match between the rules.
type matching struct {
	config []Question
	// stored are the questions on the service, applied those that were last applied.
	stored, applied listing
	// known are all questions of both lists, each once.
	known []knownQuestion
	// found is the known question of each configured one, taker the configured one of
	// each known one, -1 for none.
	found, matchedBy []int
	byPosition       []bool
}

// knownQuestion is a question of either list: its index in the stored one, -1 if it is not
// there, and its id.
type knownQuestion struct {
	stored int
	id     types.String
}

// listing is a list of questions, with the index in matching.known of each.
type listing struct {
	questions []Question
	known     []int
}

func newMatching(prior, applied, config []Question) *matching {
	m := &matching{config: config, found: unmatched(len(config)), byPosition: make([]bool, len(config))}

	for j, q := range prior {
		m.stored.add(q, j)
		m.known = append(m.known, knownQuestion{stored: j, id: q.ID})
	}

	if applied == nil {
		m.applied = m.stored
	}

	for k, q := range applied {
		if index := m.index(q, k); index >= 0 {
			m.applied.add(q, index)
		} else if !isOmittedID(q.ID) {
			m.applied.add(q, len(m.known))
			m.known = append(m.known, knownQuestion{stored: -1, id: q.ID})
		}
	}

	m.matchedBy = unmatched(len(m.known))
	return m
}

// index finds the stored question that was at index k when it was last applied: by its id,
// or, if the service gave it none, by its text or position. It is -1 for a question that is
// gone.
func (m *matching) index(q Question, k int) int {
	if !isOmittedID(q.ID) {
		return slices.IndexFunc(m.stored.questions, func(held Question) bool { return held.ID.Equal(q.ID) })
	}

	isFree := func(j int) bool {
		held := m.stored.questions[j]
		return isOmittedID(held.ID) && held.Type.Equal(q.Type) && !slices.Contains(m.applied.known, j)
	}

	for j, held := range m.stored.questions {
		if isFree(j) && held.Question.Equal(q.Question) {
			return j
		}
	}

	if k < len(m.stored.questions) && isFree(k) {
		return k
	}

	return -1
}

func (l *listing) add(q Question, known int) {
	l.questions, l.known = append(l.questions, q), append(l.known, known)
}

func unmatched(n int) []int { return slices.Repeat([]int{-1}, n) }

func (m *matching) origins() []origin {
	out := make([]origin, len(m.config))
	for i, index := range m.found {
		out[i] = origin{prior: -1, id: types.StringNull(), byPosition: m.byPosition[i]}
		if index >= 0 {
			out[i].prior, out[i].id = m.known[index].stored, m.known[index].id
		}
	}
	return out
}

func (m *matching) isNamed(i int) bool { return !isOmittedID(m.config[i].ID) }

func (m *matching) sameType(list listing, i, j int) bool {
	return !m.isNamed(i) && m.config[i].Type.Equal(list.questions[j].Type)
}

func (m *matching) sameText(list listing) func(i, j int) bool {
	return func(i, j int) bool {
		return m.sameType(list, i, j) && m.config[i].Question.Equal(list.questions[j].Question)
	}
}

// sameMarkup is sameText for texts that the service cleans to the same text.
func (m *matching) sameMarkup(list listing) func(i, j int) bool {
	return func(i, j int) bool {
		return m.sameType(list, i, j) && attribute.IsKnown(m.config[i].Question) &&
			sameMarkup(list.questions[j].Question.ValueString(), m.config[i].Question.ValueString())
	}
}

func (m *matching) isUnmatched(list listing, i, j int) bool {
	return m.found[i] < 0 && m.matchedBy[list.known[j]] < 0
}

func (m *matching) assign(list listing, i, j int) {
	m.found[i], m.matchedBy[list.known[j]] = list.known[j], i
}

// pair matches each configured question with the first one of a list that fits.
func (m *matching) pair(list listing, fits func(i, j int) bool) {
	for i := range m.config {
		for j := range list.questions {
			if m.isUnmatched(list, i, j) && fits(i, j) {
				m.assign(list, i, j)
			}
		}
	}
}

// pairInOrder matches as many questions as possible without crossing pairs: a longest
// common subsequence.
func (m *matching) pairInOrder(list listing, same func(i, j int) bool) {
	// longest[i][j] is the number of pairs from i and from j on.
	longest := make([][]int, len(m.config)+1)
	for i := range longest {
		longest[i] = make([]int, len(list.questions)+1)
	}

	fits := func(i, j int) bool { return m.isUnmatched(list, i, j) && same(i, j) }

	for i := range slices.Backward(m.config) {
		for j := range slices.Backward(list.questions) {
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if fits(i, j) {
				longest[i][j] = longest[i+1][j+1] + 1
			}
		}
	}

	for i, j := 0, 0; i < len(m.config) && j < len(list.questions); {
		switch {
		case fits(i, j):
			m.assign(list, i, j)
			i, j = i+1, j+1
		case longest[i+1][j] > longest[i][j+1]:
			i++
		default:
			j++
		}
	}
}

// pairByPosition matches edited questions by their position among unedited ones.
func (m *matching) pairByPosition(list listing) {
	isBetween := m.neighbours(list)
	between := func(i, j int) bool { return isBetween(i, j) && !m.isRetyped(list, i) }
	m.pairMostAlike(list, between)

	before := slices.Clone(m.found)
	m.pair(list, func(i, j int) bool { return between(i, j) && !m.isRetypedAndEdited(list, i) })
	m.pair(list, func(i, j int) bool {
		return i == j && m.sameType(list, i, j) && !m.isRetyped(list, i) && !m.isRetypedAndEdited(list, i)
	})
	for i := range m.found {
		m.byPosition[i] = m.found[i] != before[i]
	}
}

// isRetyped reports whether a configured question has the text of one in the list with
// another type: it is a new question, and no edit of the one at its position.
func (m *matching) isRetyped(list listing, i int) bool {
	q := m.config[i].Question
	return slices.ContainsFunc(list.questions, func(was Question) bool {
		return attribute.IsKnown(q) && was.Question.Equal(q) && !was.Type.Equal(m.config[i].Type)
	})
}

// isRetypedAndEdited is isRetyped for a text that was edited at the same time: half of it
// is that of a question without a match.
func (m *matching) isRetypedAndEdited(list listing, i int) bool {
	for j, was := range list.questions {
		if m.matchedBy[list.known[j]] >= 0 || was.Type.Equal(m.config[i].Type) {
			continue
		}
		if likeness(m.config[i].Question.ValueString(), was.Question.ValueString()) >= atLeastHalf {
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

// atLeastHalf is the likeness from which one text is taken for an edit of another.
const atLeastHalf = 0.5

// pairMostAlike matches questions that fit and at least half of whose texts are the same,
// the most similar ones first.
func (m *matching) pairMostAlike(list listing, fits func(i, j int) bool) {
	for {
		best, atI, atJ := atLeastHalf, -1, -1
		for i := range m.config {
			for j := range list.questions {
				if !m.isUnmatched(list, i, j) || !fits(i, j) {
					continue
				}
				alike := likeness(m.config[i].Question.ValueString(), list.questions[j].Question.ValueString())
				if alike > best || alike == best && atI < 0 {
					best, atI, atJ = alike, i, j
				}
			}
		}

		if atI < 0 {
			return
		}
		m.assign(list, atI, atJ)
	}
}

// likeness is the similarity of two texts, from 0 to 1: the share of letter pairs that they
// have in common, which works for any language.
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
