package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// engines are the packages of posthog-sync that work for its verbs. They know no command
// line: what they refuse has a code, and internal/sync/cli names the flag that allows it.
var engines = []string{"apply", "doctor", "export", "history", "keys", "pull", "reconcile", "repair", "snapshot"}

// aFlag matches a flag of a command line.
var aFlag = regexp.MustCompile(`--[a-z]`)

func TestEnginesKnowNoFlags(t *testing.T) {
	t.Parallel()
	for _, engine := range engines {
		files, err := filepath.Glob(filepath.Join("..", "..", "sync", engine, "*.go"))
		require.NoError(t, err)
		require.NotEmpty(t, files, engine)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
			ast.Inspect(file, func(node ast.Node) bool {
				if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING {
					assert.NotRegexp(t, aFlag, text.Value, "%s: give the caller a code, and word it there", name)
				}
				return true
			})
		}
	}
}
