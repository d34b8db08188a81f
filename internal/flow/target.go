package flow

import (
	"maps"
	"slices"
)

// Target is a target of a question's branching.
type Target struct {
	// Question is the position of the branching question, Key the response key; empty for
	// the index of [SpecificQuestion].
	Question int
	Key      string
	To       int
}

// OutOfRange are the targets that are not a question of the survey, in the order of the
// questions.
func OutOfRange(questions []Question) []Target {
	var targets []Target

	for i, q := range questions {
		switch q.Branching {
		case SpecificQuestion:
			// An index cannot mean the end or the next question: -1 and -2 are out of range
			// like any other.
			if q.Index < 0 || q.Index >= len(questions) {
				targets = append(targets, Target{Question: i, To: q.Index})
			}
		case ResponseBased:
			for _, key := range slices.Sorted(maps.Keys(q.Responses)) {
				to := q.Responses[key]
				if to != End && to != Next && (to < 0 || to >= len(questions)) {
					targets = append(targets, Target{Question: i, Key: key, To: to})
				}
			}
		default:
		}
	}
	return targets
}

// UnknownResponseKeys are the response keys with a target that no response of the question
// has, sorted. There are none while the question's scale or choices are unknown.
func UnknownResponseKeys(q Question) []string {
	keys := ResponseKeys(q)
	if q.Branching != ResponseBased || keys == nil {
		return nil
	}

	return slices.DeleteFunc(slices.Sorted(maps.Keys(q.Responses)), func(key string) bool {
		return slices.Contains(keys, key)
	})
}
