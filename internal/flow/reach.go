package flow

import (
	"slices"
	"strconv"
)

// Unreachable returns the positions of unreachable questions, in ascending order.
func Unreachable(questions []Question) []int {
	if len(questions) == 0 {
		return nil
	}

	reached := reachable(questions, 0)
	reached[0] = true

	var unreachable []int
	for i := range questions {
		if !reached[i] {
			unreachable = append(unreachable, i)
		}
	}
	return unreachable
}

// Loop is a group of questions that lead back to each other, or a single question that leads to itself.
type Loop struct {
	// Questions contains the positions of the questions, in ascending order.
	Questions []int
	// Endless is set if no branching leads from the questions to the end of the survey.
	Endless bool
}

// Loops returns the reachable groups of questions that branching can repeat, in the order of their first question.
func Loops(questions []Question) []Loop {
	unreachable := Unreachable(questions)
	reach := make([][]bool, len(questions))
	for i := range questions {
		reach[i] = reachable(questions, i)
	}

	var loops []Loop
	for i := range questions {
		isListed := slices.ContainsFunc(loops, func(l Loop) bool { return slices.Contains(l.Questions, i) })
		if isListed || !reach[i][i] || slices.Contains(unreachable, i) {
			continue
		}

		loop := Loop{Endless: !reach[i][len(questions)]}
		for j := range questions {
			if reach[i][j] && reach[j][i] {
				loop.Questions = append(loop.Questions, j)
			}
		}
		loops = append(loops, loop)
	}
	return loops
}

// reachable marks the questions that can be reached from a question in one or more steps. The position after the last
// question represents the end of the survey.
func reachable(questions []Question, start int) []bool {
	reached := make([]bool, len(questions)+1)

	pending := []int{start}
	for len(pending) > 0 {
		current := pending[len(pending)-1]
		pending = pending[:len(pending)-1]

		for _, step := range Steps(questions, current) {
			target := step.To
			if target == End {
				target = len(questions)
			}
			if reached[target] {
				continue
			}

			reached[target] = true
			if target < len(questions) {
				pending = append(pending, target)
			}
		}
	}
	return reached
}

// Redirect is a flow change: answers lead to a different question than in an earlier version of the survey,
// although their branching was not edited.
type Redirect struct {
	// Question is the position of the branching question in the later version.
	Question int
	// Answers are the affected answers: the choices' texts if they are known, and response keys otherwise. It is
	// empty if all answers are affected, or only Skipped.
	Answers []string
	// Skipped is set if skipping the question is affected.
	Skipped bool
	// From is the position of the next question in the earlier version, and To in the later version. Either may be
	// [End].
	From, To int
}

// Redirects compares two versions of a survey. priorIndexes contains the earlier position of each question in the later
// version, and -1 for a new one. Questions without branching are omitted, because they follow the question order. If a
// new question replaced a target at its position, that is not a redirect.
func Redirects(old, current []Question, priorIndexes []int) []Redirect {
	var all []Redirect

	for i, q := range current {
		if priorIndexes[i] < 0 || q.Branching == "" || q.Branching != old[priorIndexes[i]].Branching {
			continue
		}

		first, earlier := len(all), Steps(old, priorIndexes[i])
		for _, step := range Steps(current, i) {
			key, ok := uneditedKey(old[priorIndexes[i]], q, step.When)
			match := slices.IndexFunc(earlier, func(s Step) bool { return s.When == key })
			if !ok || match < 0 || sameTarget(earlier[match].To, step.To, priorIndexes) {
				continue
			}

			redirect := Redirect{Question: i, From: earlier[match].To, To: step.To}
			same := slices.IndexFunc(all[first:], func(r Redirect) bool { return r.From == redirect.From && r.To == redirect.To })
			if same < 0 {
				all, same = append(all, redirect), len(all)-first
			}
			all[first+same].add(q, step.When)
		}
	}
	return all
}

func (r *Redirect) add(q Question, key string) {
	switch key {
	case "":
	case Skipped:
		r.Skipped = true
	default:
		r.Answers = append(r.Answers, responseLabel(q, key))
	}
}

// sameTarget reports whether two positions are the same question, or a question and its replacement.
func sameTarget(oldTarget, newTarget int, priorIndexes []int) bool {
	if oldTarget == End || newTarget == End {
		return oldTarget == newTarget
	}
	isReplaced := priorIndexes[newTarget] < 0 && !slices.Contains(priorIndexes, oldTarget)
	return priorIndexes[newTarget] == oldTarget || isReplaced
}

// uneditedKey returns the response key that an answer had in the earlier version. It returns false for a new answer,
// or if the answer's branching was edited.
func uneditedKey(old, current Question, key string) (string, bool) {
	switch {
	case current.Branching == SpecificQuestion:
		return key, old.Index == current.Index
	case current.Branching != ResponseBased:
		return key, true
	case key == Skipped:
		return key, skippedTarget(old) == skippedTarget(current)
	}

	earlier, ok := earlierKey(old, current, key)
	target := func(q Question, key string) int {
		if target, ok := q.Responses[key]; ok {
			return target
		}
		return Next
	}
	return earlier, ok && target(old, key) == target(current, key) && target(old, earlier) == target(current, earlier)
}

// earlierKey returns the response key that an answer had in the earlier version. It matches a choice by its text, or
// by its position if the text was edited.
func earlierKey(old, current Question, key string) (string, bool) {
	choice, err := strconv.Atoi(key)
	if current.Kind != SingleChoice || err != nil || choice < 0 || choice >= len(current.ChoiceTexts) {
		return key, old.Kind == current.Kind
	}

	text := current.ChoiceTexts[choice]
	stayed := choice < len(old.ChoiceTexts) && old.ChoiceTexts[choice] == text
	earlier := slices.Index(old.ChoiceTexts, text)
	switch {
	case stayed:
		return key, true
	case earlier >= 0:
		return strconv.Itoa(earlier), true
	}
	reworded := choice < len(old.ChoiceTexts) && !slices.Contains(current.ChoiceTexts, old.ChoiceTexts[choice])
	return key, reworded
}
