package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lintSummary is what the summary of every finding ends in, before the name of its rule.
const lintSummary = "(core:"

// OpenTofu has nothing to say about an example: neither about variables without a type nor
// about what nothing refers to.
func TestAccLint(t *testing.T) {
	t.Parallel()
	skipWithoutLint(t, openWorkspace(t, "provider"))
	for _, folder := range configurations(t) {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			assert.NotContains(t, openConfiguration(t, folder).lint(), lintSummary)
		})
	}
}

// A finding is found.
func TestAccLintFinds(t *testing.T) {
	t.Parallel()
	w := openWorkspace(t, "provider")
	skipWithoutLint(t, w)
	require.NotContains(t, w.lint(), lintSummary)

	unused := "variable \"unused\" {}\n\nlocals {\n  unused = 1\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(w.dir, "unused.tf"), []byte(unused), 0o600))
	out := w.lint()

	for _, rule := range []string{"core:no-type-variable", "core:unused-variable", "core:unused-local"} {
		assert.Contains(t, out, "("+rule+")")
	}
}

// lint is what OpenTofu prints of the configuration with all its rules, once its modules are
// installed.
func (w workspace) lint() string {
	w.t.Helper()
	w.run("get")
	out := w.run("validate", "-lint=all")
	require.Contains(w.t, out, "Experimental linting enabled", "the flag was not understood")
	return out
}

// skipWithoutLint skips the test when the CLI has no linter: it came with OpenTofu 1.13.
func skipWithoutLint(t *testing.T, w workspace) {
	t.Helper()
	help, err := w.try("validate", "-help")
	require.NoError(t, err)
	if !strings.Contains(help, "-lint") {
		t.Skip("this CLI has no linter: it came with OpenTofu 1.13")
	}
}
