// Package typescripttest is for tests: what the compiler of TypeScript says about
// generated files. `make tsc` downloads it.
package typescripttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Variable is the environment variable that makes a missing compiler a failure, with the
// value required. Otherwise what needs one is skipped.
const Variable = "TEST_TYPESCRIPT"

// Errors is what the compiler, which is as strict as it can be, says about files by name;
// empty for files without errors.
func Errors(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := written(t, files)
	arguments := []string{
		program(t, "typescript", "bin", "tsc"), "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess",
		"--noUnusedLocals", "--isolatedModules", "--target", "es2022", "--module", "es2022", "--lib", "es2022", "--skipLibCheck", "--pretty", "false",
	}
	for name := range files {
		arguments = append(arguments, name)
	}
	return output(t, dir, arguments...)
}

// evaluation prints what the modules of a directory export, by the names of their files.
const evaluation = `
const [typescript, ...names] = process.argv.slice(2);
const ts = require(typescript), fs = require("fs"), found = {};
for (const name of names) {
  const module = { exports: {} };
  const options = { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } };
  new Function("module", "exports", ts.transpileModule(fs.readFileSync(name, "utf8"), options).outputText)(module, module.exports);
  found[name] = module.exports;
}
process.stdout.write(JSON.stringify(found));
`

// Exports are the values that files export, by the names of the files.
func Exports(t testing.TB, files map[string]string) map[string]map[string]json.RawMessage {
	t.Helper()
	dir := written(t, files)
	script := filepath.Join(t.TempDir(), "evaluate.cjs")
	if err := os.WriteFile(script, []byte(evaluation), 0o600); err != nil {
		t.Fatal(err)
	}
	arguments := []string{script, program(t, "typescript", "lib", "typescript.js")}
	for name := range files {
		arguments = append(arguments, name)
	}

	found := map[string]map[string]json.RawMessage{}
	text := output(t, dir, arguments...)
	if err := json.Unmarshal([]byte(text), &found); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return found
}

// written writes files into a directory of their own.
func written(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// output is what a program of Node prints, whether it ends well or not.
func output(t testing.TB, dir string, arguments ...string) string {
	t.Helper()
	var printed bytes.Buffer
	node := exec.CommandContext(t.Context(), "node", arguments...) //nolint:gosec // the tests name the files
	node.Dir, node.Stdout, node.Stderr = dir, &printed, &printed
	var exit *exec.ExitError
	if err := node.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	} else if err != nil && printed.Len() == 0 {
		return err.Error()
	}
	return printed.String()
}

// program is the path of a file of a package that make tsc downloads.
func program(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{moduleRoot(t), "bin", ".tsc", "node_modules"}, parts...)...)
	_, err := os.Stat(path)
	if err == nil {
		_, err = exec.LookPath("node")
	}
	switch {
	case err != nil && os.Getenv(Variable) == "required":
		t.Fatalf("%s=required: make tsc downloads what the test runs, with Node: %v", Variable, err)
	case err != nil:
		t.Skipf("make tsc downloads what the test runs, with Node: %v", err)
	}
	return path
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
