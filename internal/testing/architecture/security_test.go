package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A promise of SECURITY.md names tests that there are.
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
		assert.Contains(t, all.String(), "\nfunc "+name[1]+"(", "SECURITY.md names a test that is not there")
	}
}
