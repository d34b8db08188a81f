package architecture

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// JSON is decoded by internal/jsonvalue, with its limits and to the end of the text. The test
// server shares nothing with the code that it judges.
func TestJSONIsDecodedInOnePackage(t *testing.T) {
	t.Parallel()

	keepsNumbers := "." + "UseNumber" + "()"
	files := tracked(t, func(path string) bool {
		return strings.HasSuffix(path, ".go") && !strings.HasPrefix(path, "testserver/") && !strings.HasPrefix(path, "tools/")
	})
	found := 0
	for path, text := range files {
		if !strings.Contains(text, keepsNumbers) {
			continue
		}
		found++
		assert.Equal(t, "internal/jsonvalue", filepath.Dir(path), "%s decodes JSON by itself: use jsonvalue.Decode or jsonvalue.Unmarshal", path)
	}
	assert.Positive(t, found, "nothing was looked at")
}
