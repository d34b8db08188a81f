package check

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// checkLostAnswers warns of questions of a running survey that are removed or retyped.
func checkLostAnswers(p survey.QuestionPairs, name types.String, found *Findings, diags *diag.Diagnostics) {
	for j, question := range p.Before {
		i, text := p.PlannedIndex(j), survey.Excerpt(question.Question)
		retyped := i
		if i < 0 {
			retyped = slices.IndexFunc(p.After, func(q survey.Question) bool {
				return q.Question.Equal(question.Question) && attribute.IsKnown(q.Question)
			})
		}

		switch {
		case i >= 0 && (p.After[i].Type.IsUnknown() || p.After[i].Type.Equal(question.Type)):
		case retyped >= 0 && i < 0 && p.PriorIndex(retyped) < 0 && p.After[retyped].Type.Equal(question.Type):
			found.warnf(atQuestion(retyped), "A running survey's question gets another id",
				"is %s. The answers given to it so far have the id %q, and lose their question. To keep them, set its id to that.", text, question.ID.ValueString())
		case retyped >= 0 && (i >= 0 || p.PriorIndex(retyped) < 0):
			lost := "It becomes a new question with an id of its own, and the answers given so far stay behind without a question."
			if i >= 0 {
				lost = "It keeps its id, so answers of both kinds will be stored under it."
			}
			found.warnf(atQuestion(retyped).attribute("type"), "A running survey's question changes its type",
				"goes from %s to %s: %s. %s", question.Type.ValueString(), p.After[retyped].Type.ValueString(), text, lost)
		default:
			remedy := ""
			if !survey.IsOmittedID(question.ID) {
				remedy = fmt.Sprintf(" If it is only reworded beyond recognition, give the new one its id: %q.", question.ID.ValueString())
			}
			diags.AddWarning(survey.TitleOf("A running survey loses a question", name, text),
				fmt.Sprintf("The question that was questions[%d] is removed: %s. The answers given to it lose their question.%s", j, text, remedy))
		}
	}
}

// checkRepeated refuses to put the text of one question over another one: ignore_changes of one
// question's text does that once the questions change places on the service, since Terraform
// takes the ignored text from the same place. In a draft, which has no answers, it is a warning.
func checkRepeated(p survey.QuestionPairs, isRunning bool, found *Findings) {
	severity := diag.SeverityWarning
	if isRunning {
		severity = diag.SeverityError
	}
	for i, q := range p.After {
		isRepeated := attribute.IsKnown(q.Question) && places(p.Before, q) > 0 && places(p.After[:i], q) == places(p.Before, q)
		gone := goneFor(p, q)
		if !isRepeated || !survey.IsOmittedID(q.ID) || gone < 0 || i < len(p.Origins) && p.Origins[i].IsKnownText {
			continue
		}
		found.add(severity, atQuestion(i), "A question takes the place of another one",
			fmt.Sprintf("asks %s, as another question does, and nothing asks %s any more: its answers would lose their question, or appear under another one. "+
				"ignore_changes of a single question does that once somebody reorders the questions, since it holds on to what is at a place. "+
				"The safe form is ignore_changes = [questions]. If you mean it, set an id of its own for it.",
				survey.Excerpt(q.Question), survey.Excerpt(p.Before[gone].Question)))
	}
}

// goneFor is the index of a question that nothing asks any more, and that is not reworded to
// anything but what another one asks; -1 for none. One of the same text has another type: no text
// was put over it.
func goneFor(p survey.QuestionPairs, other survey.Question) int {
	for j, before := range p.Before {
		if i := p.PlannedIndex(j); places(p.After, before) == 0 && !before.Question.Equal(other.Question) && (i < 0 || asksTheSame(p.After[i], other)) {
			return j
		}
	}
	return -1
}

func asksTheSame(q, other survey.Question) bool {
	return q.Type.Equal(other.Type) && q.Question.Equal(other.Question)
}

// places is the number of questions of a list that ask the same as one.
func places(list []survey.Question, q survey.Question) int {
	n := 0
	for _, other := range list {
		if asksTheSame(other, q) {
			n++
		}
	}
	return n
}

// similarEnough is the similarity of two texts below which one is probably not an edit of the
// other.
const similarEnough = 0.3

// checkOtherQuestions warns of questions of a running survey that keep the id of one with an
// unrelated text.
func checkOtherQuestions(p survey.QuestionPairs, found *Findings) {
	for i, from := range p.Origins {
		if !from.ByPosition || from.Prior < 0 || !attribute.IsKnown(p.After[i].Question) {
			continue
		}
		before, after := p.Before[from.Prior].Question, p.After[i].Question
		if before.Equal(after) || survey.Similarity(before.ValueString(), after.ValueString()) >= similarEnough {
			continue
		}
		found.warnf(atQuestion(i), "A running survey's question gets an unrelated text",
			"goes from %s to %s and keeps its id %q: the answers given so far will appear under the new text. "+
				"If it is another question, set its id to a text that no other question of the survey has, such as a new UUID. The old answers then stay apart.",
			survey.Excerpt(before), survey.Excerpt(after), from.ID.ValueString())
	}
}
