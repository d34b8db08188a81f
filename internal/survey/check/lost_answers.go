package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// checkAnswers warns of what the plan does to the answers of a survey that has run.
func checkAnswers(p survey.QuestionPairs, name types.String, prior survey.Fields, options Options, findings *Findings, diags *diag.Diagnostics) {
	var found Findings
	var warnings diag.Diagnostics
	subject := "a completed survey"
	isDraft := prior.StartDate.IsNull()
	switch {
	case isDraft:
		subject = "a draft that may have responses"
	case prior.Status.ValueString() == survey.StatusRunning:
		subject = "a running survey"
	}
	checkLostAnswers(p, name, subject, &found, &warnings)
	checkPossible(p, &found)
	checkExchangedIDs(p, &found)

	if isDraft && len(found)+len(warnings) > 0 {
		if options.Responses == nil {
			return
		}
		number := options.Responses()
		if number.IsNone() {
			return
		}
		if !number.MayBeSome(isDraft) { // unknown
			for i := range found {
				found[i].severity = diag.SeverityWarning
			}
		}
	}
	*findings = append(*findings, found...)
	diags.Append(warnings...)
}

// checkLostAnswers warns if the plan removes or retypes questions. subject describes the survey.
func checkLostAnswers(p survey.QuestionPairs, name types.String, subject string, findings *Findings, diags *diag.Diagnostics) {
	for j, question := range p.Before {
		i, text := p.PlannedIndex(j), survey.Excerpt(question.Question)
		retyped := i
		if i < 0 {
			retyped = slices.IndexFunc(p.After, func(q survey.Question) bool {
				return q.Question.Equal(question.Question) && attribute.IsKnown(q.Question)
			})
		}

		switch {
		case i >= 0 && takesID(p, i, j):
			findings.add(diag.SeverityWarning, atQuestion(i), otherID.withTitle("This plan changes the ID of a question in "+subject), otherIDText(question, p.After[i]))
		case i >= 0 && (p.After[i].Type.IsUnknown() || p.After[i].Type.Equal(question.Type)):
		case i < 0 && isExchangedFor(p, j): // checkExchangedIDs reports it
		case retyped >= 0 && i < 0 && isReturned(p, retyped): // checkPossible reports it
		case retyped >= 0 && i < 0 && p.PriorIndex(retyped) < 0 && p.After[retyped].Type.Equal(question.Type):
			question.ID = types.StringValue(p.CarriedIDs[j])
			if survey.IsOmittedID(question.ID) { // it never had one
				break
			}
			findings.add(diag.SeverityWarning, atQuestion(retyped), otherID.withTitle("This plan changes the ID of a question in "+subject), otherIDText(question, p.After[retyped]))
		case retyped >= 0 && (i >= 0 || p.PriorIndex(retyped) < 0):
			lost := "It becomes a new question with its own ID, and its earlier answers are detached."
			if i >= 0 {
				lost = "It keeps its ID, so PostHog will store answers of both types under that ID."
			}
			findings.warnf(atQuestion(retyped).attribute("type"), otherType.withTitle("This plan changes the type of a question in "+subject),
				"changes from %s to %s: %s. %s", question.Type.ValueString(), p.After[retyped].Type.ValueString(), text, lost)
		default:
			remedy := ""
			if id := p.AnswerID(j); id != "" {
				remedy = fmt.Sprintf("\nIf %s, set its ID to keep the answers:\n  id = %q", likeNew(p, question), id)
			}
			diags.AddWarning(survey.WarningTitle("This plan removes a question from "+subject, name, text),
				fmt.Sprintf("The plan removes questions[%d] (%s) and detaches its answers.%s", j, text, remedy))
		}
	}
}

// isExchangedFor reports whether a configured question is the same as a question in PostHog, but has the ID of another
// one.
func isExchangedFor(p survey.QuestionPairs, j int) bool {
	for i := range p.After {
		if own, isExchanged := ownQuestion(p, i); isExchanged && own == j {
			return true
		}
	}
	return false
}

// takesID reports whether the plan replaces a question's ID in PostHog with a configured ID, and the list of detached
// answers does not contain the question.
func takesID(p survey.QuestionPairs, i, j int) bool {
	before, after := p.Before[j].ID, p.After[i].ID
	isListed := slices.ContainsFunc(p.Detached, func(d identity.Detached) bool { return d.Position == j && d.OldID == after.ValueString() })
	return isStatedID(after) && !survey.IsOmittedID(before) && !after.Equal(before) && !isListed
}

func isStatedID(id types.String) bool { return !id.IsUnknown() && id.ValueString() != "" }

func otherIDText(before, after survey.Question) string {
	return fmt.Sprintf("is %s. Its ID is %q in PostHog and %q in the configuration. The apply detaches the answers under the ID in PostHog, and reattaches any answers under the ID in the configuration.\n"+
		"To keep the ID in PostHog, set it:\n  id = %q",
		survey.Excerpt(after.Question), before.ID.ValueString(), after.ID.ValueString(), before.ID.ValueString())
}

