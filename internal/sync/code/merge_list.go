package code

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// slot is an element of the merged list. It is an existing element or a new value.
type slot struct {
	// from is the index of the element in the configuration, or -1 for a new element.
	from  int
	value any
	// id is the ID of a question.
	id string
}

func isNew(s slot) bool { return s.from < 0 }

// list merges a list whose elements have no IDs. It returns false if the expression is not a list.
func (m *merge) list(expr hclsyntax.Expression, path string, v Versions) bool {
	code, okCode := v.Code.([]any)
	live, okLive := v.Live.([]any)
	applied, _ := v.Applied.([]any)
	l, isKnown := newListing(expr, len(code))
	switch {
	case l == nil || !okCode || !okLive:
		return false
	case !isKnown:
		m.report(Unresolved, l.whole.start, path, v, reasonUncertain)
		return true
	case len(code) == len(live) && len(code) == len(applied) && v.state() != drifted:
		for i := range code {
			m.value(l.exprs[i], element(path, i), Versions{applied[i], code[i], live[i]})
		}
		return true
	case v.state() != drifted:
		return false
	}

	slots, edited := align(code, live)
	byPart, fits := l.split(slots)
	if !fits {
		m.report(Unresolved, l.whole.start, path, v, reasonConcat)
		return true
	}
	for i, j := range edited {
		m.value(l.exprs[i], element(path, i), Versions{code[i], code[i], live[j]})
	}
	if isRearranged(slots, len(code)) {
		m.reportSlots(l, path, slots, code)
		m.rearrange(l, byPart, nil)
	}
	return true
}

// reportSlots reports which elements were added, removed, or moved.
func (m *merge) reportSlots(l *listing, path string, slots []slot, code []any) {
	for i, expr := range l.exprs {
		if !slices.ContainsFunc(slots, func(s slot) bool { return s.from == i }) {
			m.report(Edited, nodeSpan(expr).start, element(path, i), Versions{Code: code[i]}, "")
		}
	}
	last := -1
	for index, s := range slots {
		switch {
		case isNew(s):
			m.report(Edited, l.whole.start, element(path, index), Versions{Live: s.value}, "")
		case s.from < last && s.from != index:
			m.report(Edited, nodeSpan(l.exprs[s.from]).start, element(path, s.from), Versions{Code: code[s.from], Live: code[s.from]},
				reasonMoved+" to "+element(path, index))
		}
		last = max(last, s.from)
	}
}

// isRearranged reports whether the slots differ from the list's n elements, or have a different order.
func isRearranged(slots []slot, n int) bool {
	for i, s := range slots {
		if s.from != i {
			return true
		}
	}
	return len(slots) != n
}

// align matches the elements of two lists. Equal elements keep their order or move. The remaining elements
// are edited in place, as long as both lists have one left: edited maps their indexes in the configuration
// to indexes in the live list.
func align(code, live []any) (slots []slot, edited map[int]int) {
	indexes := inOrder(code, live)
	isTaken := map[int]bool{}
	for _, i := range indexes {
		isTaken[i] = true
	}
	match := func(fits func(i, j int) bool) map[int]int {
		matched := map[int]int{}
		for j := range live {
			for i := range code {
				if indexes[j] < 0 && !isTaken[i] && fits(i, j) {
					indexes[j], isTaken[i], matched[i] = i, true, j
				}
			}
		}
		return matched
	}
	match(func(i, j int) bool { return jsonvalue.Equal(code[i], live[j]) })
	edited = match(func(i, j int) bool { return isBetween(indexes, i, j) })

	slots = make([]slot, len(live))
	for j := range live {
		slots[j] = slot{from: indexes[j], value: live[j]}
	}
	return slots, edited
}

// isBetween reports whether two elements have the same neighbors.
func isBetween(indexes []int, i, j int) bool {
	for k, index := range indexes {
		if index >= 0 && (k < j) != (index < i) {
			return false
		}
	}
	return true
}

