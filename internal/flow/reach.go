package flow

import "slices"

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
