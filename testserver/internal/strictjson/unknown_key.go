package strictjson

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// maxTypos is the edit distance from which on a key is no likely misspelling of another.
const maxTypos = 3

// UnknownKey is the message about a key that is none of known, with the one that it may
// be a misspelling of.
func UnknownKey(name string, known []string) string {
	best, distance := "", maxTypos
	for _, candidate := range known {
		if d := levenshtein.Distance(name, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}

	if best != "" {
		return fmt.Sprintf("unknown key, did you mean %q?", best)
	}
	return "unknown key; there are " + strings.Join(known, ", ")
}
