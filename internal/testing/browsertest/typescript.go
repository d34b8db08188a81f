package browsertest

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TypeScriptErrors returns the errors of the TypeScript compiler in its strictest mode. files maps file names to
// contents. The result is empty if there are no errors.
func TypeScriptErrors(t testing.TB, files map[string]string) string {
	t.Helper()
	return node(t, files, typescript.find(t, "bin", "tsc"),
		"--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--noUnusedLocals", "--isolatedModules",
		"--target", "es2022", "--module", "es2022", "--lib", "es2022", "--skipLibCheck", "--pretty", "false")
}

// evaluation prints the exports of all modules in a directory, by file name.
const evaluation = `
const [typescript, ...names] = process.argv.slice(1);
const ts = require(typescript), fs = require("fs"), found = {};
for (const name of names) {
  const module = { exports: {} };
  const options = { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } };
  new Function("module", "exports", ts.transpileModule(fs.readFileSync(name, "utf8"), options).outputText)(module, module.exports);
  found[name] = module.exports;
}
process.stdout.write(JSON.stringify(found));
`

// TypeScriptExports returns the values that TypeScript files export, by file name.
func TypeScriptExports(t testing.TB, files map[string]string) map[string]map[string]json.RawMessage {
	t.Helper()
	text := node(t, files, "--eval", evaluation, "--", typescript.find(t, "lib", "typescript.js"))
	exports := map[string]map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(text), &exports); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return exports
}

// node writes files to a new directory and runs Node with the arguments and their names. It returns the output even
// if Node fails.
func node(t testing.TB, files map[string]string, arguments ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, name)
	}

	var printed bytes.Buffer
	command := exec.CommandContext(t.Context(), "node", arguments...) //nolint:gosec // the tests name the files
	command.Dir, command.Stdout, command.Stderr = dir, &printed, &printed
	var exit *exec.ExitError
	if err := command.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	} else if err != nil && printed.Len() == 0 {
		return err.Error()
	}
	return printed.String()
}
