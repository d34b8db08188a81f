package code

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Merge writes a live resource's edits into its block. The keys of the versions are the arguments. Merge
// edits an argument if only the live object changed since the last apply, and keeps changes in the
// configuration. order is the order of new arguments. ids describes the question IDs.
func (f *SourceFile) Merge(block *hclsyntax.Block, v Versions, order []string, ids Identities) []Finding {
	m := merge{SourceFile: f, isSurvey: slices.Contains(block.Labels, SurveyType), Identities: ids, ids: slices.Clone(ids.Stated)}
	m.fields(blockFields(block), "", v, order)
	slices.SortStableFunc(m.findings, func(a, b Finding) int { return a.Line - b.Line })
	return m.findings
}

// Has reports whether a block sets an argument.
func Has(block *hclsyntax.Block, name string) bool { return block.Body.Attributes[name] != nil }

// merge collects the edits and findings of one resource.
type merge struct {
	*SourceFile
	Identities
	isSurvey bool
	// ids contains the question IDs that the configuration must set.
	ids      []string
	findings []Finding
}

func (m *merge) report(outcome Outcome, offset int, path string, v Versions, reason string) {
	m.findings = append(m.findings, Finding{Outcome: outcome, Line: m.line(offset), Attribute: path, Code: v.Code, Live: v.Live, Reason: reason})
}

// about sets the question for the findings from index first on.
func (m *merge) about(first int, question string) {
	for i := range m.findings[first:] {
		m.findings[first+i].Question = question
	}
}

// because sets the reason for the findings from index first on.
func (m *merge) because(first int, reason string) {
	for i := range m.findings[first:] {
		m.findings[first+i].Reason = reason
	}
}

// fields merges the fields of a body or an object.
func (m *merge) fields(r fieldSet, path string, v Versions, order []string) {
	var removed []int
	var added []addition
	for _, name := range sortByOrder(order, v.keys()) {
		versions, fieldPath := v.key(name), join(path, name)
		i := r.find(name)
		switch {
		case i >= 0 && versions.Live == nil && versions.state() == drifted && isLiteral(r.fields[i].expr):
			removed = append(removed, i)
			m.report(Edited, r.fields[i].start, fieldPath, versions, "")
		case i >= 0:
			m.value(r.fields[i].expr, fieldPath, versions)
		case m.adds(r, fieldPath, versions):
			added = append(added, m.newAddition(path, name, versions.Live))
		}
	}
	m.restructure(r, removed, added, order)
}

// newAddition returns the addition for a new key. It writes questions with the IDs that the
// configuration must set.
func (m *merge) newAddition(path, name string, value any) addition {
	a := addition{name: name, value: value}
	if list, ok := value.([]any); ok && join(path, name) == questionsPath {
		questions := make([]any, len(list))
		for i := range list {
			questions[i] = m.statedQuestion(object(list[i]), list)
		}
		a.value, a.order = questions, QuestionOrder()
	}
	return a
}

// adds reports whether the merge must add a key that the configuration omits.
func (m *merge) adds(r fieldSet, path string, v Versions) bool {
	if _, open := v.Code.(Unknown); open {
		return false // other values in the configuration determine it
	}

	switch v.state() {
	case drifted:
		switch {
		case r.hasComputed, r.isBlock && !hclsyntax.ValidIdentifier(path):
			m.report(Unresolved, r.inside.start, path, v, reasonKeys)
		case v.Live == nil:
			m.report(Unresolved, r.inside.start, path, v, reasonSilent)
		default:
			m.report(Edited, r.inside.start, path, v, "")
			return true
		}
	case inCode:
		m.report(Pending, r.inside.start, path, v, reasonPending)
	case inBoth:
		m.report(Conflict, r.inside.start, path, v, reasonBoth)
	case same:
	}

	return false
}

// value merges the value of an expression.
func (m *merge) value(expr hclsyntax.Expression, path string, v Versions) {
	if _, open := v.Code.(Unknown); open {
		v.Code = v.Applied // the plan does not know the value of the expression
	}
	state := v.state()
	if state == same {
		if path == questionsPath && len(m.Stated) > 0 {
			m.stateIDs(expr, v)
		}
		return
	}
	if !disagreesOnType(path, v) && m.inside(expr, path, v) {
		return
	}

	offset := nodeSpan(expr).start
	switch {
	case state == inCode:
		m.report(Pending, offset, path, v, reasonPending)
	case state == inBoth:
		m.report(Conflict, offset, path, v, reasonBoth)
	case !isLiteral(expr):
		m.reportLeft(offset, path, v)
	default:
		m.report(Edited, offset, path, v, "")
		m.overwrite(expr, path, v.Live)
	}
}

