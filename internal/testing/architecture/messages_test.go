package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// titleAt maps functions to the position of the argument that contains the title of a diagnostic.
var titleAt = map[string]int{
	"AddError": 0, "AddWarning": 0, "AddAttributeError": 1, "AddAttributeWarning": 1,
	"NewErrorDiagnostic": 0, "NewWarningDiagnostic": 0, "NewAttributeErrorDiagnostic": 1, "NewAttributeWarningDiagnostic": 1,
	"TitleOf": 0, "titleOf": 0, "about": 0, "titled": 0,
}

// formatted matches the text between the fixed parts of a title.
var formatted = regexp.MustCompile(`%(?:\[\d+\])?[a-z]|: `)

// The troubleshooting guide explains each of the provider's messages under its title.
func TestEachTitleIsInTheGuide(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join(root, "templates", "guides", "troubleshooting.md.tmpl"))
	require.NoError(t, err)

	found := 0
	for path, text := range tracked(t, func(path string) bool {
		return isProductCode(path) && (strings.HasPrefix(path, "internal/framework/") || strings.HasPrefix(path, "internal/provider/") ||
			strings.HasPrefix(path, "internal/survey/") || strings.HasPrefix(path, "internal/importapp/"))
	}) {
		positions := token.NewFileSet()
		file, err := parser.ParseFile(positions, path, text, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			title := titleIn(n)
			if title == nil {
				return true
			}
			fixed := longestPart(title)
			if !strings.Contains(fixed, " ") {
				return true // the rest is a name
			}
			found++
			assert.Contains(t, string(guide), fixed, "%s: add the title to the guide", positions.Position(n.Pos()))
			return true
		})
	}
	assert.Greater(t, found, 100)
}

// titleIn returns the title of a diagnostic that a node creates, or nil.
func titleIn(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.KeyValueExpr:
		if key, isName := n.Key.(*ast.Ident); isName && key.Name == "title" {
			return n.Value
		}
	case *ast.CompositeLit:
		if of, isName := n.Type.(*ast.Ident); isName && of.Name == "kind" && len(n.Elts) == 3 {
			return n.Elts[1]
		}
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		if at, isDiagnostic := titleAt[name]; isDiagnostic && at < len(n.Args) {
			return n.Args[at]
		}
	}
	return nil
}

// longestPart returns the longest fixed part of a title. The other parts are names and values.
func longestPart(title ast.Expr) string {
	longest := ""
	ast.Inspect(title, func(n ast.Node) bool {
		literal, isLiteral := n.(*ast.BasicLit)
		if !isLiteral || literal.Kind != token.STRING {
			return true
		}
		text, _ := strconv.Unquote(literal.Value)
		for _, part := range formatted.Split(text, -1) {
			if part = strings.Trim(part, " ,"); len(part) > len(longest) {
				longest = part
			}
		}
		return true
	})
	return longest
}
