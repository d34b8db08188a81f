package flow

import (
	"slices"
	"strconv"
	"strings"
)

// arrow is what a drawing shows for all steps of one question that lead to the same
// place.
type arrow struct {
	from int
	// to is the place of a question, or the number of questions for the end.
	to int
	// label names the responses that take it; empty for a question that does not
	// branch by response.
	label string
	// noEnd is set where the survey does not end, although there is nothing more to show.
	noEnd bool
}

// noEnd is what the label of an arrow says of that.
const noEnd = "no end"

// arrows are the arrows of a drawing, in the order of the questions and, for each
// question, in the order in which its targets first appear.
func arrows(questions []Question) []arrow {
	var all []arrow

	for i, q := range questions {
		first := len(all)
		for _, step := range Steps(questions, i) {
			to := step.To
			if to == End {
				to = len(questions)
			}

			label := responseLabel(q, step.When)
			same := slices.IndexFunc(all[first:], func(a arrow) bool { return a.to == to && a.noEnd == step.NoEnd })
			if same < 0 {
				all = append(all, arrow{from: i, to: to, label: label, noEnd: step.NoEnd})
				continue
			}
			all[first+same].label = strings.TrimPrefix(all[first+same].label+", "+label, ", ")
		}
	}

	for i := range all {
		if all[i].noEnd {
			all[i].label = strings.TrimPrefix(all[i].label+": "+noEnd, ": ")
		}
	}
	return all
}

// responseLabel is what an arrow shows for a response key: the text of the choice
// where it is known.
func responseLabel(q Question, key string) string {
	choice, err := strconv.Atoi(key)
	if q.Kind != SingleChoice || err != nil || choice < 0 || choice >= len(q.ChoiceTexts) {
		return key
	}
	return oneLine(q.ChoiceTexts[choice])
}

// oneLine joins the lines of a text and cuts what is too long for a drawing.
func oneLine(text string) string {
	const limit = 160

	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

// heading is the first line of a question's box: its place as configurations write
// it, and its kind.
func heading(i int, q Question) string {
	return strconv.Itoa(i) + " · " + strings.ReplaceAll(string(q.Kind), "_", " ")
}
