package attribute

import "github.com/agext/levenshtein"

// Suggestion is the word that was probably meant, "" for none. The word is certainly wrong,
// so it is more lenient than [Nearest].
func Suggestion(word string, known []string) string {
	best, distance := "", min(max(2, len(word)/3), len(word)-1)+1
	for _, candidate := range known {
		if d := levenshtein.Distance(word, candidate, nil); d < distance {
			best, distance = candidate, d
		}
	}
	return best
}
