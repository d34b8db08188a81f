package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var (
	// verb matches a formatting verb of package fmt.
	verb = regexp.MustCompile(`%(?:\[\d+\])?[-+# 0]*[\d.]*[a-zA-Z]`)
	// word matches a word in a text.
	word = regexp.MustCompile(`(?:^|\s)["'(]?[A-Za-z][a-z']*[,.:;)]?(?:\s|$)`)
)

// leastWords is the minimum number of words in a string that counts as a text.
const leastWords = 4

// passage is a text in a Go file. The lines of a raw string are on consecutive lines of the file. All lines of any
// other string are on the same line.
type passage struct {
	text  string
	line  int
	isRaw bool
}

// extract writes the texts of each Go file to a Markdown file in dir. For each line of such a file, it
// returns the position in the source.
func extract(dir string) (map[string][]string, error) {
	paths, err := trackedFiles("*.go")
	if err != nil {
		return nil, err
	}
	places := map[string][]string{}
	for _, path := range paths {
		if !isRead(path) {
			continue
		}
		passages, err := extractPassages(path)
		if err != nil {
			return nil, err
		}
		if len(passages) == 0 {
			continue
		}

		page, lines := render(path, passages)
		target := filepath.Join(dir, strings.ReplaceAll(path, "/", "_")+".md")
		if err := os.WriteFile(target, []byte(page), 0o600); err != nil {
			return nil, err
		}
		places[target] = lines
	}
	return places, nil
}

// isRead reports whether users read the strings in a Go file. They don't read the strings in package service, which
// contains PostHog's own messages.
func isRead(path string) bool {
	for _, part := range []string{"_test.go", ".gen.go", "testdata/", "internal/testing/", "internal/build/", "tools/", "testserver/internal/service/"} {
		if strings.Contains(path, part) {
			return false
		}
	}
	return true
}

// extractPassages returns the texts of a Go file.
func extractPassages(path string) ([]passage, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}

	var passages []passage
	add := func(e ast.Expr) {
		text, isRaw := join(e)
		if len(word.FindAllString(strings.ReplaceAll(text, " ", "  "), -1)) >= leastWords && !isCode(text) {
			passages = append(passages, passage{text, files.Position(e.Pos()).Line, isRaw})
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.CallExpr:
			f, isSelector := n.Fun.(*ast.SelectorExpr)
			if !isSelector {
				return true
			}
			pkg, _ := f.X.(*ast.Ident)
			return pkg == nil || pkg.Name != "regexp" && pkg.Name != "wire" // PostHog's own messages
		case *ast.BinaryExpr:
			if text, _ := join(n); text == "" {
				return true
			}
			add(n)
			return false
		case *ast.BasicLit:
			add(n)
		}
		return true
	})
	return passages, nil
}

// join returns the text of a string literal, or of concatenated literals. Other operands become a code span, which no
// rule checks.
func join(e ast.Expr) (text string, isRaw bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, _ = strconv.Unquote(e.Value)
		return text, e.Value[0] == '`'

	case *ast.ParenExpr:
		return join(e.X)

	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}

		leftText, _ := join(e.X)
		rightText, _ := join(e.Y)
		switch {
		case leftText == "" && rightText == "":
			return "", false
		case leftText == "":
			leftText = "`x`"
		case rightText == "":
			rightText = "`x`"
		}
		return leftText + rightText, false
	}
	return "", false
}

// isCode reports whether a string is code, such as JSON, HTML, or JavaScript.
func isCode(text string) bool {
	trimmed := strings.TrimSpace(text)
	return trimmed == "" || strings.ContainsRune("{[<#(/*", rune(trimmed[0])) || strings.Contains(text, "</") || strings.Contains(text, "=>")
}

// render returns a Markdown page with a paragraph for each passage, and the source position of each line.
func render(path string, passages []passage) (page string, places []string) {
	var b strings.Builder
	for _, p := range passages {
		for i, line := range strings.Split(p.text, "\n") {
			lineNumber := p.line
			if p.isRaw {
				lineNumber += i
			}
			b.WriteString(verb.ReplaceAllString(strings.TrimSpace(line), "`x`") + "\n")
			places = append(places, fmt.Sprintf("%s:%d", path, lineNumber))
		}
		b.WriteString("\n")
		places = append(places, "")
	}
	return b.String(), places
}