// inOrder pairs as many equal elements as possible without changing the order. For each live element,
// it returns the index in the configuration, or -1.
func inOrder(code, live []any) []int {
	indexes := slices.Repeat([]int{-1}, len(live))
	for _, pair := range jsonvalue.LongestCommon(len(live), len(code), func(j, i int) bool { return jsonvalue.Equal(code[i], live[j]) }) {
		indexes[pair[0]] = pair[1]
	}
	return indexes
}

// arrange rewrites a list. Each remaining element keeps its text and comments. arrange must run after
// all element edits. order is the key order of new objects.
func (m *merge) arrange(expr *hclsyntax.TupleConsExpr, slots []slot, order []string) {
	whole := nodeSpan(expr)
	if len(expr.Exprs) == 0 && !m.hasComment(whole) {
		m.replace(whole.start, whole.end, m.render(values(slots), m.indent(whole.start), order))
		return
	}
	if lines, ok := m.readLines(expr); ok {
		lines.arrange(slots, order)
		return
	}
	m.arrangeInline(expr, slots, order)
}

func values(slots []slot) []any {
	elements := make([]any, len(slots))
	for i := range slots {
		elements[i] = slots[i].value
	}
	return elements
}

// arrangeInline rewrites a list in which elements share lines with each other or with the brackets.
func (m *merge) arrangeInline(expr *hclsyntax.TupleConsExpr, slots []slot, order []string) {
	whole := nodeSpan(expr)
	content := span{whole.start + 1, whole.end - 1}
	spans := make([]span, len(expr.Exprs))
	for i, item := range expr.Exprs {
		spans[i] = nodeSpan(item)
	}
	// gaps[i] is the text between the elements i-1 and i, or next to a bracket.
	gaps := make([]span, len(spans)+1)
	for i := range gaps {
		gaps[i] = content
		if i > 0 {
			gaps[i].start = spans[i-1].end
		}
		if i < len(spans) {
			gaps[i].end = spans[i].start
		}
	}

	text, used := m.inlineText(slots, spans, gaps, order)
	// Comments belong to the user and are always kept.
	for i, gap := range gaps {
		if used[i] {
			continue
		}
		for _, comment := range m.comments(gap) {
			text += " " + m.text(comment)
		}
	}
	m.extract(content.start, content.end) // the text contains the edits
	m.replace(content.start, content.end, text)
}

// inlineText returns the text between the brackets, and reports which gaps it contains.
func (m *merge) inlineText(slots []slot, spans, gaps []span, order []string) (string, map[int]bool) {
	indent := m.indent(gaps[0].start)
	if len(spans) > 0 {
		indent = m.indent(spans[0].start)
	}
	used := map[int]bool{0: true}
	var b strings.Builder
	if len(slots) > 0 || m.hasComment(gaps[0]) {
		b.WriteString(m.text(gaps[0]))
	}
	for k, s := range slots {
		end := -1
		if isNew(s) {
			b.WriteString(m.renderLike(spans, s.value, indent, order))
		} else {
			end = spans[s.from].end
			b.WriteString(m.compose(spans[s.from].start, end))
		}
		heredoc := ""
		if end >= 0 && m.endsHeredoc(end) {
			heredoc = m.newline
		}

		isLast := k == len(slots)-1
		switch {
		case isLast && len(spans) > 0:
			tail := m.text(gaps[len(spans)])
			used[len(spans)] = true
			if heredoc != "" && !strings.HasPrefix(strings.TrimLeft(tail, " \t\r"), "\n") {
				b.WriteString(heredoc)
			}
			b.WriteString(tail)
		case isLast:
			b.WriteString(heredoc)
		case end >= 0 && s.from+1 < len(spans) && !used[s.from+1]:
			used[s.from+1] = true
			b.WriteString(m.text(gaps[s.from+1]))
		default:
			b.WriteString(heredoc + ", ")
		}
	}
	return b.String(), used
}
