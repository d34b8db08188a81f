package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Variable is the environment variable that, set to "required", has tests fail without a
// browser, or without a script that they run in it. They are skipped otherwise.
const Variable = "TEST_BROWSER"

// npmPackage is a package of npm that a target of make downloads.
type npmPackage struct {
	target, name string
	// variable is the environment variable that, set to "required", makes a test fail if the package is missing.
	variable string
}

var (
	axe        = npmPackage{"axe", "axe-core", Variable}
	mermaid    = npmPackage{"mermaid", "mermaid", Variable}
	typescript = npmPackage{"tsc", "typescript", "TEST_TYPESCRIPT"}
	sdks       = npmPackage{"sdks", "", "TEST_SDK"}
)

// find returns the path of a file of the package. Where make has not downloaded it, the test is
// skipped, or fails where that may not be.
func (p npmPackage) find(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{moduleRoot(t), "bin", "." + p.target, "node_modules", p.name}, parts...)...)
	_, err := os.Stat(path)
	if err == nil && (p == typescript || p == sdks) {
		_, err = exec.LookPath("node")
	}
	require(t, p.variable, err, "make "+p.target+" downloads what the test runs")
	return path
}

// read returns a file of the package.
func (p npmPackage) read(t testing.TB, parts ...string) string {
	t.Helper()
	script, err := os.ReadFile(p.find(t, parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// require skips a test that lacks what it needs, or fails it where a variable says that it may
// not be skipped.
func require(t testing.TB, variable string, err error, subject string) {
	t.Helper()
	switch {
	case err != nil && os.Getenv(variable) == "required":
		t.Fatalf("%s=required: %s: %v", variable, subject, err)
	case err != nil:
		t.Skipf("%s: %v (%s=required makes this a failure)", subject, err, variable)
	}
}

// moduleRoot returns the folder with go.mod above the package that is tested.
func moduleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			err = fmt.Errorf("cannot find go.mod in a parent directory of the tests")
		}
		dir = parent
	}
	t.Fatal(err)
	return ""
}
