package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// table is what a section has measured.
type table interface {
	markdown() string
	// missed reports whether a bar was missed.
	missed() bool
	// compares reports whether any row has two numbers, which a chart can show.
	compares() bool
}

// comparison is a table of our results beside those of others.
type comparison []row

// comparing is what measures a comparison, as what a section runs.
func comparing(measure func(context.Context, *runner) ([]row, error)) func(context.Context, *runner) (table, error) {
	return func(ctx context.Context, g *runner) (table, error) {
		rows, err := measure(ctx, g)
		return comparison(rows), err
	}
}

func (rows comparison) missed() bool {
	return slices.ContainsFunc(rows, func(r row) bool { return r.Missed })
}

func (rows comparison) compares() bool { return slices.ContainsFunc(rows, row.compares) }

func (rows comparison) markdown() string {
	var b strings.Builder
	b.WriteString("| What | Ours | Against | Ratio | Bar | |\n|---|--:|--:|--:|--:|---|\n")
	for _, r := range rows {
		verdict := ""
		switch {
		case r.Missed:
			verdict = "**missed**"
		case r.Bar != "" && !r.NotMeasured:
			verdict = "held"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.What, r.Ours, r.Against, r.Ratio, r.Bar, verdict)
	}
	return b.String()
}
