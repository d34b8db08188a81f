// Package architecture tests the structure of this module: the imports of each package, code that must go through a
// certain package, and the module's dependencies. It contains only tests, and no package imports it.
package architecture

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/surveys-as-code/terraform-provider-posthog"

// root is the root directory of the module, relative to this package.
var root = filepath.Join("..", "..", "..")

// rooms are the packages of this module from the bottom up. A package may import only packages in its own
// room and in earlier rooms. "x/..." contains x and the packages below x, unless they have their own room. A
// new package belongs to the room of its directory, or needs a new room here.
var rooms = []string{
	"internal/api",
	"internal/jsonvalue", "internal/escape", "internal/web", "internal/markup", "internal/identity", "internal/selector",
	"internal/flow", "internal/audience",
	"internal/framework/attribute", "internal/client",
	"internal/framework", "internal/framework/protocol", "internal/framework/fastpath", "internal/responses", "internal/past",
	"internal/survey/...", "internal/importapp",
	"internal/provider", "provider",
	"testserver/internal/wire", "testserver/internal/htmlclean", "testserver/internal/store", "testserver/internal/targeting",
	"testserver/internal/faults", "testserver/internal/record", "testserver/internal/service", "testserver/internal/fixtures",
	"testserver/internal/sdk", "testserver/internal/control", "testserver/internal/page", "testserver/...",
	"internal/sync/inputfile", "internal/sync/yamldoc", "internal/sync/environment", "internal/sync/source", "internal/sync/excerpt", "internal/sync/code",
	"internal/sync/surveyfile", "internal/sync/snapshot", "internal/sync/tfplan", "internal/sync/tfcli",
	"internal/sync/...", "internal/sync/cli/...",
	"cmd/...", ".",
	"internal/testing/...", "internal/build/...", "examples/...",
}

// testserverMayImport are the packages of this module that the test server and its tests may import. The
// server must not share code with the client or the provider, because it could never detect a bug in shared
// code. It does not check the packages in this list: audiences, flowcharts, escaping, access to a local
// server, and scripts for browsers.
var testserverMayImport = []string{
	"internal/api", "internal/audience", "internal/escape", "internal/flow", "internal/web",
	"internal/testing/browsertest", "internal/testing/contracttest", "internal/testing/property",
}

// mayImportTestserver are the other rooms whose code may import the test server.
var mayImportTestserver = []string{"internal/sync/...", "internal/sync/cli/...", "cmd/...", "internal/build/...", "internal/testing/..."}

// matches reports whether a room contains a package.
func matches(room, name string) bool {
	parent, below := strings.CutSuffix(room, "/...")
	return name == parent || below && strings.HasPrefix(name, parent+"/")
}

// roomOf returns the index of a package's room. The longest matching path wins.
func roomOf(name string) int {
	if exact := slices.Index(rooms, name); exact >= 0 {
		return exact
	}
	found := -1
	for i, room := range rooms {
		if matches(room, name) && (found < 0 || len(room) > len(rooms[found])) {
			found = i
		}
	}
	return found
}

func TestNothingImportsUp(t *testing.T) {
	t.Parallel()
	for _, pkg := range list(t, "./...") {
		name := packageName(pkg.ImportPath)
		own := roomOf(name)
		if own < 0 {
			t.Errorf("package %s is not in the list rooms. Add it after the packages that it imports", name)
			continue
		}
		for _, imported := range ours(pkg.Imports) {
			assert.LessOrEqual(t, roomOf(imported), own, "%s imports %s, which is in a later room", name, imported)
			if matches("testserver/...", imported) && !matches("testserver/...", name) {
				assert.Contains(t, mayImportTestserver, rooms[own], "%s must not import %s", name, imported)
			}
		}
		if matches("testserver/...", name) {
			for _, imported := range ours(pkg.Imports, pkg.TestImports, pkg.XTestImports) {
				allowed := func(room string) bool { return matches(room, imported) }
				assert.True(t, slices.ContainsFunc(append(testserverMayImport, "testserver/..."), allowed), "%s must not import %s, because it would share its bugs", name, imported)
			}
		}
		// The titles of the library's validators contain no attribute, so internal/framework/attribute wraps them.
		if name != "internal/framework/attribute" {
			for _, imported := range pkg.Imports {
				assert.NotContains(t, imported, "/terraform-plugin-framework-validators/", "%s: use the validators of attribute", name)
			}
		}
	}
}

