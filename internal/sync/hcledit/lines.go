package hcledit

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// lines is a list whose brackets and elements each have lines of their own.
type lines struct {
	*merge
	inside   span
	elements []lineElement
}

// lineElement is an element with the lines that belong to it.
type lineElement struct {
	span
	// apart is where the blank lines and comments before the element begin that are not
	// its own: those up to the last blank line. own is where its comments begin, and
	// ends where its last line does.
	apart int
	own   span
	comma bool
}

// linesOf reads the lines of a list. It returns false when elements share lines.
func (m *merge) linesOf(expr *hclsyntax.TupleConsExpr) (*lines, bool) {
	whole := spanOf(expr)
	start, ok := m.restOfLine(whole.start + 1)
	if !ok || !m.beginsLine(whole.end-1) {
		return nil, false
	}
	l := &lines{m, span{start, m.lineStart(whole.end - 1)}, nil}

	at := start
	for _, one := range expr.Exprs {
		element := lineElement{span: spanOf(one), apart: at}
		end, comma := m.comma(element.end, true)
		if element.comma = comma; !comma {
			end = element.end
		}
		if end, ok = m.restOfLine(end); !ok || !m.beginsLine(element.start) || end > l.inside.end {
			return nil, false
		}
		element.own = span{m.ownComments(at, m.lineStart(element.start)), end}
		l.elements = append(l.elements, element)
		at = end
	}
	return l, l.inside.start <= l.inside.end
}

// ownComments is where the comments begin that are directly above a line, from a
// place on.
func (m *merge) ownComments(from, line int) int {
	for _, comment := range slices.Backward(m.comments(span{from, line})) {
		// The token of a line comment has the line break in it.
		between := m.text(span{comment.end, line})
		if strings.HasSuffix(m.text(comment), "\n") {
			between += "\n"
		}
		if !isBlank(between) || strings.Count(between, "\n") != 1 || !m.beginsLine(comment.start) {
			break
		}
		line = m.lineStart(comment.start)
	}
	return line
}

// arrange rewrites the list.
func (l *lines) arrange(slots []slot, order []string) {
	if len(l.elements) == 0 { // comments alone
		indent := l.indent(l.inside.end) + l.unit
		if first := l.comments(l.inside); len(first) > 0 {
			indent = l.indent(first[0].start)
		}
		for _, one := range slots {
			l.replace(l.inside.end, l.inside.end, indent+l.render(one.value, indent, order)+","+l.newline)
		}
		return
	}

	last := l.elements[len(l.elements)-1]
	apart := l.distances(slots)
	var b strings.Builder
	for k, one := range slots {
		b.WriteString(apart[k])
		b.WriteString(l.slot(one, order, k < len(slots)-1 || last.comma))
	}
	b.WriteString(apart[len(slots)])

	l.extract(l.inside.start, last.own.end) // what is left is of elements that go away
	l.replace(l.inside.start, last.own.end, b.String())
}

// slot is the lines of an element, with a comma where it needs one.
func (l *lines) slot(one slot, order []string, comma bool) string {
	indent := l.indent(l.elements[0].start)
	if isNew(one) {
		text := indent + l.renderLike(l.neighbours(), one.value, indent, order)
		if comma {
			text += ","
		}
		return text + l.newline
	}

	element := l.elements[one.from]
	if comma && !element.comma {
		text := ","
		if l.endsHeredoc(element.end) {
			text = l.newline + indent + ","
		}
		l.replace(element.end, element.end, text)
	}
	return l.extract(element.own.start, element.own.end)
}

// neighbours are the elements that there are.
func (l *lines) neighbours() []span {
	spans := make([]span, len(l.elements))
	for i := range l.elements {
		spans[i] = l.elements[i].span
	}
	return spans
}

// distances are the blank lines and comments before each slot, and behind the last
// one. While nothing moves, each element keeps its own; comments of elements that go
// away stay. Else they stay where they are in the list.
func (l *lines) distances(slots []slot) []string {
	texts := make([]string, len(l.elements))
	for i, one := range l.elements {
		texts[i] = l.text(span{one.apart, one.own.start})
	}
	between := ""
	if len(texts) > 1 && isBlank(texts[1]) {
		between = texts[1]
	}

	apart := make([]string, len(slots)+1)
	kept := slices.DeleteFunc(slices.Clone(slots), isNew)
	if !slices.IsSortedFunc(kept, func(a, b slot) int { return a.from - b.from }) {
		for k := range slots {
			apart[k] = between
			if k < len(texts) {
				apart[k] = texts[k]
			}
		}
		for _, text := range texts[min(len(slots), len(texts)):] {
			if !isBlank(text) {
				apart[len(slots)] += text
			}
		}
		return apart
	}

	next := 0 // the first element whose distance is not used
	for k, one := range slots {
		if isNew(one) {
			if k > 0 {
				apart[k] = between
			}
			continue
		}
		for ; next < one.from; next++ {
			if !isBlank(texts[next]) {
				apart[k] += texts[next]
			}
		}
		switch {
		case one.from == 0 && k > 0 && texts[0] == "":
			apart[k] += between
		case k > 0 || one.from == 0 || !isBlank(texts[one.from]):
			apart[k] += texts[one.from]
		}
		next = one.from + 1
	}
	for ; next < len(texts); next++ {
		if !isBlank(texts[next]) {
			apart[len(slots)] += texts[next]
		}
	}
	return apart
}
