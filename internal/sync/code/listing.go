package code

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// listing is a list whose elements the code states one by one: in brackets, or as lists
// that concat joins, of which some may come from expressions.
type listing struct {
	whole span
	parts []part
	// exprs are the expressions of the elements. All elements of a part that comes from an
	// expression have that expression.
	exprs []hclsyntax.Expression
}

// part is an argument of concat, or the only list.
type part struct {
	expr hclsyntax.Expression
	// tuple is nil for a part that comes from an expression.
	tuple        *hclsyntax.TupleConsExpr
	first, count int
}

// newListing reads an expression as a list of n elements. It returns nil for any other
// expression, and false when the elements of the code cannot be told apart.
func newListing(expr hclsyntax.Expression, n int) (l *listing, known bool) {
	l = &listing{whole: nodeSpan(expr), parts: splitParts(expr)}
	if !slices.ContainsFunc(l.parts, func(p part) bool { return p.tuple != nil }) {
		return nil, false
	}

	literalCount, computed := 0, 0
	for _, p := range l.parts {
		if literalCount += p.count; p.tuple == nil {
			computed++
		}
	}
	if computed == 0 && literalCount != n || computed > 1 || literalCount > n {
		return l, false
	}

	for i := range l.parts {
		p := &l.parts[i]
		p.first = len(l.exprs)
		if p.tuple != nil {
			l.exprs = append(l.exprs, p.tuple.Exprs...)
			continue
		}
		p.count = n - literalCount
		l.exprs = append(l.exprs, slices.Repeat([]hclsyntax.Expression{p.expr}, p.count)...)
	}
	return l, true
}

// splitParts are the lists that an expression joins. Those that come from expressions have no
// elements yet.
func splitParts(expr hclsyntax.Expression) []part {
	switch expr := unparen(expr).(type) {
	case *hclsyntax.TupleConsExpr:
		return []part{{expr: expr, tuple: expr, count: len(expr.Exprs)}}
	case *hclsyntax.FunctionCallExpr:
		if expr.Name != functionConcat || expr.ExpandFinal {
			break
		}
		var parts []part
		for _, argument := range expr.Args {
			parts = append(parts, splitParts(argument)...)
		}
		return parts
	}
	return []part{{expr: expr}}
}

// findPart is the part of an element.
func (l *listing) findPart(i int) int {
	return slices.IndexFunc(l.parts, func(p part) bool { return i >= p.first && i < p.first+p.count })
}

// split distributes the elements of a list, as it will be, among its parts. It returns false
// when they do not fit: an element would leave its part, or a part that comes from an
// expression would change.
func (l *listing) split(slots []slot) (byPart [][]slot, ok bool) {
	byPart = make([][]slot, len(l.parts))
	partIndex := 0
	for k, s := range slots {
		var index int
		if isNew(s) {
			index = l.partOfNew(partIndex, slots[k+1:])
		} else {
			index = l.findPart(s.from)
			s.from -= l.parts[index].first
		}
		if index < partIndex {
			return nil, false
		}
		byPart[index] = append(byPart[index], s)
		partIndex = index
	}

	for i, p := range l.parts {
		if p.tuple == nil && isRearranged(byPart[i], p.count) {
			return nil, false
		}
	}
	return byPart, true
}

// partOfNew is the part for a new element: that of the element before it, else the next one
// whose elements the code states, up to that of the element after it.
func (l *listing) partOfNew(partIndex int, following []slot) int {
	last := len(l.parts) - 1
	if next := slices.IndexFunc(following, func(s slot) bool { return !isNew(s) }); next >= 0 {
		last = l.findPart(following[next].from)
	}
	for index := partIndex; index <= last; index++ {
		if l.parts[index].tuple != nil {
			return index
		}
	}
	return -1
}

// rearrange rewrites the parts of a list whose elements come, go or move.
func (m *merge) rearrange(l *listing, byPart [][]slot, order []string) {
	for i, p := range l.parts {
		if p.tuple != nil && isRearranged(byPart[i], p.count) {
			m.arrange(p.tuple, byPart[i], order)
		}
	}
}

// A list is rewritten as lines of text, not as a tree that is printed anew: people comment
// out elements, group them by blank lines and write why above them, and a printer would
// have to guess where all of that belongs. So each element is cut out with the lines that
// are certainly its own: the comments directly above it, and its last line to the end, with
// the comment that stands there. The rest is leading trivia: blank lines, and comments with
// a blank line below them, which may be about a group, about the element before, or a
// switched-off element.
//
// Leading trivia belongs to an element while the order stays, since a heading is then still
// above its group. An element that goes away leaves its comments behind, but not its blank
// lines: text that a person wrote is never lost, and gaps do not add up. Once elements
// change their order nobody can tell what a heading is about, so it stays where it is in the
// list. A new element is set apart as the second one is, which shows the style of the list.
//
// The lines are taken from the edits that are already made (SourceFile.extract), so an element may
// be edited inside and moved in one go; arrange therefore comes last. Nothing of this asks
// for a list that is formatted: lists whose elements share lines are arrangeInline's.