// stateIDs writes the IDs of questions that have no other differences.
func (m *merge) stateIDs(expr hclsyntax.Expression, v Versions) {
	if m.questions(expr, v) {
		return
	}
	list, _ := v.Live.([]any)
	for i := range list {
		if id := object(list[i])[idKey]; id != nil && slices.Contains(m.ids, fmt.Sprint(id)) {
			m.report(Unresolved, nodeSpan(expr).start, join(element(questionsPath, i), idKey), Versions{Live: id}, reasonExpression)
		}
	}
}

// isTyped matches the paths of questions and of their branching. Their types determine which keys
// they may have.
var isTyped = regexp.MustCompile(`^questions\[\d+\](\.branching)?$`)

// disagreesOnType reports whether a question or branching has different types in the configuration and
// in PostHog, unless only PostHog changed the type. One type's keys do not fit the other type, so the
// merge writes either all keys or none.
func disagreesOnType(path string, v Versions) bool {
	if !isTyped.MatchString(path) || v.state() != inBoth || object(v.Code) == nil || object(v.Live) == nil {
		return false
	}
	return v.key("type").state() != same
}

// inside merges a value's parts if the configuration contains each part.
func (m *merge) inside(expr hclsyntax.Expression, path string, v Versions) bool {
	if path == questionsPath && m.questions(expr, v) {
		return true
	}
	if argument := callArgument(expr, functionJSON); argument != nil {
		_, isJSON := v.Live.(jsonvalue.Text)
		_, wasJSON := v.Code.(jsonvalue.Text)
		return isJSON && wasJSON && m.inside(argument, path, v.decodeJSON())
	}
	if argument := callArgument(expr, functionQuestion); argument != nil {
		return m.inside(argument, path, v)
	}

	switch expr := unparen(expr).(type) {
	case *hclsyntax.ObjectConsExpr:
		if object(v.Live) == nil || object(v.Code) == nil {
			return false
		}
		var order []string
		if isQuestion.MatchString(path) {
			order = QuestionOrder()
		}
		m.fields(objectFields(expr), path, v, order)
		return true
	}
	return m.list(expr, path, v)
}

// reportLeft reports each part of a value that was changed in PostHog but is not written. Changes that
// exist only in the configuration are pending.
func (m *merge) reportLeft(offset int, path string, v Versions) {
	v = v.decodeJSON()
	if path == questionsPath && v.state() != inCode && m.leftQuestions(offset, v) {
		return
	}

	if object(v.Code) != nil && object(v.Live) != nil {
		for _, name := range v.keys() {
			if versions := v.key(name); versions.state() != same {
				m.reportLeft(offset, join(path, name), versions)
			}
		}
		return
	}
	if v.state() == inCode {
		m.report(Pending, offset, path, v, reasonPending)
		return
	}

	applied, _ := v.Applied.([]any)
	code, okCode := v.Code.([]any)
	live, okLive := v.Live.([]any)
	if okCode && okLive && len(code) == len(live) {
		for i := range code {
			versions := Versions{code[i], code[i], live[i]}
			if len(applied) == len(code) {
				versions.Applied = applied[i]
			}
			if versions.state() != same {
				m.reportLeft(offset, element(path, i), versions)
			}
		}
		return
	}

	m.report(Unresolved, offset, path, v, reasonExpression)
}

// overwrite replaces a literal with a value.
func (m *merge) overwrite(expr hclsyntax.Expression, path string, value any) {
	expr = unparen(expr)
	target := nodeSpan(expr)
	_, isHeredoc := m.isHeredoc(expr)
	if text, ok := value.(jsonvalue.Text); ok && callArgument(expr, functionJSON) == nil { // a JSON string in the configuration
		value = string(text)
		if isHeredoc {
			value = indentJSON(text)
		}
	}

	text, isText := value.(string)
	if isText && m.overwriteHeredoc(expr, path, text) {
		return
	}
	if isText && isNumber(expr) && isNumberText(text) { // a number that Terraform converts to a string
		m.replace(target.start, target.end, text)
		return
	}
	m.replace(target.start, target.end, m.render(value, m.indent(target.start), nil))
}

// join returns the path of a key.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// element returns the path of a list element.
func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

// Leave reports all differences of a resource whose block is not edited.
func Leave(v Versions, line int, reason string) []Finding {
	m := merge{SourceFile: &SourceFile{}}
	m.reportLeft(0, "", v)
	for i := range m.findings {
		m.findings[i].Line = line
		if m.findings[i].Outcome == Unresolved {
			m.findings[i].Reason = reason
		}
	}
	return m.findings
}
