package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The bar applies to the median of the ratios, and a missed one is kept in mind.
func TestCompared(t *testing.T) {
	t.Parallel()
	one, other := samples{1, 4, 2}, samples{2, 4, 8} // ratios 0.5, 1, 0.25
	for _, row := range []struct {
		bound  bar
		want   string
		missed bool
	}{
		{bar{}, " |  |", false},
		{bar{atMost: 0.5}, "≤ 0.5 | held |", false},
		{bar{atMost: 0.49}, "≤ 0.49 | **missed** |", true},
		{bar{atLeast: 0.5}, "≥ 0.5 | held |", false},
		{bar{atLeast: 0.51}, "≥ 0.51 | **missed** |", true},
	} {
		var b bench
		assert.Equal(t, "| plan | 2.00 s | 4.00 s them | 0.50 (0.25 to 1.00) | "+row.want+"\n", b.compared("plan", one, other, "them", seconds, row.bound))
		assert.Equal(t, row.missed, b.missed, row.want)
	}

	var b bench
	assert.Equal(t, "| requests | 9 | 10, one each |  | ≤ 9 | held |\n", b.counted("requests", 9, "10, one each", 9))
	assert.Equal(t, "| plan | 1 MB | 2 MB them | 0.50 |  |  |\n", b.compared("plan", samples{1e6}, samples{2e6}, "them", megabytes, bar{}))
	assert.False(t, b.missed)
	assert.InDelta(t, 3, samples{4, 2}.median(), 0)
}

// The rows of a document are replaced, and what people wrote around them stays.
func TestWithRows(t *testing.T) {
	t.Parallel()
	old := "# B\n\nMeasured long ago.\n\n## One\n\nWords.\n\n| a |\n|---|\n| old |\n| older |\n\n## Two\n\n| b |\n|---|\n| old |\n"
	assert.Equal(t, "# B\n\nMeasured now.\n\n## One\n\nWords.\n\n| a |\n|---|\n| 1 |\n| 2 |\n\n## Two\n\n| b |\n|---|\n| 3 |\n",
		withRows(old, "Measured now.", map[string]string{"## One": "| 1 |\n| 2 |\n", "## Two": "| 3 |\n"}))
}
