package cli

import (
	"encoding/json"
	"fmt"
	"strings"
)

const (
	// longestValue is how many characters of a value a report shows.
	longestValue = 200
	// shownBefore is how many of them precede what differs.
	shownBefore = 40
)

// diffValue is a value on one line.
func diffValue(value any) string {
	return cutEnd([]rune(oneLineValue(value)))
}

// diffValues are two values, each on one line. Of long ones the part is shown in which they
// differ.
func diffValues(a, b any) (shownA, shownB string) {
	textA, textB := []rune(oneLineValue(a)), []rune(oneLineValue(b))
	same := 0
	for same < min(len(textA), len(textB)) && textA[same] == textB[same] {
		same++
	}

	if from := same - shownBefore; from > 0 && max(len(textA), len(textB)) > longestValue {
		return "…" + cutEnd(textA[from:]), "…" + cutEnd(textB[from:])
	}
	return cutEnd(textA), cutEnd(textB)
}

// cutEnd cuts what is too long for a report.
func cutEnd(text []rune) string {
	if len(text) > longestValue {
		return string(text[:longestValue-1]) + "…"
	}
	return string(text)
}

// oneLineValue is a value as JSON.
func oneLineValue(value any) string {
	if value == nil {
		return "(none)"
	}
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(b.String())
}
