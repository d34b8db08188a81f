package browsertest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// axePath is where make axe puts the accessibility checker, below the root of the module.
var axePath = filepath.Join("bin", ".axe", "node_modules", "axe-core", "axe.min.js")

// Violations are the violations of accessibility rules that axe-core finds in the page,
// without the elements that match the selectors. Where make axe has not downloaded it, the
// test is skipped, or fails where [Variable] says that nothing may be skipped.
func (p *Page) Violations(t testing.TB, without ...string) []string {
	t.Helper()
	axe := downloaded(t, axePath, "make axe")

	excluded := make([][]string, len(without))
	for i, selector := range without {
		excluded[i] = []string{selector}
	}
	exclude, err := json.Marshal(excluded)
	if err != nil {
		t.Fatal(err)
	}

	var violations []string
	p.Evaluate(t, string(axe)+"; true", new(bool))
	p.Evaluate(t, `axe.run({ exclude: `+string(exclude)+` }, { preload: false, resultTypes: ["violations"] }).then((found) => found.violations.map(
		(v) => v.impact + " " + v.id + ": " + v.nodes.map((n) => n.html + " " + n.failureSummary).join("; ")))`, &violations)
	return violations
}

// moduleRoot is the folder with go.mod above the package that is tested.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("there is no go.mod above the tests")
		}
		dir = parent
	}
}
