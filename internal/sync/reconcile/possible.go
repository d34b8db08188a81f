package reconcile

import (
	"context"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// addPossible adds the questions of a survey with responses that are only possibly the ones whose IDs
// they keep. A file that states the ID of a question decides.
func (p *planner) addPossible(ctx context.Context, action *Action, desired, before, after source.Object) {
	live, planned := responseOf(before), responseOf(desired)
	if action.Kind != source.Survey || live == nil || !isStarted(before) {
		return
	}

	held, _ := before.Attributes["questions"].([]any)
	wanted, _ := after.Attributes["questions"].([]any)
	stated, _ := planned.Questions.Get() // none for null
	questions := questionsIn(wanted)
	for i, raw := range stated {
		if i < len(questions) {
			one, _ := identity.ParseQuestions([]byte("[" + string(raw) + "]"))
			questions[i].ID = one[0].ID
		}
	}
	for i, pair := range identity.Compare(questionsIn(held), questions) {
		if pair.Index < 0 || pair.IsCertain || pair.ID == "" {
			continue
		}
		textBefore, textAfter := shownTexts(held[pair.Index], wanted[i])
		action.Possible = append(action.Possible, PossibleQuestion{
			Path: fmt.Sprintf("questions[%d]", i), ID: pair.ID, Before: textBefore, After: textAfter, Content: contentOf(action.Changes, i),
		})
	}
	if len(action.Possible) > 0 && p.Responses(ctx, action.ID).IsNone() {
		action.Possible = nil
	}
}

// isStarted reports whether a survey runs or has run.
func isStarted(survey source.Object) bool { return survey.Attributes["start_date"] != nil }

// contentOf are the changes of the content of a question.
func contentOf(changes []ValueChange, question int) []ValueChange {
	content := []ValueChange{}
	for _, change := range changes {
		rest, isPart := strings.CutPrefix(change.Path, fmt.Sprintf("questions[%d].", question))
		name, _, _ := strings.Cut(rest, ".")
		name, _, _ = strings.Cut(name, "[")
		if isPart && identity.IsContent(name) {
			content = append(content, change)
		}
	}
	return content
}
