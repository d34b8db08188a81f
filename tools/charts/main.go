// Command charts draws the tables of BENCHMARKS.md as bar charts, light and dark.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	input := flag.String("input", "BENCHMARKS.md", "`file` with the tables, which names the charts")
	flag.Parse()
	if err := run(*input); err != nil {
		fmt.Fprintln(os.Stderr, "charts:", err)
		os.Exit(1)
	}
}

// run draws the charts of the document, each from the rows of its section.
func run(input string) error {
	document, err := os.ReadFile(input)
	if err != nil {
		return err
	}
	sections, err := readSections(string(document))
	if err != nil {
		return fmt.Errorf("%s: %w", input, err)
	}

	for _, section := range sections {
		file := filepath.Join(filepath.Dir(input), section.chart)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil { //nolint:gosec // readable by all users
			return err
		}
		for _, theme := range themes {
			svg, err := drawSection(section, theme)
			if err != nil {
				return fmt.Errorf("%s: %w", section.title, err)
			}
			if err := os.WriteFile(file+"-"+theme.name+".svg", svg, 0o644); err != nil { //nolint:gosec // as above
				return err
			}
		}
	}
	return nil
}
