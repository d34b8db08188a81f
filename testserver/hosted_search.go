package testserver

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// How alike a name and a description must be to the words of a search, and how much a
// description counts for the order.
const (
	nameThreshold        = 0.3
	descriptionThreshold = 0.4
	descriptionWeight    = 0.5
)

// scored is a survey with how well it matches.
type scored struct {
	*survey
	score float64
}

// searchSurveys finds the surveys whose name or description has the search in it, or,
// when there are none, those that are alike; and says which of the two. They come in
// the order of a timeline: the best match last.
func searchSurveys(surveys []*survey, search string) (matches []*survey, match string) {
	var exact, similar []scored
	for _, s := range surveys {
		name, description := s.name, s.text(surveyTable, "description")
		word, about := wordSimilarity(search, name), wordSimilarity(search, description)
		f := scored{s, word + similarity(search, name) + descriptionWeight*about}
		switch {
		case containsFold(name, search) || containsFold(description, search):
			exact = append(exact, f)
		case word > nameThreshold || about > descriptionThreshold:
			similar = append(similar, f)
		}
	}
	match = "exact"
	if exact == nil {
		exact, match = similar, "similar"
	}
	slices.SortStableFunc(exact, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(b.name, a.name))
	})
	for _, f := range exact {
		matches = append(matches, f.survey)
	}
	return matches, match
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToUpper(s), strings.ToUpper(part))
}

// trigrams are the groups of three characters in a text, as the database's index
// extension makes them: of each word, in lower case, with two blanks before and one
// after it.
func trigrams(s string) []string {
	var list []string
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range words {
		padded := []rune("  " + word + " ")
		for i := range len(padded) - 2 {
			list = append(list, string(padded[i:i+3]))
		}
	}
	return list
}

// alike is the share of trigrams that two texts have in common, given how many each
// has and how many they share.
func alike(shared, first, second int) float64 {
	if first+second == shared {
		return 0
	}
	return float64(shared) / float64(first+second-shared)
}

// similarity compares two whole texts.
func similarity(a, b string) float64 {
	in, other := set(trigrams(a)), set(trigrams(b))
	shared := 0
	for t := range other {
		if in[t] {
			shared++
		}
	}
	return alike(shared, len(in), len(other))
}

// wordSimilarity compares a search with the part of a text that is most like it.
func wordSimilarity(search, text string) float64 {
	wanted, sequence := set(trigrams(search)), trigrams(text)
	best := 0.0
	for from, t := range sequence {
		if !wanted[t] {
			continue
		}
		extent, shared := map[string]bool{}, 0
		for _, t := range sequence[from:] {
			if !extent[t] {
				extent[t] = true
				if wanted[t] {
					shared++
				}
			}
			best = max(best, alike(shared, len(wanted), len(extent)))
		}
	}
	return best
}

func set(list []string) map[string]bool {
	in := map[string]bool{}
	for _, item := range list {
		in[item] = true
	}
	return in
}
