//go:build unix

package main

import (
	"fmt"
	"slices"
	"strings"
)

// row is a line of a table with one number for each round. The table shows the median.
type row struct {
	what    string
	ours    []float64
	show    func(float64) string
	against string
	// others are the numbers of the program with which ours is compared, measured alternately in the same
	// run. Without them, the limits apply to ours.
	others []float64
	// atMost and atLeast are the limits of the value. Zero means no limit.
	atMost, atLeast float64
}

// write appends a row to a table. It records whether the value exceeds a limit. The limits of a comparison
// apply to the median of the rounds' ratios, because the machine's load varies less within a round than
// between rounds.
func (b *bench) write(rows *[]string, r row) {
	if b.quick {
		r.atMost, r.atLeast = 0, 0 // the limits are for the usual sizes
	}
	value, against, ratio := median(r.ours), r.against, ""
	if len(r.others) > 0 {
		ratios := make([]float64, len(r.ours))
		for i := range ratios {
			ratios[i] = r.ours[i] / r.others[i]
		}
		value, against = median(ratios), r.show(median(r.others))+" "+r.against
		if ratio = fmt.Sprintf("%.2f", value); len(ratios) > 1 {
			ratio += fmt.Sprintf(" (%.2f to %.2f)", slices.Min(ratios), slices.Max(ratios))
		}
	}

	want, verdict := "", ""
	switch {
	case r.atMost > 0:
		want, verdict = fmt.Sprintf("≤ %g", r.atMost), "held"
	case r.atLeast > 0:
		want, verdict = fmt.Sprintf("≥ %g", r.atLeast), "held"
	}
	if r.atMost > 0 && value > r.atMost || value < r.atLeast {
		verdict, b.missed = "**missed**", true
	}
	*rows = append(*rows, fmt.Sprintf("| %s |\n", strings.Join([]string{r.what, r.show(median(r.ours)), against, ratio, want, verdict}, " | ")))
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

func count(v float64) string     { return fmt.Sprintf("%.0f", v) }
func perSecond(v float64) string { return fmt.Sprintf("%.0f/s", v) }
func seconds(v float64) string   { return fmt.Sprintf("%.2f s", v) }
func megabytes(v float64) string { return fmt.Sprintf("%.0f MB", v/1e6) }

func surveys(n int) string {
	if n == 1 {
		return "1 survey"
	}
	return fmt.Sprintf("%d surveys", n)
}
