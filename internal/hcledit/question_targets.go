package hcledit

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// isTargetOfCode reports whether branching that the code alone has leads to a question: it
// cannot go while that stays.
func (q *questionList) isTargetOfCode(id string) bool {
	for _, other := range q.code.ids {
		v := Versions{q.applied.get(other), q.code.get(other), q.live.get(other)}.key(branchingKey)
		if state := v.state(); state != inCode && state != inBoth {
			continue
		}

		code := object(v.Code)
		targets := slices.Collect(maps.Values(object(code[responsesKey])))
		for _, place := range append(targets, code[indexKey]) {
			if target, ok := q.target(q.code, place); ok && target == id {
				return true
			}
		}
	}
	return false
}

// followed are the versions of a question that the code alone has: the places in its
// branching follow the questions that they lead to.
func (q *questionList) followed(id string) Versions {
	code := q.code.get(id)
	v := Versions{code, code, code}
	branching := object(code[branchingKey])
	if branching == nil {
		return v
	}

	place := func(key string, now any) (string, bool) {
		target, ok := q.target(q.code, now)
		at := slices.Index(q.order, target)
		return strconv.Itoa(at), ok && at >= 0 && !q.isByName(id, key)
	}
	moved := maps.Clone(branching)
	if at, ok := place(indexKey, branching[indexKey]); ok {
		moved[indexKey] = json.Number(at)
	}
	if responses := maps.Clone(object(branching[responsesKey])); responses != nil {
		for response, now := range responses {
			if at, ok := place(response, now); ok {
				responses[response] = at
			}
		}
		moved[responsesKey] = responses
	}
	v.Live = withKey(code, branchingKey, moved)
	return v
}
