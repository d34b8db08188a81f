package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lintSummary is the end of every finding's summary, before the rule's name.
const lintSummary = "(core:"

// OpenTofu's linter finds no problem in an example, such as a variable without a type or an unused declaration.
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

// The linter reports a problem.
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

// lint returns OpenTofu's findings for the configuration with all rules. It first installs the modules.
func (w workspace) lint() string {
	w.t.Helper()
	w.run("get")
	out := w.run("validate", "-lint=all")
	require.Contains(w.t, out, "Experimental linting enabled", "the CLI must accept -lint")
	return out
}

// skipWithoutLint skips the test if the CLI has no linter. OpenTofu has one since 1.13.
func skipWithoutLint(t *testing.T, w workspace) {
	t.Helper()
	help, err := w.try("validate", "-help")
	require.NoError(t, err)
	if !strings.Contains(help, "-lint") {
		t.Skip("requires the linter of OpenTofu 1.13")
	}
}
