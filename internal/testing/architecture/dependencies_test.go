package architecture

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostDirect is how many modules the programs of this module may import directly: each
// has to be kept up to date. Fourteen of them are for posthog-sync: its commands, its
// progress bars, terminals, HCL (two), names in code, diffs, plans (two), versions of the
// CLI, the browser that takes pictures, and serving the provider to the CLI that plans
// (three). One is for the test server: regular expressions with lookaround, which the
// filters of feature flags may have.
const mostDirect = 30

// goMod is the part of the output of "go mod edit -json" that is used here.
type goMod struct {
	Module  struct{ Path string }
	Require []struct{ Path string }
	Replace []struct{ Old struct{ Path string } }
	Tool    []struct{ Path string }
}

func readGoMod(t *testing.T, path string) goMod {
	t.Helper()
	var mod goMod
	if err := json.Unmarshal([]byte(goCommand(t, "mod", "edit", "-json", path)), &mod); err != nil {
		t.Fatalf("cannot decode the output of go mod edit for %s: %v", path, err)
	}
	return mod
}

// The programs under tools/ bring hundreds of modules along. Each folder is a
// module of its own, so that none of them reaches whoever imports this one.
func TestToolsStayOut(t *testing.T) {
	t.Parallel()

	ours := readGoMod(t, "go.mod")
	if len(ours.Tool) > 0 {
		t.Errorf("go.mod has tool lines, they belong to a module under tools/: %v", ours.Tool)
	}
	if len(ours.Replace) > 0 {
		t.Errorf("go.mod has replace lines, which do not apply to those who import the module: %v", ours.Replace)
	}

	files, err := filepath.Glob(filepath.Join(root, "tools", "*", "go.mod"))
	if err != nil || len(files) < 4 {
		t.Fatalf("found %d modules under tools/ (%v), want at least generate, lint, terraform and tofu", len(files), err)
	}

	for _, file := range files {
		path, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		tool := readGoMod(t, path)
		if len(tool.Tool) == 0 {
			t.Errorf("%s names no tool", path)
		}

		for _, required := range ours.Require {
			if required.Path == tool.Module.Path || slices.ContainsFunc(tool.Tool, isOf(required.Path)) {
				t.Errorf("go.mod requires %s, which is a tool of %s", required.Path, path)
			}
		}
	}
}

// isOf returns a function that reports whether a program belongs to the module.
func isOf(modulePath string) func(struct{ Path string }) bool {
	return func(program struct{ Path string }) bool {
		return program.Path == modulePath || strings.HasPrefix(program.Path, modulePath+"/")
	}
}

// Modules that only tests import are not counted.
func TestFewDirectDependencies(t *testing.T) {
	t.Parallel()

	shipped := list(t, "-deps", ".", "./cmd/...")
	imported := map[string]bool{}
	for _, pkg := range shipped {
		if pkg.Module == nil || pkg.Module.Path != module {
			continue
		}
		for _, path := range pkg.Imports {
			imported[path] = true
		}
	}

	direct := map[string]bool{}
	for _, pkg := range shipped {
		if pkg.Module != nil && pkg.Module.Path != module && imported[pkg.ImportPath] {
			direct[pkg.Module.Path] = true
		}
	}

	if len(direct) == 0 {
		t.Fatal("no dependency was found: the packages were not read")
	}
	if len(direct) > mostDirect {
		t.Errorf("the programs import %d modules directly, want at most %d: %v", len(direct), mostDirect, direct)
	}
}

// forTests are the packages that tests stand on.
var forTests = []string{"internal/testing/acctest", "internal/testing/browsertest", "internal/testing/contracttest", "internal/testing/hostile", "internal/testing/officialprovider", "internal/testing/testca", "internal/testing/typescripttest"}

// What tests stand on is no part of what a user installs.
func TestTestingPackagesAreNotShipped(t *testing.T) {
	t.Parallel()
	for _, pkg := range list(t, "-deps", ".", "./cmd/...") {
		if slices.Contains(forTests, strings.TrimPrefix(pkg.ImportPath, module+"/")) ||
			strings.HasPrefix(pkg.ImportPath, "github.com/pb33f/") {
			t.Errorf("the programs import %s, which is for tests", pkg.ImportPath)
		}
	}
}
