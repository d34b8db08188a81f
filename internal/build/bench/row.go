package main

import (
	"fmt"
	"slices"
)

// row is one line of the table: what was measured, our result and that of what we are
// compared with, and the bar.
type row struct {
	What, Ours, Against, Ratio, Bar string
	// Missed is set when the bar was not reached.
	Missed bool
	// NotMeasured is set when there was no measurement to compare with the bar.
	NotMeasured bool
}

// bar is the bound of a ratio or a number; the zero bar bounds nothing.
type bar struct {
	atMost, atLeast float64
}

func (b bar) String() string {
	switch {
	case b.atMost > 0:
		return fmt.Sprintf("≤ %g", b.atMost)
	case b.atLeast > 0:
		return fmt.Sprintf("≥ %g", b.atLeast)
	default:
		return ""
	}
}

func (b bar) missedBy(value float64) bool {
	return b.atMost > 0 && value > b.atMost || b.atLeast > 0 && value < b.atLeast
}

// counted is a row of a number that is the same in every run.
func counted(what string, ours int, against string, b bar) row {
	return row{
		What: what, Ours: fmt.Sprint(ours), Against: against, Bar: b.String(), Missed: b.missedBy(float64(ours)),
	}
}

// samples is a series of measurements of one thing, one for each round.
type samples struct {
	name   string
	values []float64
	show   func(float64) string
}

// compared is a row of two series that were measured alternately. The bar applies to
// the median of the ratios of the rounds, since the load of the machine varies less
// within a round than between rounds.
func compared(what string, ours, against samples, b bar) row {
	ratios := make([]float64, len(ours.values))
	for i := range ratios {
		ratios[i] = ours.values[i] / against.values[i]
	}
	ratio := median(ratios)
	return row{
		What: what, Ours: ours.show(median(ours.values)), Against: against.show(median(against.values)) + " " + against.name,
		Ratio: spread(ratio, ratios),
		Bar:   b.String(), Missed: b.missedBy(ratio),
	}
}

// spread is the median of some values, with the minimum and the maximum.
func spread(median float64, values []float64) string {
	if len(values) == 1 {
		return fmt.Sprintf("%.2f", median)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", median, slices.Min(values), slices.Max(values))
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

// compares reports whether the row has two numbers.
func (r row) compares() bool {
	beginsWithDigit := func(text string) bool { return text != "" && text[0] >= '0' && text[0] <= '9' }
	return beginsWithDigit(r.Ours) && beginsWithDigit(r.Against)
}

func perSecond(v float64) string    { return fmt.Sprintf("%.0f/s", v) }
func milliseconds(v float64) string { return fmt.Sprintf("%.1f ms", v*1e3) }
func seconds(v float64) string      { return fmt.Sprintf("%.2f s", v) }
func megabytes(v float64) string    { return fmt.Sprintf("%.0f MB", v/1e6) }
