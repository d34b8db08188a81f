package past_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/past"
)

// A question that is added to a survey counts as returned if the survey asked it before.
func TestReturnedQuestion(t *testing.T) {
	t.Parallel()
	deleted := func(t *testing.T) *past.Timeline {
		return saves(t, "open:A#a open:B#b single_choice:P#p|x single_choice:P#q|y", "open:A#a single_choice:P#p|x single_choice:P#q|y", "open:A#a")
	}
	for name, c := range map[string]struct {
		added    string
		returned string
	}{
		"without an ID":         {"open:B", `questions[3] "B": PostHog no longer contains the question "B" with the ID "b". It returns with a new ID, and its earlier answers stay under the old one (at most 3 answers)`},
		"with its ID":           {"open:B#b", `questions[3] "B": PostHog no longer contains the question "B" with the ID "b". It returns with that ID, which reattaches its answers (at most 3 answers)`},
		"with its ID, reworded": {"open:Better#b", `questions[3] "Better": PostHog no longer contains the question "B" with the ID "b". It returns with that ID`},
		"with another ID":       {"open:B#n", `set its ID to "b"`},
		"a twin":                {"single_choice:P|x", `with the ID "p". It returns with a new ID`},
		"the other twin":        {"single_choice:P|y", `with the ID "q". It returns with a new ID`},
		"of another type":       {"link:B", ""},
		"a new question":        {"open:C", ""},
		"like a current one":    {"open:A", ""},
	} {
		q := past.Identities(questions(t, c.added))[0]
		found, ok := deleted(t).Returned(t.Context(), counts{"b": 3}, 3, q)
		require.Equal(t, c.returned != "", ok, name)
		if ok {
			assert.Contains(t, found.String(), c.returned, name)
		}
		assert.Equal(t, identity.IndexByID([]identity.Question{{ID: found.OldID}}, q.ID) >= 0, found.IsReattached, name)
	}
}
