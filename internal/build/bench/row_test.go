//go:build unix

package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The limit applies to the median of the ratios, and a missed limit is recorded.
func TestRow(t *testing.T) {
	t.Parallel()
	one, other := []float64{1, 4, 2}, []float64{2, 4, 8} // the ratios are 0.5, 1, and 0.25
	for _, test := range []struct {
		row    row
		want   string
		missed bool
	}{
		{row{ours: one, others: other}, " |  |", false},
		{row{ours: one, others: other, atMost: 0.5}, "≤ 0.5 | held |", false},
		{row{ours: one, others: other, atMost: 0.49}, "≤ 0.49 | **missed** |", true},
		{row{ours: one, others: other, atLeast: 0.5}, "≥ 0.5 | held |", false},
		{row{ours: one, others: other, atLeast: 0.51}, "≥ 0.51 | **missed** |", true},
	} {
		var b bench
		var rows []string
		test.row.what, test.row.show, test.row.against = "plan", seconds, "them"
		b.write(&rows, test.row)
		assert.Equal(t, []string{"| plan | 2.00 s | 4.00 s them | 0.50 (0.25 to 1.00) | " + test.want + "\n"}, rows)
		assert.Equal(t, test.missed, b.missed, test.want)
	}

	var b bench
	var rows []string
	b.write(&rows, row{what: "requests", ours: []float64{9}, show: count, against: "10, one each", atMost: 9})
	b.write(&rows, row{what: "plan", ours: []float64{1e6}, show: megabytes, against: "them", others: []float64{2e6}})
	assert.Equal(t, []string{"| requests | 9 | 10, one each |  | ≤ 9 | held |\n", "| plan | 1 MB | 2 MB them | 0.50 |  |  |\n"}, rows)
	assert.False(t, b.missed)
	assert.InDelta(t, 3, median([]float64{4, 2}), 0)
}

// withRows replaces the rows of a document and keeps the text around them.
func TestWithRows(t *testing.T) {
	t.Parallel()
	old := "# B\n\nMeasured long ago.\n\n## One\n\nWords.\n\n| a |\n|---|\n| old |\n| older |\n\n## Two\n\n| b |\n|---|\n| old |\n"
	assert.Equal(t, "# B\n\nMeasured now.\n\n## One\n\nWords.\n\n| a |\n|---|\n| 1 |\n| 2 |\n\n## Two\n\n| b |\n|---|\n| 3 |\n",
		withRows(old, "Measured now.", map[string]string{"## One": "| 1 |\n| 2 |\n", "## Two": "| 3 |\n"}))
}