// lines is a list whose brackets and elements each have lines of their own.
type lines struct {
	*merge
	inside   span
	elements []lineElement
}

// lineElement is an element with the lines that belong to it.
type lineElement struct {
	span
	// leading is the offset of its leading trivia: the blank lines and comments before the
	// element that are not its own. own begins with its comments, and ends with its last line.
	leading int
	own     span
	comma   bool
}

// readLines reads the lines of a list. It returns false when elements share lines.
func (m *merge) readLines(expr *hclsyntax.TupleConsExpr) (*lines, bool) {
	whole := nodeSpan(expr)
	start, ok := m.restOfLine(whole.start + 1)
	if !ok || !m.beginsLine(whole.end-1) {
		return nil, false
	}
	l := &lines{m, span{start, m.lineStart(whole.end - 1)}, nil}

	offset := start
	for _, item := range expr.Exprs {
		element := lineElement{span: nodeSpan(item), leading: offset}
		end, comma := m.comma(element.end, true)
		if element.comma = comma; !comma {
			end = element.end
		}
		if end, ok = m.restOfLine(end); !ok || !m.beginsLine(element.start) || end > l.inside.end {
			return nil, false
		}
		element.own = span{m.ownComments(offset, m.lineStart(element.start)), end}
		l.elements = append(l.elements, element)
		offset = end
	}
	return l, l.inside.start <= l.inside.end
}

// ownComments is the offset of the comments that are directly above a line, from another
// offset on.
func (m *merge) ownComments(start, line int) int {
	for _, comment := range slices.Backward(m.comments(span{start, line})) {
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
		for _, s := range slots {
			l.replace(l.inside.end, l.inside.end, indent+l.render(s.value, indent, order)+","+l.newline)
		}
		return
	}

	last := l.elements[len(l.elements)-1]
	separators := l.separators(slots)
	var b strings.Builder
	for k, s := range slots {
		b.WriteString(separators[k])
		b.WriteString(l.slot(s, order, k < len(slots)-1 || last.comma))
	}
	b.WriteString(separators[len(slots)])

	l.extract(l.inside.start, last.own.end) // the rest is of elements that go away
	l.replace(l.inside.start, last.own.end, b.String())
}

// slot is the lines of an element, with a comma where it needs one.
func (l *lines) slot(s slot, order []string, comma bool) string {
	indent := l.indent(l.elements[0].start)
	if isNew(s) {
		text := indent + l.renderLike(l.neighbours(), s.value, indent, order)
		if comma {
			text += ","
		}
		return text + l.newline
	}

	element := l.elements[s.from]
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

// separators are the blank lines and comments before each slot, and after the last one.
func (l *lines) separators(slots []slot) []string {
	leading := make([]string, len(l.elements))
	for i, element := range l.elements {
		leading[i] = l.text(span{element.leading, element.own.start})
	}
	usual := ""
	if len(leading) > 1 && isBlank(leading[1]) {
		usual = leading[1]
	}

	existing := slices.DeleteFunc(slices.Clone(slots), isNew)
	if !slices.IsSortedFunc(existing, func(a, b slot) int { return a.from - b.from }) {
		return reorderedSeparators(leading, usual, len(slots))
	}

	separators := make([]string, len(slots)+1)
	next := 0 // the first element whose leading trivia is not used
	for k, s := range slots {
		switch {
		case !isNew(s):
			separators[k] = comments(leading[next:s.from]) + existingSeparator(leading[s.from], usual, k == 0, s.from == 0)
			next = s.from + 1
		case k > 0:
			separators[k] = usual
		}
	}
	separators[len(slots)] = comments(leading[next:])
	return separators
}

// reorderedSeparators are those of n elements of which some moved: leading trivia stays
// where it is in the list.
func reorderedSeparators(leading []string, usual string, n int) []string {
	separators := slices.Repeat([]string{usual}, n)
	copy(separators, leading)
	return append(separators, comments(leading[min(n, len(leading)):]))
}

// existingSeparator is that of an element that has not moved. The first of a list is not set
// apart from the bracket by a blank line that stood between two elements, and one that is
// no longer the first is set apart from the others.
func existingSeparator(leading, usual string, isFirst, wasFirst bool) string {
	switch {
	case isFirst && !wasFirst && isBlank(leading):
		return ""
	case wasFirst && !isFirst && leading == "":
		return usual
	}
	return leading
}

// comments joins the leading trivia of elements that go away, but for blank lines alone.
func comments(leading []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(leading), isBlank), "")
}
