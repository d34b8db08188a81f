package keys

import (
	"regexp"
	"strings"
	"unicode"
)

// printWidth is the width from which Prettier breaks lines.
const printWidth = 80

// plainProperty matches a property that needs no quotes.
var plainProperty = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// shortProperty is the length of a name from which its value may have a line of its own.
const shortProperty = 5

// property is a property of an object with a literal, which has a line of its own when it is
// too long for that of its name.
func property(indent, name, literal string) string {
	line := indent + name + ": " + literal + ","
	if width(line) > printWidth && len(name) >= shortProperty {
		return indent + name + ":\n" + indent + "  " + literal + ",\n"
	}
	return line + "\n"
}

// array is a property of an object with a list: in one line if that is wide enough, else with
// a line for each element, or numbers one after the other.
func array(indent, name string, elements []string, numbers bool) string {
	line := indent + name + ": [" + strings.Join(elements, ", ") + "],"
	if width(line) <= printWidth {
		return line + "\n"
	}

	var b strings.Builder
	b.WriteString(indent + name + ": [\n")
	if numbers {
		b.WriteString(filled(indent+"  ", elements))
	} else {
		for _, element := range elements {
			b.WriteString(indent + "  " + element + ",\n")
		}
	}
	b.WriteString(indent + "],\n")
	return b.String()
}

// filled is a list with as many elements in a line as there is room for.
func filled(indent string, elements []string) string {
	var b strings.Builder
	line := indent
	for i, element := range elements {
		element += ","
		if i > 0 && width(line)+1+len(element) > printWidth {
			b.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += element
	}
	b.WriteString(line + "\n")
	return b.String()
}

// unionType is the declaration of a type: in one line, else with its members in a line of
// their own, else with one for each.
func unionType(name string, members []string) string {
	if len(members) == 1 {
		members = []string{strings.Trim(members[0], "()")}
	}
	joined := strings.Join(members, " | ") + ";"
	switch first := "export type " + name + " ="; {
	case width(first+" "+joined) <= printWidth:
		return first + " " + joined + "\n"
	case len(members) == 1 || width("  "+joined) <= printWidth:
		return first + "\n  " + joined + "\n"
	default:
		return first + "\n  | " + strings.Join(members, "\n  | ") + ";\n"
	}
}

// wide are the scripts whose characters take two columns.
var wide = []*unicode.RangeTable{unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo, unicode.Yi, {
	R16: []unicode.Range16{{Lo: 0x3000, Hi: 0x303e, Stride: 1}, {Lo: 0xff01, Hi: 0xff60, Stride: 1}, {Lo: 0xffe0, Hi: 0xffe6, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f900, Hi: 0x1faff, Stride: 1}},
}}

// width is the number of columns of a line.
func width(line string) int {
	columns := 0
	for _, r := range line {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200c' || r == '\u200d':
		case unicode.In(r, wide...):
			columns += 2
		default:
			columns++
		}
	}
	return columns
}
