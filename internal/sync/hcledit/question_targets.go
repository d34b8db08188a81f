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
		for _, place := range targets {
			if target, ok := q.target(q.code, place.Code); ok && target == id && (isWhole || !q.isRetargeted(place)) {
				return true
			}
		}
	}
	return false
}

// isRetargeted reports whether the web interface alone changed where a place of branching
// leads, so that the merge writes it into the code.
func (q *questionList) isRetargeted(place Versions) bool {
	leadsTo := func(list identified, place any) any {
		if id, ok := q.target(list, place); ok {
			return id
		}
		return place
	}
	return Versions{leadsTo(q.applied, place.Applied), leadsTo(q.code, place.Code), leadsTo(q.live, place.Live)}.state() == drifted
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
