package testserver

import (
	"cmp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/trigram"
)

// The similarity that a name and a description must have to the words of a search, and the
// weight of the description for the order.
const (
	nameThreshold        = 0.3
	descriptionThreshold = 0.4
	descriptionWeight    = 0.5
)

// scored is a survey with the score of its match.
type scored struct {
	*store.Survey
	score float64
}

// searchSurveys finds the surveys whose name or description contains the search, or, if
// there are none, similar ones; it also returns which of the two. They are in the order of
// a timeline: the best match last.
func searchSurveys(surveys []*store.Survey, search string) (matches []*store.Survey, match string) {
	var exact, similar []scored

	query := trigram.NewQuery(search)
	for _, s := range surveys {
		name, description := s.Name, s.Text(store.SurveyTable, "description")
		word, about := query.WordSimilarity(name), query.WordSimilarity(description)
		f := scored{s, word + query.Similarity(name) + descriptionWeight*about}

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
		return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(b.Name, a.Name))
	})

	for _, f := range exact {
		matches = append(matches, f.Survey)
	}
	return matches, match
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToUpper(s), strings.ToUpper(part))
}
