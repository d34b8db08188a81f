package code

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Branching leads from a question to another one. PostHog stores the target as a position in the list,
// and positions change whenever a question is added, deleted, or moved. So an edit of the order of the
// questions would show as an edit of every branching that passes it, and a branching that leads somewhere
// else could show as no edit at all.
//
// That is why targets are compared as questions. Each of the three versions of a list has its own
// positions, and each position is resolved in its own list to the ID of the question there (target). Then
// the IDs are written as the configuration will have them: as a name where the configuration calls
// questions by name, and otherwise as the position in the merged list (resolvedTarget). After that step,
// three versions of a branching that lead to one question are equal, whatever their positions were, and
// the merge of objects treats branching like any other value.
//
// Two things differ between names and positions. A position in the configuration has to follow its
// question: it is rewritten when the question moves, even if nobody edited the branching. A name stays,
// but a question that becomes a target may have none yet: name makes one from its text, which is written
// with the branching that needs it (targetsByName). A target that was deleted is not resolved to
// anything; the configuration keeps what it says, and the deletion of the question is a conflict
// (isTargetOfCode).

// The keys of branching: a question is stated by its index or by its name.
const (
	branchingKey = "branching"
	indexKey     = "index"
	questionKey  = "question"
	responsesKey = "response_values"
	nameKey      = "name"
)

// name reads the names that the code gives to questions, and gives names to those that
// branching will refer to by name.
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

// canHaveName reports whether the code can give a question a name: a new one, or one
// that is an object.
func (q *questionList) canHaveName(id string) bool {
	i := q.code.at(id)
	if i < 0 {
		return slices.Contains(q.order, id)
	}
	object, ok := unparen(q.list.exprs[i]).(*hclsyntax.ObjectConsExpr)
	return ok && objectFields(object).find(nameKey) < 0
}

// targetsByName are the questions that live branching leads to now, and not by an index
// in the code.
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

// isByName reports whether a target is or will be written as a name. Those that the
// code has by index stay indexes, and one that did not change needs no name.
func (q *questionList) isByName(id, key string) bool {
	branching := q.branchingExpr(id)
	if key == indexKey {
		return q.named && fieldExpr(branching, indexKey) == nil
	}
	now, ok := textOfLiteral(fieldExpr(fieldExpr(branching, responsesKey), key))
	_, err := strconv.Atoi(now)
	return q.named && (!ok || err != nil)
}

// branchingExpr is the branching of a question in the code; nil when it has none.
func (q *questionList) branchingExpr(id string) hclsyntax.Expression {
	i := q.code.at(id)
	if i < 0 {
		return nil
	}
	return fieldExpr(q.list.exprs[i], branchingKey)
}

// asObject is the object that an expression states; nil when it does not.
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

// fieldExpr is the value of a key of an object in the code; nil when it has none.
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

// target is the question that an index of a list leads to; false for none.
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

// resolve are the versions of a question with its targets as the code writes them, so
// that one which leads to the same question as before is no change.
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

// resolvedTarget are the versions of one target, as names or as indexes of the list as
// it will be.
func (q *questionList) resolvedTarget(v Versions, byName bool, index func(int) any) Versions {
	// gone is a target that is not among the questions any more, and no value of code.
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
		// An index in the code has to follow the question that it leads to.
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

// putKey is withKey, and makes the object if there is none: an index that the code has follows
// its question, whatever was applied.
func putKey(value any, name string, v any) any {
	if value == nil && v != nil {
		value = map[string]any{}
	}
	return withKey(value, name, v)
}

// withKey is an object with another value of a key; nil takes the key out.
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

// isTargetOfCode reports whether branching that the code alone has leads to a question, and
// still does after the merge: it cannot go while that stays.
func (q *questionList) isTargetOfCode(id string) bool {
	for i, codeID := range q.code.ids {
		v := Versions{q.applied.get(codeID), q.code.get(codeID), q.live.get(codeID)}.key(branchingKey)
		if state := v.state(); state != inCode && state != inBoth {
			continue
		}

		// Without an object on both sides, or with two types, nothing of it is merged.
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

// isRetargeted reports whether the web interface alone changed where a reference of branching
// leads, so that the merge writes it into the code.
func (q *questionList) isRetargeted(reference Versions) bool {
	leadsTo := func(list identified, index any) any {
		if id, ok := q.target(list, index); ok {
			return id
		}
		return index
	}
	return Versions{leadsTo(q.applied, reference.Applied), leadsTo(q.code, reference.Code), leadsTo(q.live, reference.Live)}.state() == drifted
}

// followTargets are the versions of a question that the code alone has: the indexes in its
// branching follow the questions that they lead to.
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
