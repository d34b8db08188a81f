package survey

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// AnswersCutOff is what every command calls the damage of a save that left out the id of a
// question: the service gives the question another id, and all answers before stay under the
// old one.
const AnswersCutOff = "answers cut off"

// CutQuestion is a question of a survey whose answers were cut off.
type CutQuestion struct {
	// Place is its index in the list of the service.
	Place int
	Text  string
	// Live is the id that it has now, Old the one with the answers from before.
	Live, Old string
	// Before is how many answers are under the old id, at most; Since how many are under the
	// new one. They are nil where nobody can tell.
	Before, Since *int64
	// Stays is set when the question has answers under both ids: which ones count is a
	// person's choice.
	Stays bool
	// IsLikely is set when only a similar text says that it is the same question: that is said,
	// and nothing is done about it.
	IsLikely bool
}

// String says which question it is and how many answers are under which id.
func (c CutQuestion) String() string {
	about := AnswersCutOff
	if c.IsLikely {
		about = "perhaps " + about
	}
	return fmt.Sprintf("questions[%d] %s: %s (under its old id %s: %s; under its new id %s: %s)",
		c.Place, Excerpt(types.StringValue(c.Text)), about, c.Old, answersBefore(c.Before), c.Live, answersSince(c.Since))
}

func answersBefore(n *int64) string {
	if n != nil && *n > 0 {
		return fmt.Sprintf("at most %d", *n)
	}
	return answersSince(n)
}

func answersSince(n *int64) string {
	switch {
	case n == nil:
		return "an unknown number"
	case *n == 0:
		return "none"
	}
	return fmt.Sprint(*n)
}

// GiveBackCommand is the command that gives questions their old ids back, and with them the
// answers from before.
func GiveBackCommand(name string, cut ...CutQuestion) string {
	words := []string{"posthog-sync repair", escape.Shell(name)}
	for _, c := range cut {
		words = append(words, "--question", escape.Shell(c.Live+"="+c.Old))
	}
	return strings.Join(words, " ")
}
