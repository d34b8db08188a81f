package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// report measures the sections and prints the table of each when it is complete.
// The result is the whole document, and whether a bar was missed.
func (g *runner) report(ctx context.Context, chosen []section) (document string, missed bool, err error) {
	parts := []string{g.introduction()}
	fmt.Println(g.machine())
	for _, s := range chosen {
		start := time.Now()
		measured, err := s.run(ctx, g)
		if err != nil {
			return "", false, fmt.Errorf("%s: %w", s.name, err)
		}
		missed = missed || measured.missed()
		part := fmt.Sprintf("## %s\n\n%s\n\n%s%s", s.title, wrap(s.note), s.chart(measured), measured.markdown())
		fmt.Printf("\n%s\n(%s took %s)\n", part, s.name, time.Since(start).Round(time.Second))
		parts = append(parts, part)
	}
	return strings.Join(parts, "\n"), missed, nil
}

func (g *runner) introduction() string {
	return "# Benchmarks\n\n" + wrap("Written by `make bench`. What is compared is measured alternately in one run, so the ratios are more "+
		"reliable than the absolute numbers. A ratio is the median over all rounds, followed by the minimum and the maximum; "+
		"the absolute numbers are medians too.") + "\n\n" + wrap("Measured on a machine with "+g.machine()+".") + "\n"
}

// machine describes the class of the machine, without anything that identifies it.
func (g *runner) machine() string {
	return fmt.Sprintf("%d cores (%s/%s), %s, %s; number of rounds: %d", runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), g.version, g.rounds)
}

// chart embeds the chart of a section, which make bench draws from the rows; empty when no
// row compares two numbers.
func (s section) chart(measured table) string {
	if !measured.compares() {
		return ""
	}
	file := "docs/images/bench-" + s.name
	return fmt.Sprintf(`<picture><source media="(prefers-color-scheme: dark)" srcset="%[1]s-dark.svg"><img alt="%[2]s: our results divided by the others" src="%[1]s-light.svg"></picture>`,
		file, s.title) + "\n\n"
}

// wrap breaks a text into lines that fit an editor.
func wrap(text string) string {
	const width = 80
	var b strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		switch {
		case column == 0:
		case column+1+len(word) > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String()
}
