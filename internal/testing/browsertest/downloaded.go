package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Variable is an environment variable. With the value "required", tests fail without a browser or without a
// script that they run in it. Otherwise, they are skipped.
const Variable = "TEST_BROWSER"

// npmPackage is an npm package that a make target downloads.
type npmPackage struct {
	target, name string
	// variable is an environment variable. With the value "required", tests fail without the package.
	variable string
}

var (
	axe        = npmPackage{"axe", "axe-core", Variable}
	mermaid    = npmPackage{"mermaid", "mermaid", Variable}
	typescript = npmPackage{"tsc", "typescript", "TEST_TYPESCRIPT"}
	sdks       = npmPackage{"sdks", "", "TEST_SDK"}
)

// find returns the path of a file in the package. If the package is missing, find skips the test, or fails it if
// variable requires the package.
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

// read returns the contents of a file in the package.
func (p npmPackage) read(t testing.TB, parts ...string) string {
	t.Helper()
	script, err := os.ReadFile(p.find(t, parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// require skips a test without its prerequisites, or fails it if the environment variable forbids skipping.
func require(t testing.TB, variable string, err error, subject string) {
	t.Helper()
	switch {
	case err != nil && os.Getenv(variable) == "required":
		t.Fatalf("%s=required: %s: %v", variable, subject, err)
	case err != nil:
		t.Skipf("%s: %v (%s=required makes this a failure)", subject, err, variable)
	}
}

// moduleRoot returns the nearest parent directory with a go.mod file.
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
