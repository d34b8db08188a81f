package reconcile

import (
	"context"
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// addPossible adds the questions in a survey with responses that keep their IDs but may be different
// questions. It does not add a question whose ID a file sets.
func (p *planner) addPossible(ctx context.Context, action *Action, desired, before, after source.Object) {
	live, planned := surveyResponse(before), surveyResponse(desired)
	if action.Kind != source.Survey || live == nil {
		return
	}

	oldQuestions, _ := before.Attributes["questions"].([]any)
	newQuestions, _ := after.Attributes["questions"].([]any)
	raws, _ := planned.Questions.Get() // no questions if null
	questions, ids := decodeQuestions(newQuestions), decodeQuestions(newQuestions)
	for i, raw := range raws {
		if i < len(questions) {
			parsed, _ := identity.ParseQuestions([]byte("[" + string(raw) + "]"))
			questions[i].ID = parsed[0].ID
		}
	}
	for i, pair := range identity.Compare(before.Replaced.Undo(decodeQuestions(oldQuestions)), questions) {
		if pair.Index < 0 || pair.IsCertain || pair.ID == "" {
			continue
		}
		textBefore, textAfter := shownTexts(oldQuestions[pair.Index], newQuestions[i])
		action.Possible = append(action.Possible, PossibleQuestion{
			Path: fmt.Sprintf("questions[%d]", i), ID: ids[i].ID, Before: textBefore, After: textAfter, Content: contentChanges(action.Changes, i),
		})
	}
	if len(action.Possible) > 0 && p.Responses(ctx, action.ID).IsNone() {
		action.Possible = nil
	}
}

// movedIDs returns the questions that get the ID of another question, although the survey has the same question under an
// ID of its own.
func movedIDs(before, after source.Object) (moved []MovedID) {
	oldQuestions, _ := before.Attributes["questions"].([]any)
	newQuestions, _ := after.Attributes["questions"].([]any)
	live, questions := before.Replaced.Undo(decodeQuestions(oldQuestions)), decodeQuestions(newQuestions)
	for i, m := range identity.MovedIDs([][]identity.Question{live}, questions) {
		if m.Was.ID != "" {
			text, _ := shownTexts(newQuestions[i], newQuestions[i])
			moved = append(moved, MovedID{Path: fmt.Sprintf("questions[%d].id", i), Text: text, ID: questions[i].ID, OwnID: m.Was.ID})
		}
	}
	return moved
}

// contentChanges returns the changes to a question's content.
func contentChanges(changes []ValueChange, question int) []ValueChange {
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
