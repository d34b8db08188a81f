package code

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// listing is a list whose elements are in the configuration: in brackets, or in arguments of concat. Other
// arguments of concat may be arbitrary expressions.
type listing struct {
	whole span
	parts []part
	// exprs contains the expression of each element. If an argument of concat is not a list in brackets, all
	// its elements have that argument as their expression.
	exprs []hclsyntax.Expression
}

// part is an argument of concat, or the only list.
type part struct {
	expr hclsyntax.Expression
	// tuple is nil if the part is not a list in brackets.
	tuple        *hclsyntax.TupleConsExpr
	first, count int
}

// newListing parses an expression as a list of n elements. It returns nil for other expressions. ok is
// false if it is unclear which elements belong to which part.
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

// splitParts returns the lists that an expression joins. Lists from other expressions do not have
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

// findPart returns the part that contains an element.
func (l *listing) findPart(i int) int {
	return slices.IndexFunc(l.parts, func(p part) bool { return i >= p.first && i < p.first+p.count })
}

// split distributes the elements of the merged list among the parts. It returns false if an element
// would move to another part, or if a part from another expression would change.
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

// partOfNew returns the part for a new element: the part of the previous element, or the next part
// with elements in brackets, up to the part of the following element.
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

// rearrange rewrites the parts of a list in which elements were added, removed, or moved.
func (m *merge) rearrange(l *listing, byPart [][]slot, order []string) {
	for i, p := range l.parts {
		if p.tuple != nil && isRearranged(byPart[i], p.count) {
			m.arrange(p.tuple, byPart[i], order)
		}
	}
}

// A list is rewritten as lines of text, not by printing a syntax tree. People comment out elements,
// group elements with blank lines, and write explanations above them. A printer would have to guess
// which lines belong together. Each element is therefore cut out with the lines that certainly belong
// to it: the comments directly above it, and its last line including a comment at the end. All other
// lines are leading trivia: blank lines, and comments with a blank line below them. Such a comment
// can describe a group or the previous element, or contain a disabled element.
//
// While the order of elements is unchanged, leading trivia stays with its element, so a heading stays
// above its group. A removed element leaves its comments behind, but not its blank lines: comments
// are never lost, and gaps do not accumulate. If elements change their order, it is unknown which
// group a heading describes, so the heading stays at its position in the list. The separator before a
// new element is the one before the second element, which shows the style of the list.
//
// The lines contain all edits so far (SourceFile.extract), so that an element can be edited and moved
// in one merge. arrange therefore runs last. The list does not have to be formatted: arrangeInline
// handles lists whose elements share lines.

// lines is a list in which each bracket and each element has its own lines.
type lines struct {
	*merge
	inside   span
	elements []lineElement
}

// lineElement is an element and the lines that belong to it.
type lineElement struct {
	span
	// leading is the offset of the leading trivia: blank lines and comments before the element that do
	// not belong to it. own starts with the element's comments and ends with its last line.
	leading int
	own     span
	comma   bool
}

// readLines reads the lines of a list. It returns false if elements share lines.
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

// ownComments returns the offset of the comments directly above a line. It does not look before start.
func (m *merge) ownComments(start, line int) int {
	for _, comment := range slices.Backward(m.comments(span{start, line})) {
		// The token of a line comment includes its line break.
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
	if len(l.elements) == 0 { // only comments
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

	l.extract(l.inside.start, last.own.end) // the rest belongs to removed elements
	l.replace(l.inside.start, last.own.end, b.String())
}

// slot returns the lines of an element, with a comma if the element needs one.
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

// neighbours returns the existing elements.
func (l *lines) neighbours() []span {
	spans := make([]span, len(l.elements))
	for i := range l.elements {
		spans[i] = l.elements[i].span
	}
	return spans
}

// separators returns the blank lines and comments before each slot and after the last slot.
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
	next := 0 // the first element whose leading trivia is unused
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

// reorderedSeparators returns the separators of n elements, some of which moved. Leading trivia keeps
// its position in the list.
func reorderedSeparators(leading []string, usual string, n int) []string {
	separators := slices.Repeat([]string{usual}, n)
	copy(separators, leading)
	return append(separators, comments(leading[min(n, len(leading)):]))
}

// existingSeparator returns the separator of an element that did not move. There is no blank line
// between the bracket and the first element. An element that is no longer the first is separated
// from the others.
func existingSeparator(leading, usual string, isFirst, wasFirst bool) string {
	switch {
	case isFirst && !wasFirst && isBlank(leading):
		return ""
	case wasFirst && !isFirst && leading == "":
		return usual
	}
	return leading
}

// comments joins the leading trivia of removed elements. It omits trivia that consists only of blank
// lines.
func comments(leading []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(leading), isBlank), "")
}
