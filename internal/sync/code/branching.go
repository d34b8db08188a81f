package code

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Branching leads from one question to another. PostHog stores the target as a position in the
// list. Positions change whenever a question is added, deleted, or moved. If the merge compared
// positions, reordering the questions would look like an edit of every branching that points past
// them. Conversely, a branching with a different target question could look unchanged.
//
// The merge therefore compares targets as questions. Each of the three versions of a list has its
// own positions. Each position is resolved in its own list to the ID of the question there
// (target). The IDs are then written in the form of the configuration: as a name if the
// configuration refers to questions by name, or as the position in the merged list
// (resolvedTarget). After this step, two versions of a branching are equal if they lead to the same
// question, whatever the positions are. The merge of objects then handles branching like any other
// value.
//
// Names and positions differ in two ways. A position in the configuration must follow its question:
// the merge rewrites it when the question moves, even if no one edited the branching. A name stays
// the same, but a new target question may not have a name yet: name derives a name from the
// question's text, and the merge writes the name together with the branching (targetsByName). If
// the target was deleted, it is not resolved. The configuration then keeps its value, and the
// deletion of the question is a conflict (isTargetOfCode).

// Keys of branching, and the keys that set a target: an index or a name.
const (
	branchingKey = "branching"
	indexKey     = "index"
	questionKey  = "question"
	responsesKey = "response_values"
	nameKey      = "name"
)

// name reads the names of the configured questions, and names the questions to which branching will
// refer by name.
func (q *questionList) name() {
	q.names, q.given = map[string]string{}, map[string]string{}
	if !q.named {
		return
	}
	isTaken := map[string]bool{}
	for i, expr := range q.list.exprs {
		if name, ok := literalText(fieldExpr(expr, nameKey)); ok {
			q.names[q.code.ids[i]] = name
			isTaken[name] = true
		}
	}

	for _, id := range q.targetsByName() {
		if q.names[id] != "" || !q.canHaveName(id) {
			continue
		}
		text, _ := q.live.get(id)["question"].(string)
		name := QuestionName(text, slices.Index(q.order, id), isTaken)
		q.names[id], q.given[id] = name, name
	}
}

// canHaveName reports whether the configuration can name a question: the question is new, or its
// source is an object.
func (q *questionList) canHaveName(id string) bool {
	i := q.code.at(id)
	if i < 0 {
		return slices.Contains(q.order, id)
	}
	object, ok := unparen(q.list.exprs[i]).(*hclsyntax.ObjectConsExpr)
	return ok && objectFields(object).find(nameKey) < 0
}

// targetsByName returns the target questions of live branching, except targets that the configuration
// sets by index.
func (q *questionList) targetsByName() []string {
	var ids []string
	for _, id := range q.order {
		live, code := object(q.live.get(id)[branchingKey]), object(q.code.get(id)[branchingKey])
		if _, isObject := unparen(q.branchingExpr(id)).(*hclsyntax.ObjectConsExpr); !isObject && q.branchingExpr(id) != nil {
			continue
		}
		add := func(key string, live, code any) {
			target, ok := q.target(q.live, live)
			if now, _ := q.target(q.code, code); ok && target != now && q.isByName(id, key) {
				ids = append(ids, target)
			}
		}
		add(indexKey, live[indexKey], code[indexKey])
		for _, key := range slices.Sorted(maps.Keys(object(live[responsesKey]))) {
			add(key, object(live[responsesKey])[key], object(code[responsesKey])[key])
		}
	}
	return ids
}

// isByName reports whether a target is or will be written as a name. An index in the configuration is
// kept, and an unchanged target does not need a name.
func (q *questionList) isByName(id, key string) bool {
	branching := q.branchingExpr(id)
	if key == indexKey {
		return q.named && fieldExpr(branching, indexKey) == nil
	}
	now, ok := textOfLiteral(fieldExpr(fieldExpr(branching, responsesKey), key))
	_, err := strconv.Atoi(now)
	return q.named && (!ok || err != nil)
}

