package hcledit

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// unitOf is one level of the indentation of a file: that of most of its lines which begin
// with a blank. Lines of heredocs and of comments do not count.
func unitOf(source []byte, tokens hclsyntax.Tokens) string {
	tabs, blanks, line := 0, 0, 0
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
	if tabs > blanks {
		return "\t"
	}
	return "  "
}

// insideText are the tokens whose lines belong to a heredoc.
var insideText = []hclsyntax.TokenType{
	hclsyntax.TokenStringLit, hclsyntax.TokenCHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl, hclsyntax.TokenComment,
}

// formatted lays the blocks that were edited out as terraform fmt does, where they were laid
// out so before: a longer name moves the equals signs of its neighbours.
func (f *File) formatted(edited []byte) []byte {
	parsed, diags := hclsyntax.ParseConfig(edited, f.Name, hcl.InitialPos)
	body, ok := parsed.Body.(*hclsyntax.Body)
	if diags.HasErrors() || !ok || len(body.Blocks) != len(f.body.Blocks) {
		return edited
	}

	var b bytes.Buffer
	at := 0
	for i, block := range body.Blocks {
		before, after := textOf(f.source, f.body.Blocks[i]), textOf(edited, block)
		if bytes.Equal(before, after) || !isFormatted(before) {
			continue
		}
		whole := block.Range()
		b.Write(edited[at:whole.Start.Byte])
		b.Write(format(after))
		at = block.CloseBraceRange.End.Byte
	}
	b.Write(edited[at:])
	return b.Bytes()
}

// textOf is the source of a block.
func textOf(source []byte, block *hclsyntax.Block) []byte {
	return source[block.Range().Start.Byte:block.CloseBraceRange.End.Byte]
}

// isFormatted reports whether terraform fmt leaves a text as it is.
func isFormatted(text []byte) bool { return bytes.Equal(hclwrite.Format(text), text) }

// format lays a text out as terraform fmt does, and as it leaves it: alignment that changes
// what is nested may need a second pass.
func format(text []byte) []byte {
	const passes = 3
	for range passes {
		again := hclwrite.Format(text)
		if bytes.Equal(again, text) {
			break
		}
		text = again
	}
	return text
}

// longestLine is the length of a line up to which a new value goes into it.
const longestLine = 120

// renderLike writes a value in the style of its neighbours: in one line if they are, and if
// it fits.
func (f *File) renderLike(neighbours []span, value any, indent string, order []string) string {
	oneLine := len(neighbours) > 0 && !slices.ContainsFunc(neighbours, func(s span) bool { return strings.Contains(f.text(s), "\n") })
	if oneLine {
		if text := inline(value, order); utf8.RuneCountInString(indent+text) <= longestLine {
			return text
		}
	}
	return f.render(value, indent, order)
}

// inline writes a value in one line.
func inline(value any, order []string) string {
	tokens := tokensOf(value, order)
	var line hclwrite.Tokens
	for i, token := range tokens {
		switch {
		case token.Type == hclsyntax.TokenNewline:
			if before := line[len(line)-1]; !isClosing(tokens[i+1]) && !isOpening(before) && before.Type != hclsyntax.TokenComma {
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
