package code

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// fieldSet contains the named values of a block body or an object.
type fieldSet struct {
	fields []field
	// inside is the source between the braces.
	inside span
	// isBlock is set for a body, in which each argument has its own line.
	isBlock bool
	// hasComputed is set if some keys are computed.
	hasComputed bool
}

// field is an argument of a block or a key of an object, with its value.
type field struct {
	span
	name string
	// nameEnd is the offset after the name.
	nameEnd int
	expr    hclsyntax.Expression
}

func objectFields(expr *hclsyntax.ObjectConsExpr) fieldSet {
	whole := nodeSpan(expr)
	r := fieldSet{inside: span{whole.start + 1, whole.end - 1}}
	for _, item := range expr.Items {
		name, ok := literalKey(item.KeyExpr)
		if !ok {
			r.hasComputed = true
			continue
		}
		key := nodeSpan(item.KeyExpr)
		r.fields = append(r.fields, field{span{key.start, nodeSpan(item.ValueExpr).end}, name, key.end, item.ValueExpr})
	}
	return r
}

func blockFields(block *hclsyntax.Block) fieldSet {
	r := fieldSet{inside: span{block.OpenBraceRange.End.Byte, block.CloseBraceRange.Start.Byte}, isBlock: true}
	for name, attribute := range block.Body.Attributes {
		r.fields = append(r.fields, field{nodeSpan(attribute), name, attribute.NameRange.End.Byte, attribute.Expr})
	}
	slices.SortFunc(r.fields, func(a, b field) int { return cmp.Compare(a.start, b.start) })
	return r
}

// find returns the index of the field with a name, or -1. If several fields have that name, it returns
// the last one.
func (r fieldSet) find(name string) int {
	for i := range slices.Backward(r.fields) {
		if r.fields[i].name == name {
			return i
		}
	}
	return -1
}

// addition is a new field.
type addition struct {
	name  string
	value any
	// order is the order of the object keys in the value.
	order []string
}

// restructure removes some fields and adds others. order is the order of all fields.
func (f *SourceFile) restructure(r fieldSet, removed []int, added []addition, order []string) {
	if len(removed) > 0 {
		f.remove(r, removed)
	}
	if len(added) == 0 {
		return
	}

	anchors := make([]int, 0, len(r.fields))
	for i := range r.fields {
		// A removed field can still mark a line, but not a position within a line.
		if _, ownLine := f.isOwnLine(r.fields[i]); ownLine || !slices.Contains(removed, i) {
			anchors = append(anchors, i)
		}
	}
	switch {
	case r.isBlock && !strings.Contains(f.text(r.inside), "\n"):
		f.openBlock(r, added)
	case len(anchors) == 0:
		f.addFirst(r, added)
	default:
		for _, a := range added {
			f.insertAfter(r.fields[r.anchor(anchors, a.name, order)], a, r.isBlock)
		}
	}
}

// isOwnLine reports whether a field shares its lines with no other field, and returns the end of these
// lines.
func (f *SourceFile) isOwnLine(fld field) (end int, ok bool) {
	end, _ = f.comma(fld.end, false)
	end, ok = f.restOfLine(end)
	return end, ok && f.beginsLine(fld.start)
}

func (f *SourceFile) remove(r fieldSet, removed []int) {
	ownLines := !slices.ContainsFunc(removed, func(i int) bool { _, ok := f.isOwnLine(r.fields[i]); return !ok })
	if ownLines {
		for _, i := range removed {
			end, _ := f.isOwnLine(r.fields[i])
			f.replace(f.lineStart(r.fields[i].start), end, "")
		}
		return
	}

	// If a field shares its line, remove one of the commas around it, too.
	for i := 0; i < len(r.fields); i++ {
		if !slices.Contains(removed, i) {
			continue
		}
		first := i
		for slices.Contains(removed, i+1) {
			i++
		}
		gone := span{r.fields[first].start, r.fields[i].end}
		switch {
		case i+1 < len(r.fields) && f.isSeparator(span{gone.end, r.fields[i+1].start}):
			gone.end = r.fields[i+1].start
		case first > 0 && f.isSeparator(span{r.fields[first-1].end, gone.start}) && !f.endsHeredoc(r.fields[first-1].end):
			gone.start = r.fields[first-1].end
		default:
			gone.end, _ = f.comma(gone.end, false)
			if isBlank(f.text(span{r.inside.start, gone.start})) && !strings.Contains(f.text(span{r.inside.start, gone.start}), "\n") {
				gone.start = r.inside.start
			}
		}
		f.replace(gone.start, gone.end, "")
	}
}

