package identity

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
)

// texts computes what the comparison needs of each text once.
type texts struct {
	canonical map[string]string
	pairs     map[string]letterPairs
}

func newTexts() texts { return texts{map[string]string{}, map[string]letterPairs{}} }

// of returns the canonical form of a text.
func (t texts) of(text string) string {
	known, ok := t.canonical[text]
	if !ok {
		known = markup.Canonical(text)
		t.canonical[text] = known
	}
	return known
}

// same reports whether two texts are equal to PostHog.
func (t texts) same(a, b string) bool { return a != Unknown && b != Unknown && t.of(a) == t.of(b) }

// equal reports whether two questions are equal in everything but their IDs.
func (t texts) equal(q, other Question) bool {
	return q.Type == other.Type && t.same(q.Text, other.Text) && q.Content.isKnown() && q.Content == other.Content
}

// similarity is [Similarity].
func (t texts) similarity(a, b string) float64 {
	if a == Unknown || b == Unknown {
		return 0
	}
	if a != "" && t.same(a, b) { // a text of one letter has no pairs
		return 1
	}
	return t.pairsOf(a).similarity(t.pairsOf(b))
}

func (t texts) pairsOf(text string) letterPairs {
	known, ok := t.pairs[text]
	if !ok {
		known = letterPairsOf(t.of(text))
		t.pairs[text] = known
	}
	return known
}

// Similarity is the share of letter pairs that two texts have in common, from 0 to 1. It works
// for any language.
func Similarity(a, b string) float64 { return newTexts().similarity(a, b) }

// IsSimilar reports whether one text may be an edit of the other.
func IsSimilar(a, b string) bool { return Similarity(a, b) >= similarShare }

// letterPairs are the pairs of adjacent letters in a text, each once and sorted.
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

func (p letterPairs) similarity(other letterPairs) float64 {
	if len(p)+len(other) == 0 {
		return 0
	}

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
	return 2 * float64(both) / float64(len(p)+len(other))
}
