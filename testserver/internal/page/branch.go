package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// Branch is where some answers to a question lead.
type Branch struct {
	// When are the answers; empty for all of them.
	When string
	// Place is the place of the next question, Text its text. IsEnd is set for the end of the
	// survey, NoEnd where the survey stops without one.
	Place int
	Text  string
	IsEnd bool
	NoEnd bool
}

// branchesOf are where the answers to a question lead, one for each target.
func branchesOf(questions []flow.Question, i int) []Branch {
	var branches []Branch
	for _, step := range flow.Steps(questions, i) {
		branch := Branch{When: answerText(questions[i], step.When), Place: step.To, IsEnd: step.To == flow.End && !step.NoEnd, NoEnd: step.NoEnd}
		if step.To != flow.End {
			branch.Text = worded(questions[step.To].Text)
		}
		same := slices.IndexFunc(branches, func(other Branch) bool { return other.Place == branch.Place && other.NoEnd == branch.NoEnd })
		if same < 0 {
			branches = append(branches, branch)
			continue
		}
		branches[same].When = strings.TrimPrefix(branches[same].When+", "+branch.When, ", ")
	}

	if len(branches) == 1 {
		branches[0].When = "" // all answers
	}
	return branches
}

// answerText is a response key in words: the text of a choice.
func answerText(q flow.Question, key string) string {
	choice, err := strconv.Atoi(key)
	if err != nil || q.Kind != flow.SingleChoice || choice < 0 || choice >= len(q.ChoiceTexts) {
		return key
	}
	return "“" + q.ChoiceTexts[choice] + "”"
}
