package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// maxMethods is the number of methods that a type of the test server may declare. A type with
// more is several concepts that reach into each other.
const maxMethods = 40

// No object of the test server reaches everything: state and its methods are in concepts of
// their own.
func TestTypesOfTestServerAreSmall(t *testing.T) {
	t.Parallel()
	methods := methodsByType(t, "testserver")
	for name, count := range methods {
		if count > maxMethods {
			t.Errorf("%s declares %d methods, more than %d: move a part of its state, with the methods on it, into a type of its own", name, count, maxMethods)
		}
	}
	if methods["testserver.Server"] == 0 || methods["testserver/internal/store.Store"] == 0 {
		t.Fatalf("the types of the test server were not found: %v", methods)
	}
}

// methodsByType counts the methods that the types of packages below a folder declare outside
// of tests, by package and name.
func methodsByType(t *testing.T, below string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	err := filepath.WalkDir(filepath.Join(root, below), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}

		for _, declaration := range parsed.Decls {
			if method, ok := declaration.(*ast.FuncDecl); ok && method.Recv != nil {
				counts[path.Dir(filepath.ToSlash(relative))+"."+receiverName(method.Recv.List[0].Type)]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

// receiverName is the name of the type of a receiver, without pointer and type parameters.
func receiverName(receiver ast.Expr) string {
	switch typed := receiver.(type) {
	case *ast.StarExpr:
		return receiverName(typed.X)
	case *ast.IndexExpr:
		return receiverName(typed.X)
	case *ast.IndexListExpr:
		return receiverName(typed.X)
	case *ast.Ident:
		return typed.Name
	}
	return ""
}
