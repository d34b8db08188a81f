package architecture

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const module = "github.com/surveys-as-code/terraform-provider-posthog"

// root is the folder of the module, seen from this one.
var root = filepath.Join("..", "..", "..")

// goPackage is the part of the output of "go list -json" that is used here.
type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	Standard                           bool
	Module                             *struct{ Path string }
}

// packageName is the name of a package of this module: its folder, "." for the root. It
// is empty for a package of another module.
func packageName(importPath string) string {
	if importPath == module {
		return "."
	}

	name, ours := strings.CutPrefix(importPath, module+"/")
	if !ours {
		return ""
	}
	return name
}

// list runs "go list -json" with the given arguments at the root of the module.
func list(t *testing.T, args ...string) []goPackage {
	t.Helper()

	decoder := json.NewDecoder(strings.NewReader(goCommand(t, append([]string{"list", "-json"}, args...)...)))
	var packages []goPackage
	for {
		var one goPackage
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return packages
		}
		if err != nil {
			t.Fatalf("cannot decode the output of go list: %v", err)
		}
		packages = append(packages, one)
	}
}

// goCommand runs the go command at the root of the module.
func goCommand(t *testing.T, args ...string) string {
	t.Helper()

	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr

	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}
