package architecture

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// byHand matches what code uses that escapes text for a medium by itself: replaced
// characters, tests of whether one can be printed, and quotes of a shell.
var byHand = regexp.MustCompile(`strings\.NewReplacer\(|html\.EscapeString\(|xml\.EscapeText\(|template\.\w+Escape\w*\(|` +
	`strconv\.(Append)?Quote(Rune)?To(ASCII|Graphic)\(|unicode\.Is(Print|Graphic|Control)\(|` + "`'\\\\''`")

// mayReplace are the files that replace characters, each for a reason that is no medium of
// texts from outside.
var mayReplace = map[string]string{
	"internal/testing/acctest/key_guard.go":    "looks for a key in other alphabets of base64",
	"internal/attribute/nearest.go":            "compares names without their separators",
	"internal/client/credential.go":            "looks for a key in all spellings",
	"internal/client/one_line.go":              "cuts what is no JSON to a line of an error",
	"internal/client/secrets.go":               "takes secrets out of texts",
	"internal/sync/hclfile/text.go":            "is the escape for templates of HCL",
	"testserver/internal/python/repr.go":       "quotes as Python does",
	"internal/sync/try/world.go":               "gives surveys the ids that they have",
	"internal/testing/hostile/text.go":         "makes hostile texts for tests",
	"testserver/internal/htmlclean/address.go": "cleans as the service does",
	"testserver/internal/htmlclean/clean.go":   "cleans as the service does",
}

// Text from outside is escaped by the package for it: an escape that is written beside it
// forgets what the other one knows.
func TestEscapesStandInOnePackage(t *testing.T) {
	t.Parallel()
	files := tracked(t, func(path string) bool {
		return strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") && !strings.HasSuffix(path, ".gen.go") &&
			filepath.Dir(path) != "internal/escape" && !strings.HasPrefix(path, "tools/")
	})
	found := map[string]bool{}
	for path, text := range files {
		if !byHand.MatchString(text) {
			continue
		}
		found[path] = true
		assert.Contains(t, mayReplace, path, "use a function of internal/escape, or say here why it is no escape for a medium")
	}
	for path := range mayReplace {
		assert.True(t, found[path], "%s replaces nothing any more: take it from the list", path)
	}
}
