package trigram_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/trigram"
)

// The examples are those of the database's manual and worked out by hand.
func TestSimilarity(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		search, text string
		whole, word  float64
	}{
		{"word", "two words", 4.0 / 11, 4.0 / 5},
		{"word", "word", 1, 1},
		{"word", "WORD, word!", 1, 1},
		{"word", "", 0, 0},
		{"", "word", 0, 0},
		{"!?", "!?", 0, 0},
		{"cat", "dog", 0, 0},
		{"onbording", "onboarding", 8.0 / 13, 8.0 / 13},
	} {
		q := trigram.NewQuery(row.search)
		assert.InDelta(t, row.whole, q.Similarity(row.text), 1e-9, "%q in %q as a whole", row.search, row.text)
		assert.InDelta(t, row.word, q.WordSimilarity(row.text), 1e-9, "%q in %q", row.search, row.text)
	}
}

// texts are ordinary and adversarial ones of about 100 kB.
func texts() map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	var words strings.Builder
	for words.Len() < 100_000 {
		fmt.Fprintf(&words, "%s ", []string{"how", "likely", "are", "you", "to", "recommend", "onboarding", "survey", fmt.Sprint(random.IntN(1e6))}[random.IntN(9)])
	}
	return map[string]string{
		"words":    words.String(),
		"one":      strings.Repeat("a", 100_000),
		"two":      strings.Repeat("ab ", 33_333),
		"the same": strings.Repeat("onboarding of new customers ", 3_600),
	}
}

// C47 the work grows about linearly with the text.
func TestWordSimilarityIsLinear(t *testing.T) {
	t.Parallel()
	for name, text := range texts() {
		for _, search := range []string{"onboarding", "a", strings.Repeat("onboarding of new customers ", 7)} {
			start := time.Now()
			trigram.NewQuery(search).WordSimilarity(text)
			assert.Less(t, time.Since(start), 5*time.Second, "%s, %d characters of search", name, len(search))
		}
	}
}

// BenchmarkWordSimilarity searches 100 kB of text.
func BenchmarkWordSimilarity(b *testing.B) {
	for name, text := range texts() {
		b.Run(name, func(b *testing.B) {
			q := trigram.NewQuery("onboarding feedback")
			b.ReportAllocs()
			for b.Loop() {
				q.WordSimilarity(text)
			}
		})
	}
}
