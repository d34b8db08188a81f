package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// section is a part of the document with its rows.
type section struct {
	title string
	// chart is the path of its chart, without theme and extension.
	chart string
	rows  []row
}

// row is a row that compares two numbers.
type row struct {
	what, against string
	// ratio is our number divided by the other one.
	ratio float64
	// more is set when more is better: the numbers are rates.
	more bool
	// bar is the ratio that ours has to hold, nil where there is none.
	bar *bar
}

// bar is a ratio that must not be passed: upwards, or downwards for one that is at least.
type bar struct {
	ratio   float64
	atLeast bool
}

// better reports whether our number is at least as good as the other one.
func (r row) better() bool { return r.ratio == 1 || r.ratio > 1 == r.more }

// chartPath matches the path of a section's chart.
var chartPath = regexp.MustCompile(`src="([^"]+)-light\.svg"`)

// number matches the number at the beginning of a cell.
var number = regexp.MustCompile(`^[0-9.]+`)

// readSections reads the sections of the document that have a chart. Rows without two
// numbers are left out, and tables that compare nothing.
func readSections(document string) ([]section, error) {
	var sections []section
	isComparison := false // whether the table at hand is one
	for line := range strings.Lines(document) {
		line = strings.TrimSpace(line)
		if title, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, section{title: title})
			continue
		}
		if found := chartPath.FindStringSubmatch(line); found != nil && len(sections) > 0 {
			sections[len(sections)-1].chart = found[1]
		}
		switch {
		case strings.HasPrefix(line, "| What "):
			isComparison = true
			continue
		case !strings.HasPrefix(line, "|"):
			isComparison = false
			continue
		case !isComparison || strings.HasPrefix(line, "|--"):
			continue
		}

		if len(sections) == 0 {
			return nil, errors.New("a table comes before the first section")
		}
		r, ok, err := readRow(line)
		if err != nil {
			return nil, err
		}
		if last := &sections[len(sections)-1]; ok {
			last.rows = append(last.rows, r)
		}
	}

	drawn := slices.DeleteFunc(sections, func(s section) bool { return s.chart == "" })
	for _, s := range drawn {
		if len(s.rows) == 0 {
			return nil, fmt.Errorf("section %q has a chart, and no row that compares two numbers", s.title)
		}
	}
	if len(drawn) == 0 {
		return nil, errors.New("no section has a chart")
	}
	return drawn, nil
}

// readRow reads a row of a table: the measurement, our number, the other one with its name,
// and their ratio.
func readRow(line string) (row, bool, error) {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	if len(cells) < 4 {
		return row{}, false, fmt.Errorf("not a row of measurements: %s", line)
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}

	ours, against := number.FindString(cells[1]), number.FindString(cells[2])
	if ours == "" || against == "" {
		return row{}, false, nil
	}
	name := strings.TrimLeft(cells[2][len(against):], ", ")
	for _, unit := range []string{"s ", "MB ", "/s "} {
		name = strings.TrimPrefix(name, unit)
	}

	held, err := readBar(cells)
	if err != nil {
		return row{}, false, err
	}
	compared := row{bar: held, what: cells[0], against: name, more: strings.HasPrefix(cells[1][len(ours):], "/s")}
	// The ratio of counts is not in the table.
	if ratio := number.FindString(cells[3]); ratio != "" {
		value, err := strconv.ParseFloat(ratio, 64)
		compared.ratio = value
		return compared, value > 0, err
	}
	a, err := strconv.ParseFloat(ours, 64)
	if err != nil {
		return row{}, false, err
	}
	b, err := strconv.ParseFloat(against, 64)
	if err != nil {
		return row{}, false, err
	}
	compared.ratio = a / b
	if held != nil { // that of a count is a count
		held.ratio /= b
	}
	return compared, a > 0 && b > 0, nil
}

// readBar reads the bar of a row, "≤ 0.35" or "≥ 2"; nil where the row has none.
func readBar(cells []string) (*bar, error) {
	if len(cells) < 5 || cells[4] == "" {
		return nil, nil //nolint:nilnil // most rows have none
	}
	sign, text, found := strings.Cut(cells[4], " ")
	if !found || sign != "≤" && sign != "≥" {
		return nil, fmt.Errorf("not a bar: %q", cells[4])
	}
	ratio, err := strconv.ParseFloat(text, 64)
	return &bar{ratio, sign == "≥"}, err
}
