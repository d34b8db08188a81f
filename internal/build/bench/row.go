package main

import (
	"fmt"
	"slices"
	"strings"
)

// bar is the bound of a ratio or a number; the zero bar bounds nothing.
type bar struct{ atMost, atLeast float64 }

// row is one line of a comparison. A value that misses the bar is kept in mind.
func (b *bench) row(what, ours, against, ratio string, bound bar, value float64) string {
	if b.quick {
		bound = bar{} // they are for the usual sizes
	}
	want, verdict := "", ""
	switch {
	case bound.atMost > 0:
		want, verdict = fmt.Sprintf("≤ %g", bound.atMost), "held"
	case bound.atLeast > 0:
		want, verdict = fmt.Sprintf("≥ %g", bound.atLeast), "held"
	}
	if bound.atMost > 0 && value > bound.atMost || value < bound.atLeast {
		verdict, b.missed = "**missed**", true
	}
	return fmt.Sprintf("| %s |\n", strings.Join([]string{what, ours, against, ratio, want, verdict}, " | "))
}

// counted is a row of a number that is the same in every run.
func (b *bench) counted(what string, ours int, against string, atMost int) string {
	return b.row(what, fmt.Sprint(ours), against, "", bar{atMost: float64(atMost)}, float64(ours))
}

// samples is a series of measurements of one thing, one for each round.
type samples []float64

// compared is a row of two series that were measured alternately. The bar applies to the
// median of the ratios of the rounds, since the load of the machine varies less within a
// round than between rounds.
func (b *bench) compared(what string, ours, against samples, name string, show func(float64) string, bound bar) string {
	ratios := make(samples, len(ours))
	for i := range ratios {
		ratios[i] = ours[i] / against[i] //nolint:gosec // both have a value for each round
	}
	ratio := fmt.Sprintf("%.2f", ratios.median())
	if len(ratios) > 1 {
		ratio += fmt.Sprintf(" (%.2f to %.2f)", slices.Min(ratios), slices.Max(ratios))
	}
	return b.row(what, show(ours.median()), show(against.median())+" "+name, ratio, bound, ratios.median())
}

func (s samples) median() float64 {
	sorted := slices.Sorted(slices.Values(s))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

func perSecond(v float64) string { return fmt.Sprintf("%.0f/s", v) }
func seconds(v float64) string   { return fmt.Sprintf("%.2f s", v) }
func megabytes(v float64) string { return fmt.Sprintf("%.0f MB", v/1e6) }

func surveys(n int) string {
	if n == 1 {
		return "1 survey"
	}
	return fmt.Sprintf("%d surveys", n)
}
