// Command prose checks the texts of this repository with Vale and the rules in tools/prose: Markdown
// files, and the strings in Go files that users read.
//
// Run it in the root of the repository: go run ./internal/build/prose bin/vale
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// alert is a violation of a rule, in Vale's JSON output.
type alert struct {
	Check   string
	Message string
	Line    int
}

// rules is Vale's configuration file.
const rules = "tools/prose/vale.ini"

// knownAlerts is the number of alerts that the strings may contain. Lower this number when texts improve.
const knownAlerts = 84

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("usage: go run ./internal/build/prose VALE")
	}
	vale, err := filepath.Abs(os.Args[1])
	if err != nil {
		return err
	}
	config, err := filepath.Abs(rules)
	if err != nil {
		return err
	}
	pages, err := checkPages(vale, config)
	if err != nil {
		return err
	}
	texts, err := checkStrings(vale, config)
	if err != nil {
		return err
	}

	violations := pages
	if len(texts) > knownAlerts {
		violations = append(violations, texts...)
	}
	slices.Sort(violations)
	for _, line := range violations {
		fmt.Println(line)
	}
	if len(violations) > 0 {
		return fmt.Errorf("found %d alerts in pages, and %d in strings (at most %d are allowed). See \"Write texts\" in CONTRIBUTING.md", len(pages), len(texts), knownAlerts)
	}
	fmt.Printf("Vale has %d alerts for strings, which may have %d\n", len(texts), knownAlerts)
	return nil
}

// checkPages returns a line for each alert in Markdown files, such as "README.md:12: ...".
func checkPages(vale, config string) ([]string, error) {
	pages, err := trackedFiles("*.md", "templates/guides/*.tmpl")
	if err != nil {
		return nil, err
	}
	pages = slices.DeleteFunc(pages, func(path string) bool {
		// docs/ is generated from the templates and from strings in Go files.
		return strings.HasPrefix(path, "docs/") || strings.Contains(path, "/testdata/")
	})
	alerts, err := lint(vale, config, pages)
	if err != nil {
		return nil, err
	}
	var found []string
	for path, list := range alerts {
		for _, a := range list {
			found = append(found, fmt.Sprintf("%s:%d: %s (%s)", path, a.Line, a.Message, a.Check))
		}
	}
	return found, nil
}

// checkStrings returns a line for each alert in strings of Go files.
func checkStrings(vale, config string) ([]string, error) {
	dir, err := os.MkdirTemp("", "posthog-prose-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()

	sources, err := extract(dir)
	if err != nil {
		return nil, err
	}
	alerts, err := lint(vale, config, slices.Collect(maps.Keys(sources)))
	if err != nil {
		return nil, err
	}

	var found []string
	for path, list := range alerts {
		for _, a := range list {
			found = append(found, fmt.Sprintf("%s: %s (%s)", sources[path][a.Line-1], a.Message, a.Check))
		}
	}
	return found, nil
}

// lint runs Vale on files, and returns its alerts by path.
func lint(vale, config string, paths []string) (map[string][]alert, error) {
	command := exec.Command(vale, append([]string{"--config", config, "--output", "JSON", "--no-exit"}, paths...)...) //nolint:gosec,noctx // the program that make lint built
	out, err := command.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return nil, fmt.Errorf("vale failed: %s%s", failed.Stderr, out)
	}
	if err != nil {
		return nil, err
	}
	alerts := map[string][]alert{}
	if err := json.Unmarshal(out, &alerts); err != nil {
		return nil, fmt.Errorf("cannot read the output of vale: %w", err)
	}
	return alerts, nil
}

// trackedFiles lists the files in git that match patterns.
func trackedFiles(patterns ...string) ([]string, error) {
	out, err := exec.Command("git", append([]string{"ls-files", "--"}, patterns...)...).Output() //nolint:gosec,noctx // the patterns are constants
	if err != nil {
		return nil, fmt.Errorf("cannot list the files in git: %w", err)
	}
	return strings.Fields(string(out)), nil
}
