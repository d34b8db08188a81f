package main

import (
	"bytes"
	_ "embed"
	"html/template"
	"os"
	"path/filepath"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

//go:embed comment.html
var commentHTML string

// converter keeps the HTML in the Markdown, which folds the flowcharts.
var converter = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))

var commentTemplate = template.Must(template.New("comment").Parse(commentHTML))

// commentPage writes a page that shows Markdown like a comment on a pull request, with the
// flowcharts drawn by Mermaid, and returns its address.
func commentPage(markdown []byte, modules, work string) (string, error) {
	var body bytes.Buffer
	if err := converter.Convert(markdown, &body); err != nil {
		return "", err
	}
	mermaid, err := filepath.Abs(filepath.Join(modules, "mermaid", "dist", "mermaid.min.js"))
	if err != nil {
		return "", err
	}

	var page bytes.Buffer
	err = commentTemplate.Execute(&page, struct {
		Body    template.HTML
		Mermaid template.URL
	}{template.HTML(body.String()), template.URL("file://" + mermaid)}) //nolint:gosec // our own Markdown and file
	if err != nil {
		return "", err
	}
	file := filepath.Join(work, "comment.html")
	return "file://" + file, os.WriteFile(file, page.Bytes(), 0o600)
}