// isReturned reports whether the plan gives a configured question without an ID the ID of a question that was deleted
// in PostHog.
func isReturned(p survey.QuestionPairs, i int) bool {
	isFound := i < len(p.Pairs) && p.Pairs[i].ID != "" && p.Pairs[i].Index < 0
	return isFound && survey.IsOmittedID(p.After[i].ID)
}

// likeNew returns the condition under which a removed question continues: a new question with similar text.
func likeNew(p survey.QuestionPairs, removed survey.Question) string {
	for i, q := range p.After {
		isNew := i < len(p.Pairs) && p.Pairs[i].Rule == identity.New
		if isNew && identity.IsSimilar(removed.Question.ValueString(), q.Question.ValueString()) {
			return fmt.Sprintf("questions[%d] %s is the same question", i, survey.Excerpt(q.Question))
		}
	}
	return "a new question is the same question"
}

// checkRepetitions rejects a plan that overwrites one question's text with another question's text. This happens if one
// question's text is in ignore_changes and someone reorders the questions in PostHog, because Terraform takes the
// ignored text from the same position. For a survey that is not running, the finding is only a warning.
func checkRepetitions(p survey.QuestionPairs, isRunning bool, findings *Findings) {
	severity := diag.SeverityWarning
	if isRunning {
		severity = diag.SeverityError
	}
	for i, q := range p.After {
		before := countSame(p.Before, q)
		isRepeated := attribute.IsKnown(q.Question) && before > 0 && countSame(p.After, q) > before && !hasAlwaysAsked(p, q)
		isFromState := i < len(p.Before) && p.Before[i].Question.Equal(q.Question)
		gone := overwrittenQuestion(p, q)
		if !isRepeated || !isFromState || !p.IsReordered || !survey.IsOmittedID(q.ID) || gone < 0 {
			continue
		}
		findings.add(severity, atQuestion(i), repeatedQuestion,
			fmt.Sprintf("asks %s, like another question, and no question asks %s anymore. Its answers would be detached, or appear under another question. "+
				"This happens if ignore_changes contains a single question and someone reorders the questions in PostHog, because Terraform keeps the text at its position. "+
				"Use ignore_changes = [questions] instead. If the change is intended, set a new id for this question.",
				survey.Excerpt(q.Question), survey.Excerpt(p.Before[gone].Question)))
	}
}

// hasAlwaysAsked reports whether each question with this text continues a question that already had the text. In this
// case, the plan only reverts an edit in PostHog.
func hasAlwaysAsked(p survey.QuestionPairs, q survey.Question) bool {
	for i, other := range p.After {
		hasText := p.Pairs[i].Rule == identity.Identical || p.Pairs[i].Rule == identity.SameText
		if asksTheSame(other, q) && survey.IsOmittedID(other.ID) && !hasText {
			return false
		}
	}
	return true
}

// overwrittenQuestion returns the index in Before of the question whose text q overwrites, or -1. That question has
// the same content as q, and the plan no longer contains its text.
func overwrittenQuestion(p survey.QuestionPairs, q survey.Question) int {
	content := q.Identity().Content
	return slices.IndexFunc(p.Before, func(earlier survey.Question) bool {
		isOriginal := earlier.Type.Equal(q.Type) && !earlier.Question.Equal(q.Question) && earlier.Identity().Content == content
		return isOriginal && countSame(p.After, earlier) == 0
	})
}

func asksTheSame(q, r survey.Question) bool {
	return q.Type.Equal(r.Type) && q.Question.Equal(r.Question)
}

// countSame returns how many questions in a list have q's type and text.
func countSame(list []survey.Question, q survey.Question) int {
	n := 0
	for _, candidate := range list {
		if asksTheSame(candidate, q) {
			n++
		}
	}
	return n
}

// checkPossible warns about each question that only possibly continues the question whose ID it keeps. If there are
// several candidates, it adds an error.
func checkPossible(p survey.QuestionPairs, findings *Findings) {
	for i, pair := range p.Pairs {
		text := p.After[i].Question
		switch {
		case len(pair.Candidates) > 0:
			findings.errorf(atQuestion(i), ambiguousQuestion,
				"is %s. It could be any of these questions, and would keep the answers of that question:\n%s\nTo choose one, or to make it a new question, set its ID in the configuration:\n  id = %q",
				survey.Excerpt(text), candidateLines(p, p.After[i], pair.Candidates), pair.Candidates[0].ID)
		case pair.IsCertain || pair.Rule == identity.New || pair.ID == "" || !attribute.IsKnown(text):
		case pair.Index < 0:
			findings.warnf(atQuestion(i), deletedQuestionReturns,
				"is %s. PostHog no longer contains the question %s with the ID %q. The apply creates it again with that ID, which reattaches its answers.\n"+
					"If it is a different question, set a new ID for it, such as a new UUID.",
				survey.Excerpt(text), identity.Excerpt(pair.Was.Text), pair.ID)
		default:
			findings.warnf(atQuestion(i), possiblyAnotherQuestion,
				"%s\n"+
					"If it is a different question, set a new ID for it, such as a new UUID. This detaches the earlier answers. If it is the same question, confirm that in the configuration:\n  id = %q",
				whatIsPossible(pair, p.Before[pair.Index], p.After[i]), pair.ID)
		}
	}
}

