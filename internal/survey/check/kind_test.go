package check_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// codes returns the codes in kind.go.
func codes(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, 0)
	require.NoError(t, err)
	var found []string
	ast.Inspect(file, func(node ast.Node) bool {
		literal, isLiteral := node.(*ast.CompositeLit)
		if !isLiteral || len(literal.Elts) == 0 {
			return true
		}
		first := literal.Elts[0]
		if pair, isPair := first.(*ast.KeyValueExpr); isPair {
			first = pair.Value
		}
		if text, isText := first.(*ast.BasicLit); isText {
			code, err := strconv.Unquote(text.Value)
			require.NoError(t, err)
			found = append(found, code)
		}
		return true
	})
	return found
}

func TestEveryCodeIsUniqueAndTested(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var tests strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		tests.Write(text)
	}

	seen := map[string]bool{}
	for _, code := range codes(t) {
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)+$`, code)
		assert.False(t, seen[code], "two kinds of findings have the code %s", code)
		assert.Contains(t, tests.String(), strconv.Quote(code), "no test expects a finding with the code %s", code)
		seen[code] = true
	}
	assert.Greater(t, len(seen), 90)
}
