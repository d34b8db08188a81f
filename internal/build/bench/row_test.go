package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestComparedHoldsTheMedianOfTheRatios(t *testing.T) {
	t.Parallel()
	one := samples{"", []float64{1, 4, 2}, seconds}
	other := samples{"them", []float64{2, 4, 8}, seconds} // ratios 0.5, 1, 0.25
	r := compared("plan", one, other, bar{atMost: 0.5})
	require.Equal(t, row{What: "plan", Ours: "2.00 s", Against: "4.00 s them", Ratio: "0.50 (0.25 to 1.00)", Bar: "≤ 0.5"}, r)
	require.True(t, compared("plan", one, other, bar{atMost: 0.49}).Missed)
	require.True(t, compared("plan", one, other, bar{atLeast: 0.51}).Missed)
	require.False(t, compared("plan", one, other, bar{atLeast: 0.5}).Missed)
	require.False(t, compared("plan", one, other, bar{}).Missed)
}

func TestOneRoundHasNoSpread(t *testing.T) {
	t.Parallel()
	r := compared("plan", samples{"", []float64{1}, seconds}, samples{"them", []float64{4}, seconds}, bar{})
	require.Equal(t, "0.25", r.Ratio)
}

func TestCounted(t *testing.T) {
	t.Parallel()
	require.False(t, counted("requests", 9, "", bar{atMost: 9}).Missed)
	require.True(t, counted("requests", 10, "", bar{atMost: 9}).Missed)
}

func TestMedian(t *testing.T) {
	t.Parallel()
	unsorted := []float64{9, 1, 5}
	require.InDelta(t, 5, median(unsorted), 0)
	require.Equal(t, []float64{9, 1, 5}, unsorted, "the order is that of the rounds")
	require.InDelta(t, 3, median([]float64{4, 2}), 0)
	require.InDelta(t, 7, median([]float64{7}), 0)
}

func TestMarkdownSaysWhatWasMissed(t *testing.T) {
	t.Parallel()
	require.Equal(t, "| What | Ours | Against | Ratio | Bar | |\n|---|--:|--:|--:|--:|---|\n"+
		"| a | 1 | 2 | 0.5 | ≤ 1 | held |\n"+
		"| b | 3 |  |  | ≤ 2 | **missed** |\n"+
		"| c | 4 |  |  |  |  |\n",
		comparison{
			{What: "a", Ours: "1", Against: "2", Ratio: "0.5", Bar: "≤ 1"},
			{What: "b", Ours: "3", Bar: "≤ 2", Missed: true},
			{What: "c", Ours: "4"},
		}.markdown())
}
