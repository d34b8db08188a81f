package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTableOfClasses(t *testing.T) {
	t.Parallel()

	measured := classTable{{
		class: class{"M", 100}, what: "`plan`",
		figures: figures{requests: 2, elapsed: 1500 * time.Millisecond, usage: usage{CPU: time.Second / 4, Peak: 60_000_000}},
	}}

	require.Equal(t, "| Command | Class | Surveys | Requests | Time | CPU | Peak memory |\n|---|---|--:|--:|--:|--:|--:|\n"+
		"| `plan` | M | 100 | 2 | 1.50 s | 0.25 s | 60 MB |\n", measured.markdown())
	require.False(t, measured.compares(), "its rows have no second number for a chart")
}

func TestComparisonMisses(t *testing.T) {
	t.Parallel()

	require.False(t, comparison{{What: "a", Bar: "≤ 1"}}.missed())
	require.True(t, comparison{{What: "a", Bar: "≤ 1"}, {What: "b", Bar: "≤ 1", Missed: true}}.missed())
}
