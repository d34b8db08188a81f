package architecture

import (
	"go/version"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"
)

var (
	// use matches an action in a workflow or an example.
	use = regexp.MustCompile(`(?m)^[ -]*uses: *(\S+)(.*)$`)
	// pinned matches a commit hash.
	pinned = regexp.MustCompile(`@[0-9a-f]{40}$`)
	// ownRelease matches a version of this repository in a workflow, a command, or a hook.
	ownRelease = regexp.MustCompile(`(?:terraform-provider-posthog|[dg]/posthog-(?:sync|testserver))@(\S*?)["\x60,)]*(?:\s|$)|(?m)^ *re[vf]: *(\S+)$` +
		`|releases/download/(v[^/\s]+)/`)
	// ownFile matches a file, an image, or an npm package of a release, whose version has no leading v.
	ownFile       = regexp.MustCompile(`posthog-(?:sync-|tools-|testserver[-:]|(?:sync|testserver)@)(\d+\.\d+\.\d+)`)
	toolchainLine = regexp.MustCompile(`(?m)^toolchain (\S+)$`)
	goLine        = regexp.MustCompile(`(?m)^go (\S+)$`)
	released      = regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\]`)
)

// An attacker who controls a tag of an action could run code with access to the API key and to a token with write
// permission.
func TestActionsArePinnedByHash(t *testing.T) {
	t.Parallel()
	texts := tracked(t, func(path string) bool {
		return path == "action.yml" || strings.HasSuffix(path, ".yml") || strings.HasSuffix(path, ".md.tmpl") || path == "README.md"
	})

	found := 0
	for path, text := range texts {
		for _, match := range use.FindAllStringSubmatch(text, -1) {
			action, comment := match[1], match[2]
			if strings.HasPrefix(action, "./") || strings.HasPrefix(action, "surveys-as-code/") {
				continue
			}
			found++
			assert.Regexp(t, pinned, action, path)
			assert.Regexp(t, `^ # v\d`, comment, "%s: %s must be followed by its version as a comment", path, action)
		}
	}
	assert.NotZero(t, found)
}

// Examples and guides use one release: the newest in the change log, if there is one.
func TestExamplesNameARelease(t *testing.T) {
	t.Parallel()
	texts := tracked(t, func(path string) bool {
		return strings.HasPrefix(path, "examples/") || strings.HasSuffix(path, ".md.tmpl") || path == "README.md"
	})

	versions := map[string][]string{}
	for path, text := range texts {
		for _, match := range ownRelease.FindAllStringSubmatch(text, -1) {
			name := match[1] + match[2] + match[3]
			versions[name] = append(versions[name], path)
		}
		for _, match := range ownFile.FindAllStringSubmatch(text, -1) {
			versions["v"+match[1]] = append(versions["v"+match[1]], path)
		}
	}
	require.Len(t, versions, 1, "all files must contain the same release")
	for name := range versions {
		assert.Regexp(t, `^v\d+\.\d+\.\d+$`, name)
		changes, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
		require.NoError(t, err)
		if newest := released.FindStringSubmatch(string(changes)); newest != nil {
			assert.Equal(t, "v"+newest[1], name, "the files must contain the newest release in CHANGELOG.md")
		}
	}
}

// Releases are built with the toolchain of go.mod, so go.mod must include every security fix of the standard
// library that a release tool requires.
func TestToolchainIsTheNewest(t *testing.T) {
	t.Parallel()
	modules := tracked(t, func(path string) bool { return filepath.Base(path) == "go.mod" })
	toolchain := toolchainLine.FindStringSubmatch(modules["go.mod"])
	require.NotNil(t, toolchain, "go.mod must have a toolchain line, which Dependabot updates")

	for path, text := range modules {
		needed := goLine.FindStringSubmatch(text)
		require.NotNil(t, needed, path)
		assert.GreaterOrEqual(t, version.Compare(toolchain[1], "go"+needed[1]), 0, "the toolchain must not be older than the Go version of %s, which is %s", path, needed[1])
	}
}

// Dependabot watches every npm lock file.
func TestDependabotWatchesEveryLockFile(t *testing.T) {
	t.Parallel()
	var config struct {
		Updates []struct {
			Ecosystem   string `yaml:"package-ecosystem"`
			Directories []string
		}
	}
	text, err := os.ReadFile(filepath.Join(root, ".github", "dependabot.yml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &config))
	var watched []string
	for _, update := range config.Updates {
		if update.Ecosystem == "npm" {
			watched = append(watched, update.Directories...)
		}
	}

	var held []string
	for path := range tracked(t, func(path string) bool { return filepath.Base(path) == "package-lock.json" }) {
		held = append(held, "/"+filepath.Dir(path))
	}
	slices.Sort(held)
	assert.Equal(t, held, watched)
}

// Every test that SECURITY.md names as evidence exists.
func TestPromisesAreHeldByTests(t *testing.T) {
	t.Parallel()
	promises, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	require.NoError(t, err)
	all := strings.Builder{}
	for _, text := range tracked(t, func(path string) bool { return strings.HasSuffix(path, "_test.go") }) {
		all.WriteString(text)
	}

	named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(string(promises), -1)
	assert.NotEmpty(t, named)
	for _, name := range named {
		assert.True(t, strings.Contains(all.String(), "\nfunc "+name[1]+"("), "SECURITY.md mentions %s, which does not exist", name[1])
	}
}

// The documentation shows each image in the repository, and each shown image exists.
func TestPicturesAreShown(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob(filepath.Join(root, "*.md"))
	require.NoError(t, err)
	pages = append(pages, filepath.Join(root, "testserver", "README.md"))
	picture := regexp.MustCompile(`(?:src|srcset)="(?:\.\./)?docs/images/([^"]+)"`)

	var shown []string
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, found := range picture.FindAllStringSubmatch(string(text), -1) {
			shown = append(shown, found[1])
		}
	}
	slices.Sort(shown)

	files, err := os.ReadDir(filepath.Join(root, "docs", "images"))
	require.NoError(t, err)
	var there []string
	for _, file := range files {
		there = append(there, file.Name())
	}
	assert.Equal(t, there, slices.Compact(shown))
}
