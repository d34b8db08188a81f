package hcledit

import (
	"slices"

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

// listingOf reads an expression as a list of n elements. It returns nil for any other
// expression, and false when the elements of the code cannot be told apart.
func listingOf(expr hclsyntax.Expression, n int) (l *listing, known bool) {
	l = &listing{whole: spanOf(expr), parts: partsOf(expr)}
	if !slices.ContainsFunc(l.parts, func(p part) bool { return p.tuple != nil }) {
		return nil, false
	}

	stated, computed := 0, 0
	for _, p := range l.parts {
		if stated += p.count; p.tuple == nil {
			computed++
		}
	}
	if computed == 0 && stated != n || computed > 1 || stated > n {
		return l, false
	}

	for i := range l.parts {
		p := &l.parts[i]
		p.first = len(l.exprs)
		if p.tuple != nil {
			l.exprs = append(l.exprs, p.tuple.Exprs...)
			continue
		}
		p.count = n - stated
		l.exprs = append(l.exprs, slices.Repeat([]hclsyntax.Expression{p.expr}, p.count)...)
	}
	return l, true
}

// partsOf are the lists that an expression joins. Those that come from expressions have no
// elements yet.
func partsOf(expr hclsyntax.Expression) []part {
	switch expr := unparen(expr).(type) {
	case *hclsyntax.TupleConsExpr:
		return []part{{expr: expr, tuple: expr, count: len(expr.Exprs)}}
	case *hclsyntax.FunctionCallExpr:
		if expr.Name != functionConcat || expr.ExpandFinal {
			break
		}
		var parts []part
		for _, argument := range expr.Args {
			parts = append(parts, partsOf(argument)...)
		}
		return parts
	}
	return []part{{expr: expr}}
}

// partOf is the part of an element.
func (l *listing) partOf(i int) int {
	return slices.IndexFunc(l.parts, func(p part) bool { return i >= p.first && i < p.first+p.count })
}

// split distributes the elements of a list, as it will be, among its parts. It returns false
// when they do not fit: an element would leave its part, or a part that comes from an
// expression would change.
func (l *listing) split(slots []slot) (byPart [][]slot, ok bool) {
	byPart = make([][]slot, len(l.parts))
	at := 0
	for k, s := range slots {
		var index int
		if isNew(s) {
			index = l.partOfNew(at, slots[k+1:])
		} else {
			index = l.partOf(s.from)
			s.from -= l.parts[index].first
		}
		if index < at {
			return nil, false
		}
		byPart[index] = append(byPart[index], s)
		at = index
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
func (l *listing) partOfNew(at int, following []slot) int {
	last := len(l.parts) - 1
	if next := slices.IndexFunc(following, func(s slot) bool { return !isNew(s) }); next >= 0 {
		last = l.partOf(following[next].from)
	}
	for index := at; index <= last; index++ {
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
