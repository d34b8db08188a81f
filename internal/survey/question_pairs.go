package survey

import "slices"

// QuestionPairs are the questions of a prior state and of a plan, and which is which. The zero
// QuestionPairs is of questions that are not known yet.
type QuestionPairs struct {
	Before, After []Question
	// Origins has the origin of each question of After.
	Origins []Origin
}

// PairQuestions matches the questions of a plan with those of its prior state. It matches what
// the configuration says, if it says any: an id that the plan gave to a question is the result
// of the match, not its input.
func PairQuestions(config, planned, prior Questions, past QuestionHistory) QuestionPairs {
	if config.IsNull() {
		config = planned
	}

	before, isKnownBefore := prior.Known()
	after, isKnownAfter := config.Known()
	if !isKnownBefore || !isKnownAfter {
		return QuestionPairs{}
	}
	return QuestionPairs{Before: before, After: after, Origins: Match(past.WithIDs(prior).List(), past, after)}
}

// PriorIndex is the index that a question of After had before, or -1.
func (p QuestionPairs) PriorIndex(i int) int {
	if i >= len(p.Origins) {
		return -1
	}
	return p.Origins[i].Prior
}

// PlannedIndex is the index that a question of Before has after, or -1.
func (p QuestionPairs) PlannedIndex(j int) int {
	return slices.IndexFunc(p.Origins, func(from Origin) bool { return from.Prior == j })
}

// IsInPlace reports whether all questions are where they were.
func (p QuestionPairs) IsInPlace() bool {
	for i, from := range p.Origins {
		if from.Prior != i {
			return false
		}
	}
	return len(p.Before) == len(p.Origins)
}
