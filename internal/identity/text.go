package identity

import (
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
)

// texts caches the values that the comparison derives from each text.
type texts struct {
	canonical map[string]string
	pairs     map[string]letterPairs
}

func newTexts() texts { return texts{map[string]string{}, map[string]letterPairs{}} }

// of returns a text's canonical form.
func (t texts) of(text string) string {
	canonical, ok := t.canonical[text]
	if !ok {
		canonical = markup.Canonical(text)
		t.canonical[text] = canonical
	}
	return canonical
}

// same reports whether PostHog treats two texts as equal.
func (t texts) same(a, b string) bool { return a != Unknown && b != Unknown && t.of(a) == t.of(b) }

// equal reports whether two questions differ in nothing but their IDs.
func (t texts) equal(q, p Question) bool {
	return q.Type == p.Type && t.same(q.Text, p.Text) && q.Content.isKnown() && q.Content == p.Content
}

// similarity is the cached form of [Similarity].
func (t texts) similarity(a, b string) float64 {
	if a == Unknown || b == Unknown {
		return 0
	}
	if a != "" && t.same(a, b) { // a text of one letter does not contain a pair
		return 1
	}
	return t.letterPairs(a).similarity(t.letterPairs(b))
}

func (t texts) letterPairs(text string) letterPairs {
	pairs, ok := t.pairs[text]
	if !ok {
		pairs = newLetterPairs(t.of(text))
		t.pairs[text] = pairs
	}
	return pairs
}

// Similarity returns the share of letter pairs that two texts have in common, from 0 to 1. It works
// for any language.
func Similarity(a, b string) float64 { return newTexts().similarity(a, b) }

// IsSimilar reports whether one text could be an edit of the other.
func IsSimilar(a, b string) bool { return Similarity(a, b) >= similarShare }

// letterPairs are the distinct pairs of adjacent letters in a text, sorted.
type letterPairs []uint64

func newLetterPairs(text string) letterPairs {
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

func (p letterPairs) similarity(q letterPairs) float64 {
	if len(p)+len(q) == 0 {
		return 0
	}

	common := 0
	for i, j := 0, 0; i < len(p) && j < len(q); {
		switch {
		case p[i] == q[j]:
			common, i, j = common+1, i+1, j+1
		case p[i] < q[j]:
			i++
		default:
			j++
		}
	}
	return 2 * float64(common) / float64(len(p)+len(q))
}
