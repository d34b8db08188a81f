package attribute

import (
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest finds the name that was probably meant. It ignores case and underscores, so that
// a name in Terraform's style finds the one on the wire.
func Nearest(name string, known []string) (string, bool) {
	plain := func(s string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)) }
	best, distance := "", min(len(plain(name))/4, 3)+1
	for _, candidate := range known {
		if d := levenshtein.Distance(plain(name), plain(candidate), nil); d < distance || d == 0 {
			best, distance = candidate, d
		}
	}
	return best, best != ""
}
