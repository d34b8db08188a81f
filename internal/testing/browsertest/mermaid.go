package browsertest

import (
	"os"
	"path/filepath"
	"testing"
)

// mermaidPath is where make mermaid puts the program that code hosts draw with, below the
// root of the module.
var mermaidPath = filepath.Join("bin", ".mermaid", "node_modules", "mermaid", "dist", "mermaid.min.js")

// LoadMermaid makes the page's mermaid, as code hosts have it. Where make mermaid has not
// downloaded it, the test is skipped, or fails where [Variable] says that nothing may be
// skipped.
func (p *Page) LoadMermaid(t testing.TB) {
	t.Helper()
	p.Evaluate(t, string(downloaded(t, mermaidPath, "make mermaid"))+"; true", new(bool))
}

// downloaded is a file below the root of the module that a target of make downloads.
func downloaded(t testing.TB, path, target string) []byte {
	t.Helper()
	file, err := os.ReadFile(filepath.Join(moduleRoot(t), path))
	switch {
	case err != nil && os.Getenv(Variable) == "required":
		t.Fatalf("%s=required: %s downloads what the test runs: %v", Variable, target, err)
	case err != nil:
		t.Skipf("%s downloads what the test runs: %v", target, err)
	}
	return file
}
