package hcledit

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// isTargetOfCode reports whether branching that the code alone has leads to a question, and
// still does after the merge: it cannot go while that stays.
func (q *questionList) isTargetOfCode(id string) bool {
	for i, other := range q.code.ids {
		v := Versions{q.applied.get(other), q.code.get(other), q.live.get(other)}.key(branchingKey)
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

// followed are the versions of a question that the code alone has: the indexes in its
// branching follow the questions that they lead to.
func (q *questionList) followed(id string) Versions {
	code := q.code.get(id)
	v := Versions{code, code, code}
	branching := object(code[branchingKey])
	if branching == nil {
		return v
	}

	index := func(key string, now any) (string, bool) {
		target, ok := q.target(q.code, now)
		at := slices.Index(q.order, target)
		return strconv.Itoa(at), ok && at >= 0 && !q.isByName(id, key)
	}
	moved := maps.Clone(branching)
	if at, ok := index(indexKey, branching[indexKey]); ok {
		moved[indexKey] = json.Number(at)
	}
	if responses := maps.Clone(object(branching[responsesKey])); responses != nil {
		for response, now := range responses {
			if at, ok := index(response, now); ok {
				responses[response] = at
			}
		}
		moved[responsesKey] = responses
	}
	v.Live = withKey(code, branchingKey, moved)
	return v
}
