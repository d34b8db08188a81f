package flow

import (
	"slices"
	"strconv"
)

// Unreachable are the positions of the questions that cannot be reached, ascending.
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

// Loop is a group of questions each of which leads back to itself through others of
// the group, or a single one that leads to itself.
type Loop struct {
	// Questions are their positions, ascending.
	Questions []int
	// Endless is set when no branching leads from them to the end of the survey.
	Endless bool
}

// Loops are the reachable groups of questions that the branching can repeat, in the order
// of their first question.
func Loops(questions []Question) []Loop {
	unreachable := Unreachable(questions)
	reach := make([][]bool, len(questions))
	for i := range questions {
		reach[i] = reachable(questions, i)
	}

	var loops []Loop
	for i := range questions {
		known := slices.ContainsFunc(loops, func(l Loop) bool { return slices.Contains(l.Questions, i) })
		if known || !reach[i][i] || slices.Contains(unreachable, i) {
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

// reachable marks what can be reached from a question in one step or more; the place
// after the last question is the end of the survey.
func reachable(questions []Question, from int) []bool {
	reached := make([]bool, len(questions)+1)

	pending := []int{from}
	for len(pending) > 0 {
		at := pending[len(pending)-1]
		pending = pending[:len(pending)-1]

		for _, step := range Steps(questions, at) {
			to := step.To
			if to == End {
				to = len(questions)
			}
			if reached[to] {
				continue
			}

			reached[to] = true
			if to < len(questions) {
				pending = append(pending, to)
			}
		}
	}
	return reached
}

// Redirect is a change of the flow: answers lead to another question than in an earlier
// version of the survey, although their branching was not edited.
type Redirect struct {
	// Question is the position of the branching question in the later version.
	Question int
	// Answers are the affected answers: the texts of choices if they are known, else
	// response keys. It is empty when all answers are affected, or only Skipped.
	Answers []string
	// Skipped is set when skipping the question is affected.
	Skipped bool
	// From is the position of the next question in the earlier version, To that in the
	// later version; either may be [End].
	From, To int
}

// Redirects compares two versions of a survey. was is the earlier position of each question
// of the later version, -1 for a new one. Questions without branching are left out: they
// follow the order of the questions. A target that was replaced by a new question at its
// position is no redirect.
func Redirects(before, after []Question, was []int) []Redirect {
	var all []Redirect

	for i, q := range after {
		if was[i] < 0 || q.Branching == "" || q.Branching != before[was[i]].Branching {
			continue
		}

		first, earlier := len(all), Steps(before, was[i])
		for _, step := range Steps(after, i) {
			key, ok := unedited(before[was[i]], q, step.When)
			at := slices.IndexFunc(earlier, func(s Step) bool { return s.When == key })
			if !ok || at < 0 || sameTarget(earlier[at].To, step.To, was) {
				continue
			}

			found := Redirect{Question: i, From: earlier[at].To, To: step.To}
			same := slices.IndexFunc(all[first:], func(r Redirect) bool { return r.From == found.From && r.To == found.To })
			if same < 0 {
				all, same = append(all, found), len(all)-first
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

// sameTarget reports whether two positions are the same question, or one that was replaced.
func sameTarget(from, to int, was []int) bool {
	if from == End || to == End {
		return from == to
	}
	isReplaced := was[to] < 0 && !slices.Contains(was, from)
	return was[to] == from || isReplaced
}

// unedited finds the response key of an answer in the earlier version. It returns false for
// a new answer, and for one whose branching was edited.
func unedited(before, after Question, key string) (string, bool) {
	switch {
	case after.Branching == SpecificQuestion:
		return key, before.Index == after.Index
	case after.Branching != ResponseBased:
		return key, true
	case key == Skipped:
		return key, skippedTarget(before) == skippedTarget(after)
	}

	earlier, ok := earlierKey(before, after, key)
	target := func(q Question, key string) int {
		if to, ok := q.Responses[key]; ok {
			return to
		}
		return Next
	}
	return earlier, ok && target(before, key) == target(after, key) && target(before, earlier) == target(after, earlier)
}

// earlierKey is the earlier response key of an answer: a choice is matched by its text, or
// by its position if it was reworded.
func earlierKey(before, after Question, key string) (string, bool) {
	choice, err := strconv.Atoi(key)
	if after.Kind != SingleChoice || err != nil || choice < 0 || choice >= len(after.ChoiceTexts) {
		return key, before.Kind == after.Kind
	}

	text := after.ChoiceTexts[choice]
	stayed := choice < len(before.ChoiceTexts) && before.ChoiceTexts[choice] == text
	earlier := slices.Index(before.ChoiceTexts, text)
	switch {
	case stayed:
		return key, true
	case earlier >= 0:
		return strconv.Itoa(earlier), true
	}
	reworded := choice < len(before.ChoiceTexts) && !slices.Contains(after.ChoiceTexts, before.ChoiceTexts[choice])
	return key, reworded
}
