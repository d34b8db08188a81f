package flow

import "slices"

// Unreachable are the places of the questions that nobody gets to.
func Unreachable(questions []Question) []int {
	if len(questions) == 0 {
		return nil
	}
	reached := reachable(questions, 0)
	reached[0] = true
	var lost []int
	for i := range questions {
		if !reached[i] {
			lost = append(lost, i)
		}
	}
	return lost
}

// Loop is a group of questions each of which leads back to itself through others
// of the group, or a single one that leads to itself.
type Loop struct {
	// Places are the places of the questions, ascending.
	Places []int
	// Endless says that no way leads from them to the end of the survey.
	Endless bool
}

// Loops are the groups of questions in which people can go round, as far as they
// get there, in the order of their first question.
func Loops(questions []Question) []Loop {
	lost := Unreachable(questions)
	reach := make([][]bool, len(questions))
	for i := range questions {
		reach[i] = reachable(questions, i)
	}
	var loops []Loop
	for i := range questions {
		if !reach[i][i] || slices.Contains(lost, i) || slices.ContainsFunc(loops, func(l Loop) bool { return slices.Contains(l.Places, i) }) {
			continue
		}
		loop := Loop{Endless: !reach[i][len(questions)]}
		for j := range questions {
			if reach[i][j] && reach[j][i] {
				loop.Places = append(loop.Places, j)
			}
		}
		loops = append(loops, loop)
	}
	return loops
}

// reachable tells what one gets to from a question in one step or more; the place
// after the last question stands for the end of the survey.
func reachable(questions []Question, from int) []bool {
	reached := make([]bool, len(questions)+1)
	open := []int{from}
	for len(open) > 0 {
		at := open[len(open)-1]
		open = open[:len(open)-1]
		for _, step := range Steps(questions, at) {
			to := step.To
			if to == End {
				to = len(questions)
			}
			if !reached[to] {
				reached[to] = true
				if to < len(questions) {
					open = append(open, to)
				}
			}
		}
	}
	return reached
}
