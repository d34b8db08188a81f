package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// CI runs each test once: make test-unraced runs tests that start programs or generate random inputs, and
// make race runs all other tests with the race detector. Every test is in one of the two. Tests that start
// programs are in the first, because the second skips them.
func TestEveryTestRunsInCI(t *testing.T) {
	t.Parallel()
	script := tracked(t, func(path string) bool { return path == ".ci/run" })[".ci/run"]
	assert.Regexp(t, `(?m)^step .* make test-unraced$`, script)
	assert.Regexp(t, `(?m)^step .* make race$`, script)

	unraced, race := makeTests(t, "test-unraced"), makeTests(t, "race")
	require.NotNil(t, unraced.run)
	require.Nil(t, unraced.skip)
	require.Nil(t, race.run)
	require.NotNil(t, race.skip)
	require.Contains(t, race.packages, "./...")

	found := 0
	for folder, declared := range declaredTests(t) {
		for _, name := range declared.tests {
			isUnraced := unraced.run.MatchString(name) && slices.Contains(unraced.packages, "./"+folder)
			isRaced := !race.skip.MatchString(name)
			assert.True(t, isUnraced != isRaced, "%s of %s must run in exactly one of make test-unraced and make race: %v, %v", name, folder, isUnraced, isRaced)
			if declared.startsPrograms(name) {
				found++
				assert.True(t, isUnraced, "%s of %s runs a CLI, so its name must begin with TestAcc", name, folder)
			}
		}
	}
	assert.Greater(t, found, 50, "number of tests that run a CLI")
}

// The CI lanes call existing targets, and the targets in the help fit on a screen.
func TestTargets(t *testing.T) {
	t.Parallel()
	makefile := tracked(t, func(path string) bool { return path == "GNUmakefile" })["GNUmakefile"]
	called := regexp.MustCompile(`(?m)\bmake ([a-z][a-z-]*)( |$)`)
	for path, script := range tracked(t, func(path string) bool { return path == ".ci/run" || path == ".ci/nightly" || path == ".ci/steps" }) {
		for _, target := range called.FindAllStringSubmatch(script, -1) {
			assert.Regexp(t, `(?m)^`+target[1]+`:`, makefile, "%s calls make %s, which the makefile does not define", path, target[1])
		}
	}
	assert.Len(t, regexp.MustCompile(`(?m)^[a-z-]+:.* ## `).FindAllString(makefile, -1), 12, "number of targets that make help lists")
}

// testCommand is the go test command of a makefile target.
type testCommand struct {
	run, skip *regexp.Regexp
	packages  []string
}

// makeTests returns the go test command of a target.
func makeTests(t *testing.T, target string) (command testCommand) {
	t.Helper()
	dry := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-n", target, "TF_ACC_TERRAFORM_PATH=terraform")
	dry.Dir = root
	output, err := dry.Output()
	require.NoError(t, err)

	_, line, ok := strings.Cut(string(output), "go test ")
	require.True(t, ok, "%s", output)
	line, _, _ = strings.Cut(line, "\n")
	words := strings.Fields(line)
	for i, word := range words {
		switch {
		case word == "-run":
			command.run = regexp.MustCompile(strings.Trim(words[i+1], "'"))
		case word == "-skip":
			command.skip = regexp.MustCompile(strings.Trim(words[i+1], "'"))
		case strings.HasPrefix(word, "./"):
			command.packages = append(command.packages, word)
		}
	}
	return command
}

// testFolder contains the declarations in the test files of a directory.
type testFolder struct {
	// tests are the names of tests, fuzz tests, and examples.
	tests []string
	// calls maps functions to the unqualified functions that they call.
	calls map[string][]string
	// drives contains the functions that run a CLI directly, or that skip the test if CLIs must not run.
	drives map[string]bool
}

// startsPrograms reports whether a function runs a CLI, directly or through another function of the directory.
func (f *testFolder) startsPrograms(name string) bool {
	seen := map[string]bool{}
	var look func(name string) bool
	look = func(name string) bool {
		if seen[name] {
			return false
		}
		seen[name] = true
		return f.drives[name] || slices.ContainsFunc(f.calls[name], look)
	}
	return look(name)
}

// aTest matches the names of functions that go test runs.
var aTest = regexp.MustCompile(`^(Test|Fuzz|Example)([^a-z]|$)`)

// declaredTests returns the tests of the module by directory.
func declaredTests(t *testing.T) map[string]*testFolder {
	t.Helper()
	folders := map[string]*testFolder{}
	for file, text := range tracked(t, func(file string) bool {
		return strings.HasSuffix(file, "_test.go") && !strings.HasPrefix(file, "tools/") && !strings.Contains(file, "/testdata/")
	}) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		folder := folders[path.Dir(file)]
		if folder == nil {
			folder = &testFolder{calls: map[string][]string{}, drives: map[string]bool{}}
			folders[path.Dir(file)] = folder
		}
		for _, declaration := range parsed.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil && function.Body != nil {
				folder.add(function)
			}
		}
	}
	require.Greater(t, len(slices.Collect(maps.Keys(folders))), 40)
	return folders
}

// add records a function.
func (f *testFolder) add(function *ast.FuncDecl) {
	name := function.Name.Name
	if name == "TestMain" {
		return // TestMain runs around all tests
	}
	if aTest.MatchString(name) {
		f.tests = append(f.tests, name)
	}
	ast.Inspect(function.Body, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			switch called := node.Fun.(type) {
			case *ast.Ident:
				f.calls[name] = append(f.calls[name], called.Name)
			case *ast.SelectorExpr:
				f.drives[name] = f.drives[name] || drivesCLI(called)
			}
		case *ast.BasicLit:
			f.drives[name] = f.drives[name] || node.Value == `"TF_ACC"`
		}
		return true
	})
}

// drivesCLI reports whether a call runs a CLI, through the testing framework or through acctest's CLI.
func drivesCLI(called *ast.SelectorExpr) bool {
	of, _ := called.X.(*ast.Ident)
	switch called.Sel.Name {
	case "Test", "ParallelTest", "UnitTest":
		return of != nil && of.Name == "resource"
	case "CLI":
		return true
	}
	return false
}

// Without a fixed seed, a property test would generate new inputs in each run, and could fail for unrelated changes.
func TestPropertyTestsHaveAFixedSeed(t *testing.T) {
	t.Parallel()
	const rapid, fixed = `"pgregory.net/rapid"`, `"` + module + `/internal/testing/property"`
	files := tracked(t, func(path string) bool {
		return strings.HasSuffix(path, "_test.go") && !strings.HasPrefix(path, "tools/")
	})

	draws, isFixed := map[string]bool{}, map[string]bool{}
	for file, text := range files {
		folder := filepath.Dir(file)
		draws[folder] = draws[folder] || strings.Contains(text, rapid) && file != "internal/testing/architecture/ci_test.go"
		isFixed[folder] = isFixed[folder] || strings.Contains(text, fixed)
	}
	assert.NotEmpty(t, draws)
	for folder, random := range draws {
		assert.True(t, isFixed[folder] || !random, "%s: its tests import rapid, so they must import internal/testing/property, which fixes the seed", folder)
	}
}
