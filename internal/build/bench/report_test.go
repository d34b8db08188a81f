package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrapKeepsEveryWord(t *testing.T) {
	t.Parallel()
	for _, s := range sections {
		wrapped := wrap(s.note)
		require.Equal(t, strings.Fields(s.note), strings.Fields(wrapped))
		for line := range strings.Lines(wrapped) {
			require.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 80, line)
			require.Equal(t, strings.TrimSpace(line), strings.TrimRight(line, "\n"))
		}
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	all, err := choose("")
	require.NoError(t, err)
	require.Len(t, all, len(sections))
	two, err := choose("server,cpu")
	require.NoError(t, err)
	require.Equal(t, []string{"server", "cpu"}, []string{two[0].name, two[1].name})
	_, err = choose("cpu,speed")
	require.ErrorContains(t, err, `no section "speed"`)
}

// A section shows a chart when there is something to compare.
func TestChart(t *testing.T) {
	t.Parallel()
	s := section{name: "cpu", title: "CPU"}
	require.Empty(t, s.chart(comparison{{What: "alone", Ours: "3 MB"}}))
	require.Equal(t, `<picture><source media="(prefers-color-scheme: dark)" srcset="docs/images/bench-cpu-dark.svg">`+
		`<img alt="CPU: our results divided by the others" src="docs/images/bench-cpu-light.svg"></picture>`+"\n\n",
		s.chart(comparison{{What: "plan", Ours: "2", Against: "10, one for each"}}))
}
