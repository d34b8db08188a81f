package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/markup"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// warnOfMoves explains which questions move and how that changes branching, because Terraform shows every list element
// as changed. It adds one warning for the whole resource, because the CLI prints an attribute's whole source with a
// warning at the attribute.
func warnOfMoves(p survey.QuestionPairs, name types.String, diags *diag.Diagnostics) {
	moves := describeMoves(p)
	redirected := redirectedAnswers(p)
	if len(moves)+len(redirected) == 0 {
		return
	}

	title := "Questions change position"
	var details []string
	if len(redirected) > 0 {
		title = "Branching leads to different questions"
		details = append(details, redirectWords(p, redirected))
	}
	if len(moves) > 0 {
		details = append(details, "questions: Terraform compares lists by position, so this plan also shows changes to questions that only move. "+
			"Moved questions keep their IDs and their answers. The changes are:\n"+strings.Join(shortList(moves), "\n"))
	}
	diags.AddWarning(survey.WarningTitle(title, name), strings.Join(details, "\n\n"))
}

// redirectWords explains why answers lead to a different question than before, and how to fix this. Branching refers to
// questions by position, and response_values refers to choices by position.
func redirectWords(p survey.QuestionPairs, lines []string) string {
	cause, remedy := "Branching refers to questions by position, and a different question is now at that position:",
		"update the positions in branching, or use the provider function questions to refer to questions by name."
	if p.IsInPlace() {
		cause, remedy = "The keys of response_values are positions of choices, and a different choice is now at that position:",
			"update the positions in response_values."
	}
	return cause + "\n" + strings.Join(shortList(lines), "\n") + "\nIf you do not want this, " + remedy
}

// describeMoves describes moves, one per line. It returns nothing if no question moves.
func describeMoves(p survey.QuestionPairs) (lines []string) {
	hasMoved := false
	for i := range p.Pairs {
		priorIndex, name := p.PriorIndex(i), survey.Excerpt(p.After[i].Question)
		switch {
		case priorIndex < 0:
			lines = append(lines, fmt.Sprintf("questions[%d] is new: %s", i, name))
		case priorIndex != i:
			hasMoved = true
			edited := ""
			if isEdited(p.Before[priorIndex], p.After[i]) {
				edited = " and is edited"
			}
			lines = append(lines, fmt.Sprintf("questions[%d] was questions[%d]%s: %s", i, priorIndex, edited, name))
		}
	}
	if !hasMoved {
		return nil
	}

	for j, question := range p.Before {
		if p.PlannedIndex(j) < 0 {
			lines = append(lines, fmt.Sprintf("questions[%d] is removed: %s", j, survey.Excerpt(question.Question)))
		}
	}
	return lines
}

// isEdited reports whether the type, text, or content of a question changes, as far as the plan knows them.
func isEdited(before, after survey.Question) bool {
	if attribute.IsKnown(after.Question) && markup.Canonical(before.Question.ValueString()) != markup.Canonical(after.Question.ValueString()) {
		return true
	}
	return attribute.IsKnown(after.Type) && !before.Type.Equal(after.Type) || len(changedContent(before, after)) > 0
}

// shortList shortens a long list.
func shortList(lines []string) []string {
	const most = 20
	if len(lines) <= most {
		return lines
	}
	return append(slices.Clone(lines[:most]), fmt.Sprintf("and %d more", len(lines)-most))
}
