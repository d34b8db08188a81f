package architecture

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tracked returns the contents of all tracked files whose paths satisfy fits, keyed by path.
func tracked(t *testing.T, fits func(path string) bool) map[string]string {
	t.Helper()
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = root
	output, err := list.Output()
	require.NoError(t, err)

	texts := map[string]string{}
	for path := range strings.SplitSeq(strings.TrimRight(string(output), "\x00"), "\x00") {
		if !fits(path) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, path))
		require.NoError(t, err)
		texts[path] = string(text)
	}
	require.NotEmpty(t, texts)
	return texts
}

// isCode reports whether a file contains hand-written product code.
func isCode(path string) bool {
	return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".gen.go") && !strings.HasPrefix(path, "tools/")
}

// byHand matches code that escapes text for a medium by itself: it replaces characters, checks whether a character is
// printable, or quotes for a shell.
var byHand = regexp.MustCompile(`strings\.NewReplacer\(|html\.EscapeString\(|xml\.EscapeText\(|template\.\w+Escape\w*\(|` +
	`strconv\.(Append)?Quote(Rune)?To(ASCII|Graphic)\(|unicode\.Is(Print|Graphic|Control)\(|` + "`'\\\\''`")

// mayReplace are the packages that replace characters for a reason other than escaping text from outside.
var mayReplace = []string{
	"internal/escape",
	"internal/framework/attribute", // compares names without their separators
	"internal/client/...",          // searches for a key in all encodings, and removes secrets
	"internal/selector",            // reads line ends as CSS does
	"internal/sync/code/...",       // escapes HCL templates
	"internal/sync/visit/...",      // inserts IDs into surveys
	"testserver/internal/...",      // behaves like PostHog
	"internal/testing/...",
}

// Only one package escapes text from outside. Escaping elsewhere would miss cases that this package handles.
func TestEscapesStandInOnePackage(t *testing.T) {
	t.Parallel()
	for path, text := range tracked(t, isCode) {
		may := slices.ContainsFunc(mayReplace, func(room string) bool { return matches(room, filepath.Dir(path)) })
		assert.True(t, may || !byHand.MatchString(text), "%s: use an existing escape function, or explain in mayReplace why this code does not escape text", path)
	}
}

// Only one package decodes JSON, with its limits and up to the end of the text. The test server does not
// share this code, because it tests the code that uses it.
func TestJSONIsDecodedInOnePackage(t *testing.T) {
	t.Parallel()
	keepsNumbers := "." + "UseNumber" + "()"
	folders := map[string]bool{}
	for path, text := range tracked(t, func(path string) bool {
		return strings.HasSuffix(path, ".go") && !strings.HasPrefix(path, "testserver/") && !strings.HasPrefix(path, "tools/")
	}) {
		if strings.Contains(text, keepsNumbers) {
			folders[filepath.Dir(path)] = true
		}
	}
	assert.Len(t, folders, 1, "only one package may contain these functions. Use the ones of jsonvalue: %v", folders)
}

// No code converts pointers itself, so make race does not check such conversions.
func TestNothingIsUnsafe(t *testing.T) {
	t.Parallel()
	unsafe := regexp.MustCompile(`(?m)^(import|\t)\s*"(unsafe|C)"$`)
	for path, text := range tracked(t, func(path string) bool { return strings.HasSuffix(path, ".go") }) {
		assert.NotRegexp(t, unsafe, text, path)
	}
}

// vague matches names that don't describe the contents of a file or package.
var vague = regexp.MustCompile(`(?i)(^|[._ /-])(utils?|utility|utilities|common|helpers?|shared|misc)($|[._ /-])`)

func TestNamesSayWhatIsInside(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"util.go", "string_utils.go", "x/helpers/a.go", "test-helper_test.go", "Common.tf", "misc.md"} {
		assert.Regexp(t, vague, name)
	}
	for _, name := range []string{"futile.go", "commonmark.go", "survey_keys.go"} {
		assert.NotRegexp(t, vague, name)
	}
	for path := range tracked(t, func(string) bool { return true }) {
		assert.NotRegexp(t, vague, path, "the name must describe the contents of the file")
	}
}
