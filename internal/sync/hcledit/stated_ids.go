package hcledit

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hclfile"
)

// StateIDs writes ids into the questions of a block. ids has that of each question of the code,
// empty for one that is left as it is.
func (f *File) StateIDs(block *hclsyntax.Block, ids []string) []Finding {
	m := merge{File: f, isSurvey: true}
	attribute := block.Body.Attributes[questionsPath]
	if attribute == nil {
		return nil
	}
	expr := attribute.Expr
	if argument := call(expr, functionQuestions); argument != nil {
		expr = argument
	}

	list, isKnown := listingOf(expr, len(ids))
	for i, id := range ids {
		at, path := spanOf(expr).start, join(element(questionsPath, i), idKey)
		switch {
		case id == "":
		case list == nil:
			m.found(Unresolved, at, path, Versions{Live: id}, reasonExpression)
		case !isKnown:
			m.found(Unresolved, at, path, Versions{Live: id}, reasonUncertain)
		default:
			m.stateID(list.exprs[i], path, id)
		}
	}
	return m.findings
}

// stateID writes the id of one question.
func (m *merge) stateID(expr hclsyntax.Expression, path, id string) {
	object := objectOf(expr)
	if object == nil {
		m.found(Unresolved, spanOf(expr).start, path, Versions{Live: id}, reasonExpression)
		return
	}
	fields := objectFields(object)
	i := fields.find(idKey)
	if i < 0 {
		if fields.hasComputed {
			m.found(Unresolved, spanOf(object).start, path, Versions{Live: id}, reasonKeys)
			return
		}
		m.found(Edited, spanOf(object).start, path, Versions{Live: id}, "")
		m.restructure(fields, nil, []addition{{name: idKey, value: id}}, hclfile.QuestionOrder())
		return
	}

	stated, isText := literalText(fields.fields[i].expr)
	switch {
	case isText && stated == id:
	case !isLiteral(fields.fields[i].expr):
		m.found(Unresolved, fields.fields[i].start, path, Versions{Live: id}, reasonExpression)
	default:
		m.found(Edited, fields.fields[i].start, path, Versions{Code: stated, Live: id}, "")
		m.overwrite(fields.fields[i].expr, path, id)
	}
}

// literalText is the text of a literal; not ok for anything else.
func literalText(expr hclsyntax.Expression) (text string, ok bool) {
	value, diags := unparen(expr).Value(nil)
	if diags.HasErrors() || !isLiteral(expr) || value.IsNull() || !value.Type().Equals(cty.String) {
		return "", false
	}
	return value.AsString(), true
}
