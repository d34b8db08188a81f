// Package trigram says how alike texts are by the groups of three characters in them,
// as the index extension of the hosted service's database does.
package trigram

import (
	"strings"
	"unicode"
)

// gram is a group of three characters.
type gram [3]rune

// Query is a search that is compared with many texts.
type Query struct {
	// wanted are the trigrams of the search, by their number.
	wanted map[gram]int
}

// NewQuery takes a search apart.
func NewQuery(search string) Query {
	q := Query{wanted: map[gram]int{}}
	each(search, func(g gram) {
		if _, known := q.wanted[g]; !known {
			q.wanted[g] = len(q.wanted)
		}
	})
	return q
}

// Similarity compares the search with a whole text: 0 for nothing in common, 1 for the
// same trigrams.
func (q Query) Similarity(text string) float64 {
	distinct, shared := map[gram]bool{}, 0
	each(text, func(g gram) {
		if distinct[g] {
			return
		}
		distinct[g] = true
		if _, ok := q.wanted[g]; ok {
			shared++
		}
	})
	return q.alike(shared, len(distinct))
}

// WordSimilarity compares the search with the part of a text that is most like it, 0 to
// 1. The time is linear in the text.
func (q Query) WordSimilarity(text string) float64 {
	if len(q.wanted) == 0 {
		return 0
	}
	e := newExtent(q)
	each(text, e.add)
	return e.best
}

// alike is the share of trigrams that the search has in common with others: how many
// distinct ones there are, and how many of them the search has too.
func (q Query) alike(shared, distinct int) float64 {
	all := len(q.wanted) + distinct - shared
	if all == 0 {
		return 0
	}
	return float64(shared) / float64(all)
}

// each calls a function with every trigram of a text, in order and with repetitions: of
// each word, in lower case, with two blanks before and one after it.
func each(text string, do func(gram)) {
	g, inWord := gram{' ', ' ', ' '}, false
	end := func() {
		if inWord {
			do(gram{g[1], g[2], ' '})
		}
		g, inWord = gram{' ', ' ', ' '}, false
	}
	for _, r := range strings.ToLower(text) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			end()
			continue
		}
		g, inWord = gram{g[1], g[2], r}, true
		do(g)
	}
	end()
}
