// Package excerpt formats values as JSON for report lines. It shortens long values to the part that differs.
// Start reading at [Pair].
package excerpt

import (
	"encoding/json"
	"fmt"
	"strings"
)

const (
	// longestValue is the maximum number of characters in a printed value.
	longestValue = 200
	// shownBefore is the number of characters that are printed before the first difference.
	shownBefore = 40
)

// Pair formats two values, each on one line. It shortens long values to the part that differs.
func Pair(a, b any) (shownA, shownB string) {
	textA, textB := []rune(Of(a)), []rune(Of(b))
	same := 0
	for same < min(len(textA), len(textB)) && textA[same] == textB[same] {
		same++
	}

	if from := same - shownBefore; from > 0 && max(len(textA), len(textB)) > longestValue {
		return "…" + cutEnd(textA[from:]), "…" + cutEnd(textB[from:])
	}
	return cutEnd(textA), cutEnd(textB)
}

// cutEnd shortens a text that is too long.
func cutEnd(text []rune) string {
	if len(text) > longestValue {
		return string(text[:longestValue-1]) + "…"
	}
	return string(text)
}

// Of formats a value as JSON.
func Of(value any) string {
	switch value := value.(type) {
	case nil:
		return "(none)"
	case Words:
		return string(value)
	}
	return JSON(value)
}

// JSON formats a value as readable JSON.
func JSON(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSpace(b.String())
}

// Words is a text that reports print without quotes.
type Words string