// isSeparator reports whether a part of the file consists only of a comma or a line break.
func (f *SourceFile) isSeparator(s span) bool { return isBlank(strings.Replace(f.text(s), ",", "", 1)) }

// anchor returns the field after which a new field is inserted: the last existing field that precedes
// the new one in the order, or the last field.
func (r fieldSet) anchor(anchors []int, name string, order []string) int {
	position := slices.Index(order, name)
	for _, i := range slices.Backward(anchors) {
		if index := slices.Index(order, r.fields[i].name); index >= 0 && index < position {
			return i
		}
	}
	return anchors[len(anchors)-1]
}

// insertAfter inserts a field after another field.
func (f *SourceFile) insertAfter(neighbor field, a addition, inBlock bool) {
	indent := f.indent(neighbor.start)
	end, ownLine := f.isOwnLine(neighbor)
	if !ownLine && f.endsHeredoc(neighbor.end) { // a heredoc must end with a line break
		f.replace(neighbor.end, neighbor.end, f.newline+indent+f.unit+f.field(field{}, a, indent+f.unit))
		return
	}
	if !ownLine && !inBlock {
		f.replace(neighbor.end, neighbor.end, ", "+f.keyBeside(neighbor, a.name)+" = "+f.renderLike([]span{neighbor.span}, a.value, indent, a.order))
		return
	}

	text := indent + f.field(neighbor, a, indent)
	if _, hasComma := f.comma(neighbor.end, false); hasComma {
		text += ","
	}
	if !ownLine {
		end, _ = f.restOfLine(neighbor.end)
	}
	f.replace(end, end, text+f.newline)
}

// addFirst inserts fields into an empty body, or into an object that has no keys left.
func (f *SourceFile) addFirst(r fieldSet, added []addition) {
	indent := f.indent(r.inside.start)
	if end, ok := f.restOfLine(r.inside.start); ok && end <= r.inside.end {
		for _, a := range added {
			f.replace(end, end, indent+f.unit+f.field(field{}, a, indent+f.unit)+f.newline)
		}
		return
	}

	var texts []string
	for _, a := range added {
		texts = append(texts, f.renderName(field{}, a.name)+f.renderLike([]span{r.inside}, a.value, indent, a.order))
	}
	text := " " + strings.Join(texts, ", ")
	if r.inside.start == r.inside.end {
		text += " "
	}
	f.replace(r.inside.start, r.inside.start, text)
}

// openBlock moves each argument of a one-line block to its own line.
func (f *SourceFile) openBlock(r fieldSet, added []addition) {
	indent := f.indent(r.inside.start)
	lines := []string{""}
	if rest := strings.TrimSpace(f.extract(r.inside.start, r.inside.end)); rest != "" {
		lines = append(lines, indent+f.unit+rest)
	}
	for _, a := range added {
		lines = append(lines, indent+f.unit+f.field(field{}, a, indent+f.unit))
	}
	f.replace(r.inside.start, r.inside.end, strings.Join(append(lines, indent), f.newline))
}

// field renders a new field in the style of a neighbor.
func (f *SourceFile) field(beside field, a addition, indent string) string {
	return f.renderName(beside, a.name) + f.render(a.value, indent, a.order)
}

// keyBeside renders a key in the style of a neighboring key. If the neighbor is a number without
// quotes, a number gets no quotes.
func (f *SourceFile) keyBeside(beside field, name string) string {
	if beside.expr != nil && isNumberText(name) && isNumberText(f.text(span{beside.start, beside.nameEnd})) {
		return name
	}
	return string(keyTokens(name).Bytes())
}

// renderName renders a name and its equals sign. If the name is short enough, the sign is aligned with
// the neighbors' signs. The neighbor's line stays unchanged.
func (f *SourceFile) renderName(beside field, name string) string {
	key, sign := f.keyBeside(beside, name), "="
	if beside.expr == nil {
		return key + " = "
	}
	i := f.after(beside.nameEnd)
	if f.tokens[i].Type == hclsyntax.TokenColon {
		sign = ":"
	}
	column := f.tokens[i].Range.Start.Byte - beside.start
	blank := " "
	if sign == ":" && column == beside.nameEnd-beside.start {
		blank = ""
	} else if width := utf8.RuneCountInString(key); width < column {
		blank = strings.Repeat(" ", column-width)
	}
	return key + blank + sign + " "
}