// whatIsPossible describes how a question differs from the question that it possibly continues: in the text, or
// otherwise in the content.
func whatIsPossible(pair identity.Pair, old, current survey.Question) string {
	if pair.Was.Text != current.Question.ValueString() {
		return fmt.Sprintf("changes from %s to %s and keeps its ID %q. Earlier answers will appear under the new text.",
			identity.Excerpt(pair.Was.Text), survey.Excerpt(current.Question), pair.ID)
	}

	return fmt.Sprintf("is %s and keeps its ID %q. Earlier answers will appear under the new content:\n%s",
		survey.Excerpt(current.Question), pair.ID, strings.Join(changedContent(old, current), "\n"))
}

// changedContent lists the changes to a question's content, one per line, as far as the plan knows them.
func changedContent(old, current survey.Question) (lines []string) {
	next := current
	survey.PlanQuestion(&next, current, old, true)
	prior, planned := attribute.FromStruct(&old), attribute.FromStruct(&next)
	for _, name := range slices.Sorted(maps.Keys(planned)) {
		if identity.IsContent(name) && !planned[name].IsUnknown() && !planned[name].Equal(prior[name]) {
			lines = append(lines, fmt.Sprintf("  %s: %s -> %s", name, valueLine(prior[name]), valueLine(planned[name])))
		}
	}
	return lines
}

// checkExchangedIDs warns about a question whose configured ID belongs to another question in PostHog, although PostHog
// has the same question under its own ID. The ID was probably copied to the wrong question.
func checkExchangedIDs(p survey.QuestionPairs, findings *Findings) {
	for i, q := range p.After {
		own, isExchanged := ownQuestion(p, i)
		if !isExchanged {
			continue
		}
		id, remedy := p.AnswerID(own), ""
		if k := slices.IndexFunc(p.After, func(other survey.Question) bool { return other.ID.ValueString() == id }); k >= 0 {
			remedy = fmt.Sprintf("\nquestions[%d] has this ID in the configuration, and needs another one.", k)
		}
		findings.warnf(atQuestion(i).attribute("id"), otherAnswers,
			"is the ID of another question, whose earlier answers will appear under this one:\n%s\nPostHog has the same question as this one under another ID. To keep its answers, set that ID:\n  id = %q%s",
			differences(p.Before[p.PriorIndex(i)], q), id, remedy)
	}
}

// ownQuestion returns the index in Before of the question that is the same as a configured question with the ID of
// another one. It returns false if the configured question has no such ID, or if its own question remains.
func ownQuestion(p survey.QuestionPairs, i int) (index int, isExchanged bool) {
	q, j := p.After[i], p.PriorIndex(i)
	if j < 0 || !isStatedID(q.ID) || !q.ID.Equal(p.Before[j].ID) || !isEdited(p.Before[j], q) || !attribute.IsKnown(q.Question) || !attribute.IsKnown(q.Type) {
		return -1, false
	}
	for k, same := range p.Before {
		if !survey.IsOmittedID(same.ID) && !isEdited(same, q) && !staysEqual(p, k) && !restoresID(p, k, q.ID.ValueString()) {
			return k, true
		}
	}
	return -1, false
}

// restoresID reports whether an ID belongs to a question in PostHog that has another ID.
func restoresID(p survey.QuestionPairs, j int, id string) bool {
	return slices.ContainsFunc(p.Detached, func(d identity.Detached) bool { return d.Position == j && d.OldID == id })
}

// staysEqual reports whether a question in PostHog remains the same after the plan is applied.
func staysEqual(p survey.QuestionPairs, j int) bool {
	i := p.PlannedIndex(j)
	return i >= 0 && !isEdited(p.Before[j], p.After[i])
}

// differences lists the changes to a question's text, type, and content, one per line.
func differences(old, current survey.Question) string {
	text := "  " + survey.Excerpt(current.Question)
	if !old.Question.Equal(current.Question) {
		text = fmt.Sprintf("  %s -> %s", survey.Excerpt(old.Question), survey.Excerpt(current.Question))
	}
	lines := []string{text}
	if !old.Type.Equal(current.Type) {
		lines = append(lines, fmt.Sprintf("  type: %s -> %s", old.Type.ValueString(), current.Type.ValueString()))
	}
	return strings.Join(append(lines, changedContent(old, current)...), "\n")
}

func valueLine(value attr.Value) string {
	if value.IsNull() {
		return "none"
	}
	return value.String()
}

// candidateLines lists the questions that a configured question may continue, and how it changes the content of each.
func candidateLines(p survey.QuestionPairs, q survey.Question, candidates []identity.Question) string {
	var lines []string
	for _, c := range candidates {
		lines = append(lines, fmt.Sprintf("  %s (id = %q)", identity.Excerpt(c.Text), c.ID))
		j := slices.IndexFunc(p.Before, func(before survey.Question) bool { return before.ID.ValueString() == c.ID })
		if j < 0 {
			continue
		}
		for _, change := range changedContent(p.Before[j], q) {
			lines = append(lines, "  "+change)
		}
	}
	return strings.Join(lines, "\n")
}
