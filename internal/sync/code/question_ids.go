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

// Identities is what is known of the ids of a survey's questions beside the code.
type Identities struct {
	// Stated are ids that the code has to state.
	Stated []string
	// StatesNew is set where questions that come into the code state their ids; but for those of
	// Undecided, which may be other questions.
	StatesNew bool
	Undecided []string
	// Planned are the ids that a plan gives to the questions of the code, "" for a new one; nil
	// where every question is found by what it says.
	Planned func(code []identity.Question) []string
}

// tellApart notes the ids that the code has to state: without, a plan would take what the
// questions will say for others.
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

	for isTold := false; !isTold; {
		isTold = true
		for i, planned := range q.Planned(keys) {
			id := q.order[i]
			if planned != id && keys[i].ID == "" && !slices.Contains(q.Undecided, id) && object(q.live.get(id))[idKey] == id {
				keys[i].ID, q.ids, isTold = id, append(q.ids, id), false
			}
		}
	}
}

// withID are the versions of a question of which the code may have to state the id.
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

// isAlike reports whether two questions have one type and one text.
func isAlike(a, b map[string]any) bool {
	return jsonvalue.Equal(a["type"], b["type"]) && jsonvalue.Equal(a[questionKey], b[questionKey])
}

// StatedIDs are the IDs of questions that a block states as texts.
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

// StatedQuestions are the questions that the blocks of an export state, with their IDs; none for
// text that isn't such.
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

// statedFields are the keys of an object that have a value without references.
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
			fields[key.AsString()], _ = jsonvalue.Decode(raw) // it was just encoded
		}
	}
	return fields
}
