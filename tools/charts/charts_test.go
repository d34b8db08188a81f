package main

import (
	"os"
	"path/filepath"
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
| alone | 3 MB |  |  |  |  |

## Without a chart

| a | 1 | 2 x |  |  |  |
`

func TestReadSections(t *testing.T) {
	t.Parallel()
	sections, err := readSections(document)
	if err != nil || len(sections) != 1 || sections[0].chart != "images/plans" {
		t.Fatalf("%+v, %v", sections, err)
	}
	want := []row{{"plan & <apply>, 10 surveys", "one for each", 0.2}, {"CPU", "do-nothing", 0.11}}
	if len(sections[0].rows) != 2 || sections[0].rows[0] != want[0] || sections[0].rows[1] != want[1] {
		t.Errorf("%+v, want %+v", sections[0].rows, want)
	}

	for _, broken := range []string{"", "| a | 1 | 2 x |  |  |  |", "## A\n<img src=\"a-light.svg\">\n", "## A\n| a | 1 |"} {
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
		for _, text := range []string{"plan &amp; &lt;apply&gt;, 10 surveys / one for each", "CPU / do-nothing", "0.20", "0.11"} {
			if !strings.Contains(string(svg), text) {
				t.Errorf("%s: no %q", theme, text)
			}
		}
	}
}
