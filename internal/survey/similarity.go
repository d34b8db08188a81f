package survey

import (
	"slices"
	"strings"
)

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

// wordings keeps what the comparison of texts needs of each, so that it is worked out once
// a text and not once a pair of them.
type wordings struct {
	pairs   map[string]letterPairs
	cleaned map[string]string
}

func newWordings() *wordings {
	return &wordings{pairs: map[string]letterPairs{}, cleaned: map[string]string{}}
}

func (w *wordings) similarity(a, b string) float64 { return w.pairsOf(a).similarity(w.pairsOf(b)) }

func (w *wordings) pairsOf(text string) letterPairs {
	pairs, ok := w.pairs[text]
	if !ok {
		pairs = letterPairsOf(text)
		w.pairs[text] = pairs
	}
	return pairs
}

// sameMarkup is the function of that name.
func (w *wordings) sameMarkup(stored, configured string) bool {
	if stored == configured || !strings.Contains(configured, "<") {
		return stored == configured
	}
	return w.clean(stored) == w.clean(configured)
}

func (w *wordings) clean(text string) string {
	clean, ok := w.cleaned[text]
	if !ok {
		clean = cleaned(text)
		w.cleaned[text] = clean
	}
	return clean
}