// branchingExpr returns the expression of a question's branching in the configuration, or nil.
func (q *questionList) branchingExpr(id string) hclsyntax.Expression {
	i := q.code.at(id)
	if i < 0 {
		return nil
	}
	return fieldExpr(q.list.exprs[i], branchingKey)
}

// asObject returns the object in an expression, or nil if the expression is not an object.
func asObject(expr hclsyntax.Expression) *hclsyntax.ObjectConsExpr {
	if expr == nil {
		return nil
	}
	if argument := callArgument(expr, functionQuestion); argument != nil {
		expr = argument
	}
	object, _ := unparen(expr).(*hclsyntax.ObjectConsExpr)
	return object
}

// fieldExpr returns the expression of a key of an object in the configuration, or nil.
func fieldExpr(expr hclsyntax.Expression, key string) hclsyntax.Expression {
	object := asObject(expr)
	if object == nil {
		return nil
	}
	r := objectFields(object)
	if i := r.find(key); i >= 0 {
		return r.fields[i].expr
	}
	return nil
}

// target returns the question at an index of a list. ok is false if the list has no such question.
func (q *questionList) target(list identified, index any) (id string, ok bool) {
	i := -1
	switch index := index.(type) {
	case json.Number:
		n, err := index.Int64()
		if err != nil {
			return "", false
		}
		i = int(n)
	case string:
		n, err := strconv.Atoi(index)
		if err != nil || strconv.Itoa(n) != index {
			return "", false
		}
		i = n
	}
	if i < 0 || i >= len(list.ids) {
		return "", false
	}
	return list.ids[i], true
}

// resolve returns a question's versions with targets in the form that the configuration uses. A branching
// with the same target question as before is then unchanged.
func (q *questionList) resolve(id string) Versions {
	v := Versions{q.applied.get(id), q.code.get(id), q.live.get(id)}
	branching := q.resolvedBranching(id, v.key(branchingKey))
	v = Versions{
		withKey(v.Applied, branchingKey, branching.Applied), withKey(v.Code, branchingKey, branching.Code),
		withKey(v.Live, branchingKey, branching.Live),
	}
	if name := q.given[id]; name != "" {
		v.Live = withKey(v.Live, nameKey, name)
	}
	return v
}

func (q *questionList) resolvedBranching(id string, v Versions) Versions {
	index := q.resolvedTarget(v.key(indexKey), q.isByName(id, indexKey), func(index int) any {
		return json.Number(strconv.Itoa(index))
	})
	key := indexKey
	if _, isName := index.Live.(string); isName {
		key = questionKey
	} else if _, isName := index.Code.(string); isName {
		key = questionKey
	}

	responses := v.key(responsesKey)
	for _, response := range responses.keys() {
		target := q.resolvedTarget(responses.key(response), q.isByName(id, response), func(index int) any { return strconv.Itoa(index) })
		responses = Versions{
			putKey(responses.Applied, response, target.Applied), withKey(responses.Code, response, target.Code),
			withKey(responses.Live, response, target.Live),
		}
	}
	with := func(b, index, responses any) any {
		b = withKey(withKey(b, indexKey, nil), responsesKey, responses)
		return withKey(b, key, index)
	}
	if v.Applied == nil && (index.Applied != nil || responses.Applied != nil) {
		v.Applied = map[string]any{}
	}
	return Versions{
		with(v.Applied, index.Applied, responses.Applied), with(v.Code, index.Code, responses.Code), with(v.Live, index.Live, responses.Live),
	}
}

