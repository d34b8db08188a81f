package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Draw draws a survey as text: a line for each question, by its place from 0, and
// below it where its responses lead. Responses that lead to the same place share a
// line.
func Draw(questions []Question) string {
	lost := Unreachable(questions)
	var b strings.Builder
	for i, q := range questions {
		fmt.Fprintf(&b, "%d %s %q%s\n", i, q.Kind, shortened(q.Text), note(slices.Contains(lost, i)))
		for _, group := range grouped(Steps(questions, i)) {
			fmt.Fprintf(&b, "    %s\n", group)
		}
	}
	for _, loop := range Loops(questions) {
		fmt.Fprintf(&b, "loop: %s%s\n", places(loop.Places), endless(loop.Endless))
	}
	return b.String()
}

// grouped writes steps as lines, in the order in which their targets first appear.
func grouped(steps []Step) []string {
	var order []int
	whens := map[int][]string{}
	for _, step := range steps {
		if _, ok := whens[step.To]; !ok {
			order = append(order, step.To)
		}
		whens[step.To] = append(whens[step.To], step.When)
	}
	lines := make([]string, len(order))
	for i, to := range order {
		lines[i] = strings.TrimPrefix(strings.Join(whens[to], ", ")+" -> "+target(to), " ")
	}
	return lines
}

func target(to int) string {
	if to == End {
		return "end"
	}
	return strconv.Itoa(to)
}

func places(all []int) string {
	words := make([]string, len(all))
	for i, place := range all {
		words[i] = strconv.Itoa(place)
	}
	return strings.Join(words, ", ")
}

func note(lost bool) string {
	if lost {
		return " (never reached)"
	}
	return ""
}

func endless(never bool) string {
	if never {
		return " (no way to the end)"
	}
	return ""
}

// shortened keeps a long text on one line.
func shortened(text string) string {
	const most = 60
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-3]) + "..."
}
