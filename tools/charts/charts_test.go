package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const document = `# Benchmarks

## Plans

note

<picture><source media="(prefers-color-scheme: dark)" srcset="images/plans-dark.svg"><img alt="Plans" src="images/plans-light.svg"></picture>

| What | Ours | Against | Ratio | Bar | |
|---|--:|--:|--:|--:|---|
| plan & <apply>, 10 surveys | 2 | 10, one for each |  |  |  |
| CPU | 0.58 s | 5.37 s do-nothing | 0.11 (0.09 to 0.13) | ≤ 0.35 | held |
| few | 4 | 1000, one for each |  | ≤ 5 | held |
| retrieve | 43687/s | 451/s Prism | 101.0 (65.66 to 102.44) | ≥ 10 | held |
| list | 10357/s | 21485/s memory | 0.48 |  |  |
| alone | 3 MB |  |  |  |  |

| Command | Class | Surveys | Requests | Time | CPU |
|---|---|--:|--:|--:|--:|
| plan | M | 100 | 2 | 1.50 s | 0.25 s |

## Without a chart

| a | 1 | 2 x |  |  |  |
`

// The axis says which direction is better, where that is the same for all rows.
func TestAxis(t *testing.T) {
	t.Parallel()
	rate, cost := row{more: true}, row{}
	for want, rows := range map[string][]row{"more is better": {rate, rate}, "less is better": {cost}, "blue is better": {cost, rate}} {
		if axis := (section{rows: rows}).axis(); !strings.Contains(axis, want) {
			t.Errorf("%q, want %q", axis, want)
		}
	}
}

func TestReadSections(t *testing.T) {
	t.Parallel()
	sections, err := readSections(document)
	if err != nil || len(sections) != 1 || sections[0].chart != "images/plans" {
		t.Fatalf("%+v, %v", sections, err)
	}
	want := []row{
		{"plan & <apply>, 10 surveys", "one for each", 0.2, false, nil}, {"CPU", "do-nothing", 0.11, false, &bar{0.35, false}},
		{"few", "one for each", 0.004, false, &bar{0.005, false}},
		{"retrieve", "Prism", 101, true, &bar{10, true}}, {"list", "memory", 0.48, true, nil},
	}
	if !reflect.DeepEqual(sections[0].rows, want) {
		t.Errorf("%+v, want %+v", sections[0].rows, want)
	}

	const chart, header = "## A\n<img src=\"a-light.svg\">\n", "| What | Ours |\n|---|--:|\n"
	for _, broken := range []string{"", header + "| a | 1 | 2 x |  |  |  |", chart, chart + header + "| a | 1 |", chart + header + "| a | 1 | 2 x |  | < 3 | |"} {
		if _, err := readSections(broken); err == nil {
			t.Errorf("%q was read", broken)
		}
	}
}

// The charts are where the document shows them, in both themes, with every row.
func TestRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	input := filepath.Join(dir, "BENCHMARKS.md")
	if err := os.WriteFile(input, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}

	if err := run(input); err != nil {
		t.Fatal(err)
	}

	for _, theme := range []string{"light", "dark"} {
		svg, err := os.ReadFile(filepath.Join(dir, "images", "plans-"+theme+".svg"))
		if err != nil {
			t.Fatal(err)
		}

		for _, text := range []string{"plan &amp; &lt;apply&gt;, 10 surveys / one for each", "CPU / do-nothing", "0.20", "0.11", ">0.004<", ">101<", "blue is better"} {
			if !strings.Contains(string(svg), text) {
				t.Errorf("%s: no %q", theme, text)
			}
		}

		// The bands of what has to be held.
		if !strings.Contains(string(svg), "#2DA042") {
			t.Errorf("%s: no band", theme)
		}

		// Four rows are better than what they are compared with, one is worse.
		colors := map[string][2]string{"light": {"#1A56DB", "#BC6C0A"}, "dark": {"#6EA8FF", "#E0A030"}}[theme]
		if !strings.Contains(string(svg), colors[0]) || !strings.Contains(string(svg), colors[1]) {
			t.Errorf("%s: bars that are better and worse have one color", theme)
		}
	}
}
