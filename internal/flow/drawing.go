package flow

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// arrow is an arrow in a drawing. It represents all of a question's steps that lead to the same position.
type arrow struct {
	from int
	// to is a question's position, or the number of questions for the end.
	to int
	// label lists the responses that take the arrow. It is empty for a question that does not branch by response.
	label string
	// noEnd is set if nothing more is shown, but the survey does not end.
	noEnd bool
}

// noEnd is the label of an arrow with noEnd set.
const noEnd = "no end"

// arrows returns a drawing's arrows, in question order. The arrows of one question are in the order in which their
// targets first appear.
func arrows(questions []Question) []arrow {
	var all []arrow

	for i, q := range questions {
		first := len(all)
		for _, step := range Steps(questions, i) {
			target := step.To
			if target == End {
				target = len(questions)
			}

			label := responseLabel(q, step.When)
			same := slices.IndexFunc(all[first:], func(a arrow) bool { return a.to == target && a.noEnd == step.NoEnd })
			if same < 0 {
				all = append(all, arrow{from: i, to: target, label: label, noEnd: step.NoEnd})
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

// responseLabel returns the label for a response key: the text of the choice if it is known.
func responseLabel(q Question, key string) string {
	choice, err := strconv.Atoi(key)
	if q.Kind != SingleChoice || err != nil || choice < 0 || choice >= len(q.ChoiceTexts) {
		return key
	}
	return oneLine(q.ChoiceTexts[choice])
}

// oneLine joins the lines of a text and truncates the result to fit into a drawing.
func oneLine(text string) string {
	const limit = 160

	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

// heading returns the first line in a question's box: its position as in a configuration, and its type.
func heading(i int, q Question) string {
	return strconv.Itoa(i) + " · " + strings.ReplaceAll(string(q.Kind), "_", " ")
}

// Text lists a survey's questions for a terminal, with the next question for each answer.
func Text(questions []Question) string {
	var b strings.Builder
	unreachable, lines := Unreachable(questions), arrows(questions)
	for i, q := range questions {
		fmt.Fprintf(&b, "  %s: %s", heading(i, q), oneLine(q.Text))
		if slices.Contains(unreachable, i) {
			b.WriteString(" (unreachable)")
		}
		b.WriteString("\n")
		for _, a := range lines {
			if a.from != i {
				continue
			}
			target := fmt.Sprint(a.to)
			if a.to == len(questions) {
				target = "end"
			}
			if a.label != "" {
				target = a.label + ": " + target
			}
			b.WriteString("      " + target + "\n")
		}
	}
	return escape.TerminalLines(b.String())
}

// textWidth estimates a text's width in a sans-serif font with the given size. It overestimates rather than
// underestimates, so that lines fit.
func textWidth(text string, size float64) float64 {
	width := 0.0
	for _, r := range text {
		width += runeWidth(r)
	}
	return width * size
}

// runeWidth is the estimated width of a character in ems.
func runeWidth(r rune) float64 {
	switch {
	case unicode.Is(unicode.Mn, r):
		return 0
	case r >= 0x1F000, r >= 0x2300 && r < 0x2C00:
		// Emoji, and symbols that may be rendered as emoji, are wider than they are high.
		return 1.35
	case strings.ContainsRune("iljtf.,:;'|!I()[] ", r):
		return 0.38
	case strings.ContainsRune("mwMW@%", r):
		return 1.02
	case r < 0x2E80 && unicode.IsUpper(r):
		return 0.8
	case r < 0x2E80:
		return 0.62
	default:
		// Scripts with full-width characters.
		return 1.1
	}
}

// wrap breaks a text into lines of at most width, between words if possible. A text with more than the given number
// of lines ends with an ellipsis.
func wrap(text string, size, width float64, lines int) []string {
	var wrapped []string
	line := ""

	for word := range strings.FieldsSeq(escape.Printable(text)) {
		if line != "" && textWidth(line+" "+word, size) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			wrapped = append(wrapped, line)
		}

		var whole []string
		whole, line = breakWord(word, size, width)
		wrapped = append(wrapped, whole...)
	}
	if line != "" {
		wrapped = append(wrapped, line)
	}

	if len(wrapped) > lines {
		wrapped = wrapped[:lines]
		last := []rune(wrapped[lines-1])
		for len(last) > 0 && textWidth(string(last)+"…", size) > width {
			last = last[:len(last)-1]
		}
		wrapped[lines-1] = string(last) + "…"
	}
	return wrapped
}

// breakWord splits a word that is longer than a line into full lines and a rest.
func breakWord(word string, size, width float64) (whole []string, rest string) {
	for _, r := range word {
		if rest != "" && textWidth(rest+string(r), size) > width {
			whole, rest = append(whole, rest), ""
		}
		rest += string(r)
	}
	return whole, rest
}

// Mermaid renders a survey's flow as a flowchart in Mermaid syntax, which code hosts render in Markdown. Questions
// are numbered from 0, and unreachable ones have a dashed border. The result ends with a newline.
func Mermaid(questions []Question) string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")

	for i, q := range questions {
		fmt.Fprintf(&b, "    q%d[\"%s<br/>%s\"]\n", i, escape.Mermaid(heading(i, q)), escape.Mermaid(oneLine(q.Text)))
	}
	fmt.Fprintf(&b, "    q%d([\"end\"])\n", len(questions))

	for _, a := range arrows(questions) {
		label := ""
		if a.label != "" {
			label = `|"` + escape.Mermaid(a.label) + `"|`
		}
		fmt.Fprintf(&b, "    q%d -->%s q%d\n", a.from, label, a.to)
	}

	// The style of unreachable questions is declared only if there are any.
	if unreachable := Unreachable(questions); len(unreachable) > 0 {
		b.WriteString("    classDef unreachable stroke-dasharray: 4 4\n")
		for _, i := range slices.Sorted(slices.Values(unreachable)) {
			fmt.Fprintf(&b, "    class q%d unreachable\n", i)
		}
	}
	return b.String()
}
