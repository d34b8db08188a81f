package code

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// span is a part of the source between two byte offsets.
type span struct{ start, end int }

func nodeSpan(node hclsyntax.Node) span {
	r := node.Range()
	return span{r.Start.Byte, r.End.Byte}
}

// after returns the index of the first token that begins at or after an offset.
func (f *SourceFile) after(offset int) int {
	return sort.Search(len(f.tokens), func(i int) bool { return f.tokens[i].Range.Start.Byte >= offset })
}

// lineStart returns the offset at which an offset's line starts.
func (f *SourceFile) lineStart(offset int) int {
	return bytes.LastIndexByte(f.source[:offset], '\n') + 1
}

// line returns the line number of an offset. The first line is 1.
func (f *SourceFile) line(offset int) int {
	return bytes.Count(f.source[:offset], []byte("\n")) + f.start
}

// indent returns the white space at the start of an offset's line.
func (f *SourceFile) indent(offset int) string {
	line := f.source[f.lineStart(offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// beginsLine reports whether only white space precedes an offset in its line.
func (f *SourceFile) beginsLine(offset int) bool {
	return len(bytes.Trim(f.source[f.lineStart(offset):offset], " \t")) == 0
}

// restOfLine returns the end of an offset's line, including the line break. ok is false if anything but
// comments follows the offset on its line.
func (f *SourceFile) restOfLine(offset int) (end int, ok bool) {
	for i := f.after(offset); i < len(f.tokens); i++ {
		token := f.tokens[i]
		switch token.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenEOF:
			return token.Range.End.Byte, true
		case hclsyntax.TokenComment:
			if bytes.HasSuffix(token.Bytes, []byte("\n")) {
				return token.Range.End.Byte, true
			}
			if bytes.ContainsRune(token.Bytes, '\n') {
				return offset, false
			}
		default:
			return offset, false
		}
	}
	return offset, false
}

// comma returns the end of the comma after an element, or offset if there is no comma. In a list, the
// comma may be on a later line.
func (f *SourceFile) comma(offset int, acrossLines bool) (end int, found bool) {
	for i := f.after(offset); i < len(f.tokens); i++ {
		switch token := f.tokens[i]; {
		case token.Type == hclsyntax.TokenComma:
			return token.Range.End.Byte, true
		case token.Type == hclsyntax.TokenNewline && acrossLines:
		case token.Type == hclsyntax.TokenComment && (acrossLines || !bytes.ContainsRune(token.Bytes, '\n')):
		default:
			return offset, false
		}
	}
	return offset, false
}

// hasComment reports whether a part of the file contains a comment.
func (f *SourceFile) hasComment(s span) bool { return len(f.comments(s)) > 0 }

// comments returns the spans of the comments in a part of the file.
func (f *SourceFile) comments(s span) []span {
	var found []span
	for i := f.after(s.start); i < len(f.tokens) && f.tokens[i].Range.End.Byte <= s.end; i++ {
		if f.tokens[i].Type == hclsyntax.TokenComment {
			found = append(found, span{f.tokens[i].Range.Start.Byte, f.tokens[i].Range.End.Byte})
		}
	}
	return found
}

// endsHeredoc reports whether a heredoc ends at an offset, so that a line break must follow.
func (f *SourceFile) endsHeredoc(offset int) bool {
	i := f.after(offset)
	return i > 0 && f.tokens[i-1].Type == hclsyntax.TokenCHeredoc && f.tokens[i-1].Range.End.Byte == offset
}

// text returns the source of a part of the file.
func (f *SourceFile) text(s span) string { return string(f.source[s.start:s.end]) }

// isBlank reports whether a text contains only white space.
func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// countIndents counts the lines that are indented with tabs and with spaces. It ignores lines in
// heredocs and comments.
func countIndents(source []byte, tokens hclsyntax.Tokens) (tabs, blanks int) {
	line := 0
	for _, token := range tokens {
		start := token.Range.Start
		if start.Line == line {
			continue
		}
		line = start.Line

		indent := source[start.Byte-(start.Column-1) : start.Byte]
		switch {
		case slices.Contains(insideText, token.Type) || len(bytes.Trim(indent, " \t")) > 0:
		case bytes.HasPrefix(indent, []byte("\t")):
			tabs++
		case len(indent) > 0:
			blanks++
		}
	}
	return tabs, blanks
}

// insideText lists the types of tokens whose lines belong to a heredoc.
var insideText = []hclsyntax.TokenType{
	hclsyntax.TokenStringLit, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenComment,
}

// formatEdited formats the edited blocks like terraform fmt, if they were formatted before the edit. A
// longer name moves the equals signs of its neighbors.
func (f *SourceFile) formatEdited(edited []byte) []byte {
	parsed, diags := hclsyntax.ParseConfig(edited, f.Name, hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if diags.HasErrors() || !ok || len(body.Blocks) != len(f.body.Blocks) {
		return edited
	}

	var b bytes.Buffer
	offset := 0
	for i, block := range body.Blocks {
		oldText, newText := blockText(f.source, f.body.Blocks[i]), blockText(edited, block)
		if bytes.Equal(oldText, newText) || !isFormatted(oldText) {
			continue
		}
		whole := block.Range()
		b.Write(edited[offset:whole.Start.Byte])
		b.Write(format(newText))
		offset = block.CloseBraceRange.End.Byte
	}
	b.Write(edited[offset:])
	return b.Bytes()
}

// blockText returns the source of a block.
func blockText(source []byte, block *hclsyntax.Block) []byte {
	return source[block.Range().Start.Byte:block.CloseBraceRange.End.Byte]
}

// isFormatted reports whether terraform fmt leaves a text unchanged.
func isFormatted(text []byte) bool { return bytes.Equal(hclwrite.Format(text), text) }

// format formats a text like terraform fmt, until the result is stable. A changed alignment can
// require a second pass for nested values.
func format(text []byte) []byte {
	const passes = 3
	for range passes {
		formatted := hclwrite.Format(text)
		if bytes.Equal(formatted, text) {
			break
		}
		text = formatted
	}
	return text
}

// longestLine is the maximum length of a line after a new value is written into it.
const longestLine = 120

// renderLike writes a value in the style of its neighbors. It uses one line if all neighbors do and the
// value fits.
func (f *SourceFile) renderLike(neighbours []span, value any, indent string, order []string) string {
	oneLine := len(neighbours) > 0 && !slices.ContainsFunc(neighbours, func(s span) bool { return strings.Contains(f.text(s), "\n") })
	if oneLine {
		if text := inline(value, order); utf8.RuneCountInString(indent+text) <= longestLine {
			return text
		}
	}
	return f.render(value, indent, order)
}

// inline writes a value on one line.
func inline(value any, order []string) string {
	tokens := Literal(withoutNulls(value), Quoted, order)
	var line hclwrite.Tokens
	for i, token := range tokens {
		switch {
		case token.Type == hclsyntax.TokenNewline:
			if last := line[len(line)-1]; !isClosing(tokens[i+1]) && !isOpening(last) && last.Type != hclsyntax.TokenComma {
				line = append(line, &hclwrite.Token{Type: hclsyntax.TokenComma, Bytes: []byte(",")})
			}
		case token.Type == hclsyntax.TokenComma && i+2 < len(tokens) && tokens[i+1].Type == hclsyntax.TokenNewline && isClosing(tokens[i+2]):
		default:
			line = append(line, token)
		}
	}
	return string(hclwrite.Format(line.Bytes()))
}

func isOpening(token *hclwrite.Token) bool {
	return slices.Contains([]hclsyntax.TokenType{hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen}, token.Type)
}

func isClosing(token *hclwrite.Token) bool {
	return slices.Contains([]hclsyntax.TokenType{hclsyntax.TokenCBrace, hclsyntax.TokenCBrack, hclsyntax.TokenCParen}, token.Type)
}

// overwriteHeredoc replaces a heredoc's text. The heredoc may be the argument of a call that removes the
// last line break. It returns false if the source is not such a heredoc, or if a heredoc cannot contain
// the text.
func (m *merge) overwriteHeredoc(expr hclsyntax.Expression, path, text string) bool {
	inner, trimmed := expr, false
	for _, name := range []string{functionChomp, functionTrim} {
		if argument := callArgument(expr, name); argument != nil {
			inner, trimmed = unparen(argument), name == functionChomp || strings.TrimSpace(text) == text
		}
	}
	now, ok := m.isHeredoc(inner)
	if !ok || text == "" {
		return false
	}

	// A heredoc ends with a line break, even if the text does not.
	endsLine := strings.HasSuffix(text, "\n")
	body := text
	if !endsLine {
		body += "\n"
	}
	literal, ok := m.heredoc(now, body)
	if !ok {
		return false
	}

	target := nodeSpan(expr)
	switch {
	case endsLine, m.ignoresBlanks(path):
	case trimmed:
		target = nodeSpan(inner)
	default:
		literal = functionChomp + "(" + literal + m.newline + m.indent(target.start) + ")"
	}
	m.replace(target.start, target.end, literal)
	return true
}

// ignoresBlanks reports whether white space around an argument's text has no effect, because PostHog trims
// the text.
func (m *merge) ignoresBlanks(path string) bool {
	return m.isSurvey && slices.Contains([]string{"name", "description"}, path)
}

// heredoc writes a text as a heredoc with the current marker and indentation. It returns false if a
// heredoc cannot contain the text.
func (f *SourceFile) heredoc(now *hclsyntax.TemplateExpr, text string) (string, bool) {
	source := f.text(nodeSpan(now))
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
		b.WriteString(EscapeTemplate(line))
	}
	b.WriteString(closing)
	literal := b.String()
	return literal, evaluates(literal, text)
}

// leastIndent returns the smallest indentation of the lines of a text.
func leastIndent(text string) string {
	least, isFound := "", false
	for line := range strings.Lines(text) {
		blank := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if !isBlank(line) && (!isFound || len(blank) < len(least)) {
			least, isFound = blank, true
		}
	}
	return least
}
