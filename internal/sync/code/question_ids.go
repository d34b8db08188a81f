package code

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

const idKey = "id"

// Identities describes a survey's question IDs that are missing from the configuration.
type Identities struct {
	// Stated contains the IDs that the configuration must set.
	Stated []string
	// StatesNew is set if the merge writes new questions with their IDs. It omits the IDs in Undecided,
	// because these may belong to different questions.
	StatesNew bool
	Undecided []string
	// Planned returns the ID that a plan assigns to each configured question, or "" for a new question.
	// It is nil if every question can be recognized without IDs.
	Planned func(code []identity.Question) []string
}

// tellApart records the IDs that the configuration must set because a plan would otherwise confuse two
// questions.
func (q *questionList) tellApart() {
	if q.Planned == nil {
		return
	}
	keys := make([]identity.Question, len(q.order))
	for i, id := range q.order {
		versions, index, fields := q.resolve(id), q.code.at(id), map[string]any{}
		for _, name := range versions.keys() {
			fields[name] = versions.key(name).mergedValue()
		}
		keys[i] = identity.NewQuestion(fields)
		keys[i].ID = ""
		if index >= 0 {
			keys[i].ID, _ = literalText(fieldExpr(q.list.exprs[index], idKey))
		}
		if slices.Contains(q.ids, id) || index < 0 && q.StatesNew && !slices.Contains(q.Undecided, id) {
			keys[i].ID = id
		}
	}

	for isStable := false; !isStable; {
		isStable = true
		for i, planned := range q.Planned(keys) {
			id := q.order[i]
			if planned != id && keys[i].ID == "" && !slices.Contains(q.Undecided, id) && object(q.live.get(id))[idKey] == id {
				keys[i].ID, q.ids, isStable = id, append(q.ids, id), false
			}
		}
	}
}

// withID returns the versions of a question, with its ID if the configuration must set it.
func (q *questionList) withID(id string, v Versions) Versions {
	text, isText := object(v.Live)[idKey].(string)
	expr := q.list.exprs[q.code.at(id)]
	isWanted := slices.Contains(q.ids, text)
	if !isText || text == "" {
		return v
	}
	if field := fieldExpr(expr, idKey); field != nil || asObject(expr) == nil {
		literal, ok := literalText(field)
		switch {
		case isWanted && ok && literal != text:
			return Versions{withKey(v.Applied, idKey, literal), withKey(v.Code, idKey, literal), v.Live}
		case isWanted && !ok:
			q.report(Unresolved, nodeSpan(expr).start, join(element(questionsPath, q.code.at(id)), idKey), Versions{Live: text}, reasonExpression)
		}
		return v
	}
	if !isWanted {
		return Versions{v.Applied, v.Code, withKey(v.Live, idKey, object(v.Code)[idKey])}
	}
	return Versions{withKey(v.Applied, idKey, nil), withKey(v.Code, idKey, nil), v.Live}
}

// isAlike reports whether two questions have the same type and text.
func isAlike(a, b map[string]any) bool {
	return jsonvalue.Equal(a["type"], b["type"]) && jsonvalue.Equal(a[questionKey], b[questionKey])
}

// StatedIDs returns the question IDs that a block sets as literals.
func (f *SourceFile) StatedIDs(block *hclsyntax.Block) []string {
	attribute := block.Body.Attributes[questionsPath]
	if attribute == nil {
		return nil
	}

	var ids []string
	_ = hclsyntax.VisitAll(attribute.Expr, func(node hclsyntax.Node) hcl.Diagnostics {
		if object, ok := node.(*hclsyntax.ObjectConsExpr); ok {
			if id, isText := literalText(fieldExpr(object, idKey)); isText {
				ids = append(ids, id)
			}
		}
		return nil
	})
	return ids
}

// StatedQuestions returns the questions in the blocks of an export, with their IDs. It returns none for
// other sources.
func StatedQuestions(text []byte) []identity.Question {
	file, diags := hclsyntax.ParseConfig(text, "", hcl.InitialPos)
	body, ok := file.Body.(*hclsyntax.Body)
	if diags.HasErrors() || !ok {
		return nil
	}

	var questions []identity.Question
	for _, block := range body.Blocks {
		attribute := block.Body.Attributes[questionsPath]
		if block.Type != "resource" || attribute == nil {
			continue
		}
		list := attribute.Expr
		if argument := callArgument(list, functionQuestions); argument != nil {
			list = argument
		}
		tuple, _ := unparen(list).(*hclsyntax.TupleConsExpr)
		if tuple == nil {
			continue
		}
		for _, element := range tuple.Exprs {
			questions = append(questions, identity.NewQuestion(statedFields(element)))
		}
	}
	return questions
}

// statedFields returns the keys of an object whose values contain no references.
func statedFields(expr hclsyntax.Expression) map[string]any {
	fields := map[string]any{}
	object := asObject(expr)
	if object == nil {
		return fields
	}
	for _, item := range object.Items {
		key, keyDiags := item.KeyExpr.Value(nil)
		value, diags := item.ValueExpr.Value(nil)
		if keyDiags.HasErrors() || key.Type() != cty.String {
			continue
		}
		if argument := callArgument(item.ValueExpr, functionJSON); argument != nil {
			value, diags = argument.Value(nil)
		}
		if raw, err := ctyjson.Marshal(value, value.Type()); err == nil && !diags.HasErrors() {
			fields[key.AsString()], _ = jsonvalue.Decode(raw) // encoded just before
		}
	}
	return fields
}
