package flow

import (
	"maps"
	"slices"
)

// Skipped is the When of the step that people take who skip an optional question.
const Skipped = "skipped"

// Step is one way on from a question.
type Step struct {
	// When is the response key that it belongs to, or [Skipped]; empty for whatever
	// is answered.
	When string
	// To is the place of the question that comes next, or [End].
	To int
}

// Steps are the ways on from question i. A target where no question stands counts
// as the end of the survey: there is nothing more to show.
func Steps(questions []Question, i int) []Step {
	q := questions[i]
	resolve := func(to int) int {
		if to == Next {
			to = i + 1
		}
		if to < 0 || to >= len(questions) {
			return End
		}
		return to
	}
	switch q.Way {
	case ToEnd:
		return []Step{{To: End}}
	case ToSpecific:
		return []Step{{To: resolve(q.Index)}}
	case ByResponse:
	default:
		return []Step{{To: resolve(Next)}}
	}
	var steps []Step
	for _, key := range responseKeys(q) {
		to, ok := q.Responses[key]
		if !ok {
			to = Next
		}
		steps = append(steps, Step{When: key, To: resolve(to)})
	}
	if q.Optional {
		steps = append(steps, Step{When: Skipped, To: resolve(Next)})
	}
	if len(steps) == 0 {
		return []Step{{To: resolve(Next)}}
	}
	return steps
}

// responseKeys are the keys to follow: where it is not known which there are, those
// that have a target.
func responseKeys(q Question) []string {
	if keys := ResponseKeys(q); keys != nil || !BranchesByResponse(q.Kind) {
		return keys
	}
	return slices.Sorted(maps.Keys(q.Responses))
}

// Stray is a target where no question stands.
type Stray struct {
	// Question is the place of the question whose branching it is, Key the response
	// key; empty for the index of [ToSpecific].
	Question int
	Key      string
	To       int
}

// Strays are the targets of all questions where no question stands.
func Strays(questions []Question) []Stray {
	outside := func(to int) bool { return to != End && to != Next && (to < 0 || to >= len(questions)) }
	var strays []Stray
	for i, q := range questions {
		switch q.Way {
		case ToSpecific:
			// Here -1 and -2 are places like any other.
			if q.Index < 0 || q.Index >= len(questions) {
				strays = append(strays, Stray{Question: i, To: q.Index})
			}
		case ByResponse:
			for _, key := range slices.Sorted(maps.Keys(q.Responses)) {
				if to := q.Responses[key]; outside(to) {
					strays = append(strays, Stray{Question: i, Key: key, To: to})
				}
			}
		default:
		}
	}
	return strays
}

// StrayKeys are the response keys with a target that no response of the question
// has, sorted. There are none while the question's scale or choices are not known.
func StrayKeys(q Question) []string {
	keys := ResponseKeys(q)
	if q.Way != ByResponse || keys == nil {
		return nil
	}
	var stray []string
	for _, key := range slices.Sorted(maps.Keys(q.Responses)) {
		if !slices.Contains(keys, key) {
			stray = append(stray, key)
		}
	}
	return stray
}
