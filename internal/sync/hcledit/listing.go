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
	switch expr := bare(expr).(type) {
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
		var place int
		if isNew(s) {
			place = l.placeOfNew(at, slots[k+1:])
		} else {
			place = l.partOf(s.from)
			s.from -= l.parts[place].first
		}
		if place < at {
			return nil, false
		}
		byPart[place] = append(byPart[place], s)
		at = place
	}

	for i, p := range l.parts {
		if p.tuple == nil && isRearranged(byPart[i], p.count) {
			return nil, false
		}
	}
	return byPart, true
}

// placeOfNew is the part for a new element: that of the element before it, else the next one
// whose elements the code states, up to that of the element behind it.
func (l *listing) placeOfNew(at int, behind []slot) int {
	last := len(l.parts) - 1
	if next := slices.IndexFunc(behind, func(s slot) bool { return !isNew(s) }); next >= 0 {
		last = l.partOf(behind[next].from)
	}
	for place := at; place <= last; place++ {
		if l.parts[place].tuple != nil {
			return place
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
