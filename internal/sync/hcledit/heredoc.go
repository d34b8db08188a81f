package hcledit

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// overwriteHeredoc writes a text in place of a heredoc, or of one whose last line break a
// function takes away. It returns false when the code has none, or when a heredoc cannot hold
// the text.
func (m *merge) overwriteHeredoc(expr hclsyntax.Expression, path, text string) bool {
	inner, trimmed := expr, false
	for _, name := range []string{functionChomp, functionTrim} {
		if argument := call(expr, name); argument != nil {
			inner, trimmed = unparen(argument), name == functionChomp || strings.TrimSpace(text) == text
		}
	}
	now, ok := m.isHeredoc(inner)
	if !ok || text == "" {
		return false
	}

	// A heredoc ends with a line break, whether the text does or not.
	endsLine := strings.HasSuffix(text, "\n")
	body := text
	if !endsLine {
		body += "\n"
	}
	written, ok := m.heredoc(now, body)
	if !ok {
		return false
	}

	at := spanOf(expr)
	switch {
	case endsLine, m.ignoresBlanks(path):
	case trimmed:
		at = spanOf(inner)
	default:
		written = functionChomp + "(" + written + m.newline + m.indent(at.start) + ")"
	}
	m.replace(at.start, at.end, written)
	return true
}

// ignoresBlanks reports whether blanks around the text of an argument say nothing: the service
// trims it.
func (m *merge) ignoresBlanks(path string) bool {
	return m.isSurvey && slices.Contains([]string{"name", "description"}, path)
}

// heredoc writes a text as the heredoc that is in the code now, with its marker
// and its indentation. It returns false for a text that a heredoc cannot hold.
func (f *File) heredoc(now *hclsyntax.TemplateExpr, text string) (string, bool) {
	source := f.text(spanOf(now))
	opening, rest, _ := strings.Cut(source, "\n")
	closing := rest[strings.LastIndexByte(rest, '\n')+1:]
	if strings.ContainsRune(text, '\r') || f.newline != "\n" {
		return "", false
	}

	indent := ""
	if strings.HasPrefix(opening, "<<-") {
		indent = leastIndent(strings.TrimSuffix(rest, closing))
	}
	var b strings.Builder
	b.WriteString(opening + "\n")
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString(indent)
		}
		b.WriteString(hclfile.EscapeTemplate(line))
	}
	b.WriteString(closing)
	written := b.String()
	return written, evaluates(written, text)
}

// leastIndent is the shortest indentation of the lines of a text.
func leastIndent(text string) string {
	least, found := "", false
	for line := range strings.Lines(text) {
		blank := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if !isBlank(line) && (!found || len(blank) < len(least)) {
			least, found = blank, true
		}
	}
	return least
}