// resolvedTarget returns the versions of one target, as names or as indexes in the merged list.
func (q *questionList) resolvedTarget(v Versions, byName bool, index func(int) any) Versions {
	// gone represents a target that is no longer among the questions. It differs from all values in
	// the configuration.
	type gone struct{ id string }
	resolveTarget := func(list identified, value any) any {
		id, ok := q.target(list, value)
		if !ok {
			return value
		}
		if name := q.names[id]; byName && name != "" {
			return name
		}
		if position := slices.Index(q.order, id); position >= 0 {
			return index(position)
		}
		return gone{id}
	}

	resolved := Versions{resolveTarget(q.applied, v.Applied), resolveTarget(q.code, v.Code), resolveTarget(q.live, v.Live)}
	state := resolved.state()
	if !byName {
		// An index in the configuration must follow its question.
		if state == inCode {
			resolved.Live = resolved.Code
		}
		if state != inBoth {
			resolved.Applied = v.Code
		}
		resolved.Code = v.Code
	}
	if _, isGone := resolved.Code.(gone); isGone {
		resolved.Code = fmt.Sprint(v.Code)
		resolved.Applied = resolved.Code
	}
	if _, isGone := resolved.Live.(gone); isGone {
		return Versions{resolved.Code, resolved.Code, resolved.Code}
	}
	return resolved
}

// putKey sets a key like withKey, but also creates a missing object, because an index in the
// configuration must follow its question, no matter what was last applied.
func putKey(value any, name string, v any) any {
	if value == nil && v != nil {
		value = map[string]any{}
	}
	return withKey(value, name, v)
}

// withKey returns a copy of an object with a different value for a key. A nil value removes the key.
func withKey(value any, name string, v any) any {
	changed := maps.Clone(object(value))
	if changed == nil {
		return nil
	}
	if changed[name] = v; v == nil {
		delete(changed, name)
	}
	return changed
}

// isTargetOfCode reports whether a branching that exists only in the configuration still leads to a
// question after the merge. The question cannot be deleted while that branching exists.
func (q *questionList) isTargetOfCode(id string) bool {
	for i, codeID := range q.code.ids {
		v := Versions{q.applied.get(codeID), q.code.get(codeID), q.live.get(codeID)}.key(branchingKey)
		if state := v.state(); state != inCode && state != inBoth {
			continue
		}

		// If one side is not an object, or the types differ, branching is merged as a whole.
		isWhole := object(v.Live) == nil || disagreesOnType(join(element(questionsPath, i), branchingKey), v)
		responses := v.key(responsesKey)
		targets := []Versions{v.key(indexKey)}
		for _, response := range responses.keys() {
			targets = append(targets, responses.key(response))
		}
		for _, reference := range targets {
			if target, ok := q.target(q.code, reference.Code); ok && target == id && (isWhole || !q.isRetargeted(reference)) {
				return true
			}
		}
	}
	return false
}

// isRetargeted reports whether a target was changed only in PostHog, so that the merge writes the
// target.
func (q *questionList) isRetargeted(reference Versions) bool {
	leadsTo := func(list identified, index any) any {
		if id, ok := q.target(list, index); ok {
			return id
		}
		return index
	}
	return Versions{leadsTo(q.applied, reference.Applied), leadsTo(q.code, reference.Code), leadsTo(q.live, reference.Live)}.state() == drifted
}

// followTargets returns the versions of a question that exists only in the configuration. It adjusts
// the indexes in the question's branching to the merged list.
func (q *questionList) followTargets(id string) Versions {
	code := q.code.get(id)
	v := Versions{code, code, code}
	branching := object(code[branchingKey])
	if branching == nil {
		return v
	}

	index := func(key string, now any) (string, bool) {
		target, ok := q.target(q.code, now)
		position := slices.Index(q.order, target)
		return strconv.Itoa(position), ok && position >= 0 && !q.isByName(id, key)
	}
	moved := maps.Clone(branching)
	if position, ok := index(indexKey, branching[indexKey]); ok {
		moved[indexKey] = json.Number(position)
	}
	if responses := maps.Clone(object(branching[responsesKey])); responses != nil {
		for response, now := range responses {
			if position, ok := index(response, now); ok {
				responses[response] = position
			}
		}
		moved[responsesKey] = responses
	}
	v.Live = withKey(code, branchingKey, moved)
	return v
}
