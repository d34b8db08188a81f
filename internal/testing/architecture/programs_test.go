package architecture

import (
	"slices"
	"testing"
)

// ofTests are packages that no program should carry.
var ofTests = []string{"testing", "net/http/httptest"}

// linksTesting are packages of others that import one of them all the same: the protocol of
// Terraform's plugins has helpers for tests of plugins in its package.
var linksTesting = []string{"github.com/hashicorp/go-plugin"}

// The test server is a library for tests and part of two programs: it must not bring the
// packages of tests into them.
func TestProgramsLinkNoTesting(t *testing.T) {
	t.Parallel()

	for _, pkg := range list(t, "-deps", ".", "./cmd/...") {
		if pkg.Standard || slices.Contains(linksTesting, pkg.ImportPath) {
			continue
		}
		for _, imported := range pkg.Imports {
			if slices.Contains(ofTests, imported) {
				t.Errorf("%s imports %s, which a program links", pkg.ImportPath, imported)
			}
		}
	}
	for _, pkg := range list(t, "-deps", "./cmd/posthog-testserver") {
		if slices.Contains(ofTests, pkg.ImportPath) {
			t.Errorf("posthog-testserver links %s", pkg.ImportPath)
		}
	}
}
