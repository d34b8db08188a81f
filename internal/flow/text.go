package flow

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// Text lists the questions of a survey, and where the answers to each lead, for a terminal.
func Text(questions []Question) string {
	var b strings.Builder
	unreachable, all := Unreachable(questions), arrows(questions)
	for i, q := range questions {
		fmt.Fprintf(&b, "  %s: %s", heading(i, q), oneLine(q.Text))
		if slices.Contains(unreachable, i) {
			b.WriteString(" (unreachable)")
		}
		b.WriteString("\n")
		for _, a := range all {
			if a.from != i {
				continue
			}
			to := fmt.Sprint(a.to)
			if a.to == len(questions) {
				to = "end"
			}
			if a.label != "" {
				to = a.label + ": " + to
			}
			b.WriteString("      " + to + "\n")
		}
	}
	return escape.TerminalLines(b.String())
}

// textWidth estimates how wide a text is when drawn in a sans-serif font of the given
// size. It errs on the wide side, so that a line that is said to fit does fit.
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
		// Emoji and symbols that may be drawn as such, which fonts make wider than high.
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
		// Scripts of full-width characters.
		return 1.1
	}
}

// wrap breaks a text into lines of at most width, between words where it can. A text
// of more than the given number of lines ends with an ellipsis.
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

// breakWord breaks a word that is too long for a line into full lines and a rest.
func breakWord(word string, size, width float64) (whole []string, rest string) {
	for _, r := range word {
		if rest != "" && textWidth(rest+string(r), size) > width {
			whole, rest = append(whole, rest), ""
		}
		rest += string(r)
	}
	return whole, rest
}
