package architecture

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nothing converts pointers by itself, so make race leaves such conversions unchecked.
func TestNothingIsUnsafe(t *testing.T) {
	t.Parallel()
	files := tracked(t, func(path string) bool { return strings.HasSuffix(path, ".go") })
	require.NotEmpty(t, files)
	for path, text := range files {
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		require.NoError(t, err)
		for _, imported := range file.Imports {
			assert.NotContains(t, []string{`"unsafe"`, `"C"`}, imported.Path.Value, path)
		}
	}
}