// ours returns the imports that are packages of this module.
func ours(imports ...[]string) []string {
	var names []string
	for _, path := range slices.Concat(imports...) {
		if name := packageName(path); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// linksTesting are third-party packages that import package testing although they are not for tests. Terraform's
// plugin protocol contains functions for plugin tests.
var linksTesting = []string{"github.com/hashicorp/go-plugin"}

// The programs that users install must not contain test dependencies of this module or of third parties.
func TestProgramsLinkNoTesting(t *testing.T) {
	t.Parallel()
	standard := []string{"testing", "net/http/httptest"}
	for _, pkg := range list(t, "-deps", ".", "./cmd/...") {
		assert.False(t, matches("internal/testing/...", packageName(pkg.ImportPath)) || strings.HasPrefix(pkg.ImportPath, "github.com/getkin/"),
			"a program imports %s, which is only for tests", pkg.ImportPath)
		if pkg.Standard || slices.Contains(linksTesting, pkg.ImportPath) {
			continue
		}
		for _, imported := range pkg.Imports {
			assert.NotContains(t, standard, imported, "a program links this package, which %s imports", pkg.ImportPath)
		}
	}
	for _, pkg := range list(t, "-deps", "./cmd/posthog-testserver") {
		assert.NotContains(t, standard, pkg.ImportPath, "posthog-testserver must not link this package")
	}
}

// mostDirect is the maximum number of modules that the programs may import directly, because each must be kept up to
// date. Half of them are for posthog-sync: its commands, progress bars, terminals, HCL, diffs, plans, and serving the
// provider to the planning CLI. Two are for the test server: regular expressions with lookaround, which filters of
// feature flags may contain, and zstd, in which SDKs may send events.
const mostDirect = 31

// The limit does not count modules that only tests import.
func TestFewDirectDependencies(t *testing.T) {
	t.Parallel()
	shipped := list(t, "-deps", ".", "./cmd/...")
	imported := map[string]bool{}
	for _, pkg := range shipped {
		if pkg.Module != nil && pkg.Module.Path == module {
			for _, path := range pkg.Imports {
				imported[path] = true
			}
		}
	}

	direct := map[string]bool{}
	for _, pkg := range shipped {
		if pkg.Module != nil && pkg.Module.Path != module && imported[pkg.ImportPath] {
			direct[pkg.Module.Path] = true
		}
	}
	assert.NotEmpty(t, direct)
	assert.LessOrEqual(t, len(direct), mostDirect, "%v", slices.Sorted(maps.Keys(direct)))
}

// goMod contains the fields that these tests read from the output of "go mod edit -json".
type goMod struct {
	Require []struct{ Path string }
	Replace []struct{ Old struct{ Path string } }
	Tool    []struct{ Path string }
}

// The programs under tools/ require hundreds of modules. Each directory is a separate module, so that a program that
// imports this module does not inherit them.
func TestToolsStayOut(t *testing.T) {
	t.Parallel()
	read := func(path string) (mod goMod) {
		require.NoError(t, json.Unmarshal([]byte(goCommand(t, "mod", "edit", "-json", path)), &mod), path)
		return mod
	}
	product := read("go.mod")
	assert.Empty(t, product.Tool, "go.mod must not contain tools. Add the tool to a module in tools/")
	assert.Empty(t, product.Replace, "go.mod must not contain replace directives, because they do not apply to modules that import it")

	files, err := filepath.Glob(filepath.Join(root, "tools", "*", "go.mod"))
	require.NoError(t, err)
	require.Greater(t, len(files), 4)
	for _, file := range files {
		path, err := filepath.Rel(root, file)
		require.NoError(t, err)
		pinned := read(path)
		tools := pinned.Tool
		assert.NotEmpty(t, slices.Concat(tools, pinned.Require), "%s does not pin a program", path)
		for _, required := range product.Require {
			for _, tool := range tools {
				assert.False(t, matches(required.Path+"/...", tool.Path), "go.mod requires %s, which is a tool of %s", required.Path, path)
			}
		}
	}
}

// goPackage contains the fields that these tests read from the output of "go list -json".
type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
	Standard                           bool
	Module                             *struct{ Path string }
}

// packageName returns the directory of a package in this module, or "." for the root package. It returns ""
// for a package of another module.
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

// list runs "go list -json" with the given arguments in the module's root directory.
func list(t *testing.T, args ...string) (packages []goPackage) {
	t.Helper()
	for decoder := json.NewDecoder(strings.NewReader(goCommand(t, append([]string{"list", "-json"}, args...)...))); ; {
		var one goPackage
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, one)
	}
}

// goCommand runs the go command in the module's root directory.
func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "go %s\n%s", strings.Join(args, " "), stderr.String())
	return string(out)
}
