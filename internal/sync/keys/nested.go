package keys

import (
	"fmt"
	"strings"
)

// nested is a file of a language with nested declarations that is being written.
type nested struct {
	strings.Builder
	indent string
	// width is the width from which the language's formatter breaks lines, and unit one step
	// of its indentation.
	width int
	unit  string
	// block is set for a language that documents by comments in blocks.
	block bool
}

// open begins a block with what is documented by a comment.
func (n *nested) open(comment, declaration string) {
	form := "/// %s"
	if n.block {
		form = "/** %s */"
	}
	n.line(form, comment)
	n.line("%s {", declaration)
	n.indent += n.unit
}

// close ends a block.
func (n *nested) close() {
	n.indent = strings.TrimSuffix(n.indent, n.unit)
	n.line("}")
}

// line writes a line.
func (n *nested) line(form string, arguments ...any) {
	if form == "" {
		n.WriteString("\n")
		return
	}
	n.WriteString(n.indent + fmt.Sprintf(form, arguments...) + "\n")
}

// value writes a declaration with its value, below it where the line would be too long.
func (n *nested) value(declaration, literal string) {
	if width(n.indent+declaration+" = "+literal) > n.width {
		n.line("%s =", declaration)
		n.line("%s", n.unit+literal)
		return
	}
	n.line("%s = %s", declaration, literal)
}
