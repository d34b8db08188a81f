package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// codeLists are functions that list all constants of a type. Tests go through them to see that
// each code has words.
var codeLists = []struct{ file, typ, list string }{
	{"internal/sync/reconcile/reason.go", "ReasonCode", "ReasonCodes"},
	{"internal/sync/export/refusal.go", "RefusalCode", "RefusalCodes"},
	{"internal/sync/doctor/code.go", "Code", "Codes"},
	{"internal/sync/repair/code.go", "Code", "Codes"},
}

// A code that its list lacks would be reported without a word, and no test would see it.
func TestCodeListsAreComplete(t *testing.T) {
	t.Parallel()
	for _, c := range codeLists {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "..", c.file), nil, 0)
		require.NoError(t, err)
		declared, listed := codesOf(file, c.typ), namesIn(file, c.list)
		assert.NotEmpty(t, declared, c.file)
		assert.ElementsMatch(t, declared, slices.DeleteFunc(listed, func(name string) bool { return name == c.typ }), c.file)
	}
}

// codesOf are the constants of a type in a file.
func codesOf(file *ast.File, typ string) []string {
	var names []string
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == typ {
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
		return true
	})
	return names
}

// namesIn are the names that the body of a function mentions.
func namesIn(file *ast.File, function string) []string {
	var names []string
	for _, declaration := range file.Decls {
		if f, ok := declaration.(*ast.FuncDecl); ok && f.Name.Name == function {
			ast.Inspect(f.Body, func(node ast.Node) bool {
				if name, ok := node.(*ast.Ident); ok {
					names = append(names, name.Name)
				}
				return true
			})
		}
	}
	return names
}
