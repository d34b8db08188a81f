package hcledit

import (
	"bytes"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// span is a part of the source, from one byte offset to another.
type span struct{ start, end int }

func spanOf(node hclsyntax.Node) span {
	r := node.Range()
	return span{r.Start.Byte, r.End.Byte}
}

// after is the index of the first token that begins at or after an offset.
func (f *File) after(at int) int {
	return sort.Search(len(f.tokens), func(i int) bool { return f.tokens[i].Range.Start.Byte >= at })
}

// lineStart is the offset at which the line of another one begins.
func (f *File) lineStart(at int) int { return bytes.LastIndexByte(f.source[:at], '\n') + 1 }

// line is the number of the line of an offset, from 1.
func (f *File) line(at int) int { return bytes.Count(f.source[:at], []byte("\n")) + 1 }

// indent is the blank space that the line of an offset begins with.
func (f *File) indent(at int) string {
	line := f.source[f.lineStart(at):at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// beginsLine reports whether there is nothing but blanks before an offset in its line.
func (f *File) beginsLine(at int) bool {
	return len(bytes.Trim(f.source[f.lineStart(at):at], " \t")) == 0
}

// restOfLine is the end of the line of an offset, its line break included. It returns
// false when anything but comments follows in the line.
func (f *File) restOfLine(at int) (end int, ok bool) {
	for i := f.after(at); i < len(f.tokens); i++ {
		token := f.tokens[i]
		switch token.Type {
		case hclsyntax.TokenNewline, hclsyntax.TokenEOF:
			return token.Range.End.Byte, true
		case hclsyntax.TokenComment:
			if bytes.HasSuffix(token.Bytes, []byte("\n")) {
				return token.Range.End.Byte, true
			}
			if bytes.ContainsRune(token.Bytes, '\n') {
				return at, false
			}
		default:
			return at, false
		}
	}
	return at, false
}

// comma is the end of the comma after an element; the given offset when there is none.
// In a list it may be on a later line.
func (f *File) comma(at int, acrossLines bool) (end int, found bool) {
	for i := f.after(at); i < len(f.tokens); i++ {
		switch token := f.tokens[i]; {
		case token.Type == hclsyntax.TokenComma:
			return token.Range.End.Byte, true
		case token.Type == hclsyntax.TokenNewline && acrossLines:
		case token.Type == hclsyntax.TokenComment && (acrossLines || !bytes.ContainsRune(token.Bytes, '\n')):
		default:
			return at, false
		}
	}
	return at, false
}

// hasComment reports whether there is a comment in a part of the file.
func (f *File) hasComment(s span) bool { return len(f.comments(s)) > 0 }

// comments are the spans of the comments in a part of the file.
func (f *File) comments(s span) []span {
	var found []span
	for i := f.after(s.start); i < len(f.tokens) && f.tokens[i].Range.End.Byte <= s.end; i++ {
		if f.tokens[i].Type == hclsyntax.TokenComment {
			found = append(found, span{f.tokens[i].Range.Start.Byte, f.tokens[i].Range.End.Byte})
		}
	}
	return found
}

// endsHeredoc reports whether a heredoc ends at an offset, so that a line break has to
// follow.
func (f *File) endsHeredoc(at int) bool {
	i := f.after(at)
	return i > 0 && f.tokens[i-1].Type == hclsyntax.TokenCHeredoc && f.tokens[i-1].Range.End.Byte == at
}

// text is the source of a part of the file.
func (f *File) text(s span) string { return string(f.source[s.start:s.end]) }

// isBlank reports whether a text is nothing but white space.
func isBlank(text string) bool { return strings.TrimSpace(text) == "" }
