package review

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/excerpt"
)

// Page renders the pull request comment about the surveys that a plan changes. The comment has at most limit
// characters.
func Page(surveys []SurveyChange, limit int) string {
	var b bytes.Buffer
	b.WriteString("## What this plan means to the people who answer\n")
	if len(surveys) == 0 {
		b.WriteString("\nNo survey changes.\n")
	}
	for i, survey := range surveys {
		length := b.Len()
		writeSurveyChange(&b, survey)
		if b.Len() > limit {
			b.Truncate(length)
			fmt.Fprintf(&b, "\n%s more: too long for a comment.\n", responses.Count(len(surveys)-i, "survey"))
			break
		}
	}
	// CI logs also show the page, so it must not contain control sequences.
	return escape.TerminalLines(b.String())
}

// writeSurveyChange writes the section about one survey.
func writeSurveyChange(b *bytes.Buffer, survey SurveyChange) {
	// The name of a new survey may be known only after apply.
	var words []string
	if survey.Address != "" {
		words = append(words, escape.MarkdownCode(survey.Address))
	}
	for _, event := range survey.Events {
		words = append(words, "**"+escape.Markdown(string(event))+"**")
	}
	words = append(words, survey.Number().String())
	fmt.Fprintf(b, "\n### %s\n\n%s\n", escape.Markdown(cmp.Or(survey.Name, survey.Address)), strings.Join(words, ", "))

	switch {
	case survey.IsUnbounded:
		fmt.Fprintf(b, "\n> [!WARNING]\n> Asks %s.\n", escape.Markdown(survey.LaunchedTo))
	case survey.LaunchedTo != "":
		fmt.Fprintf(b, "\nAsks %s.\n", escape.Markdown(survey.LaunchedTo))
	case survey.OnceLaunched != "":
		fmt.Fprintf(b, "\nOnce launched, it asks %s.\n", escape.Markdown(survey.OnceLaunched))
	}

	switch {
	case survey.DetachesAnswers && survey.QuestionsUnknown:
		b.WriteString("\n> [!WARNING]\n> The questions are known only after apply: answers may be detached.\n")
	case survey.DetachesAnswers:
		b.WriteString("\n> [!WARNING]\n> Answers are detached.\n")
	case survey.QuestionsUnknown:
		b.WriteString("\nThe questions are known only after apply.\n")
	}

	for i, row := range survey.Changes {
		if i == 0 {
			b.WriteString("\nWho is asked, when and how:\n\n")
		}
		fmt.Fprintf(b, "- %s\n", rowText(row))
	}

	if len(survey.Questions) > 0 {
		b.WriteString("\n| | question | answers |\n|---|---|---|\n")
	}
	for _, question := range survey.Questions {
		fmt.Fprintf(b, "| %s | %s | %s |\n", escape.Markdown(changeText(question)), questionText(question), escape.Markdown(answers(survey, question)))
	}

	for _, advice := range survey.Advice {
		fmt.Fprintf(b, "\n%s\n\n%s", escape.Markdown(advice.Text), escape.MarkdownBlock("shell", advice.Command))
	}

	for i, change := range survey.Redirects {
		if i == 0 {
			b.WriteString("\nBranching refers to positions in the list, and leads to other questions now:\n\n")
		}
		fmt.Fprintf(b, "- %s\n", redirect(change))
	}

	if survey.FlowBefore != nil {
		writeFlow(b, "Flow before", survey.FlowBefore)
	}
	if survey.FlowAfter != nil {
		writeFlow(b, "Flow after", survey.FlowAfter)
	}
}

// changeText describes what happens to a question, with its old and new positions.
func changeText(q QuestionChange) string {
	switch {
	case q.Kind == New:
		return fmt.Sprintf("new at %d", q.To)
	case q.Kind == Dropped:
		return fmt.Sprintf("dropped from %d", q.From)
	case q.From != q.To:
		return fmt.Sprintf("%s, %d to %d", q.Kind, q.From, q.To)
	}
	return fmt.Sprintf("%s at %d", q.Kind, q.To)
}

// questionText returns a question's text, followed by its other changes.
func questionText(q QuestionChange) string {
	lines := []string{questionTitle(q)}
	for _, row := range q.Changes {
		lines = append(lines, rowText(row))
	}
	return strings.Join(lines, "<br>")
}

// rowText describes a change: the old value, the new value, and the effect.
func rowText(row Row) string {
	text := escape.MarkdownCell(row.Path)
	before, after := excerpt.Pair(asWords(row.Before), asWords(row.After))
	switch {
	case row.Before == nil:
		text += " " + escape.Markdown(after)
	case row.After == nil:
		text += " " + struck(before)
	default:
		text += " " + escape.Markdown(before) + " -> " + escape.Markdown(after)
	}
	if row.Meaning != "" {
		text += ": " + escape.Markdown(row.Meaning)
	}
	return text
}

// asWords converts an object to its keys and values, and returns any other value unchanged.
func asWords(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}

	var parts []string
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if object[key] != nil {
			parts = append(parts, key+" "+excerpt.Of(asWords(object[key])))
		}
	}
	return excerpt.Words(strings.Join(parts, ", "))
}

// struck returns a text in strikethrough. Markdown would treat a tilde at the end of the text as part of
// the closing mark.
func struck(text string) string {
	text = escape.Markdown(text)
	if strings.HasSuffix(text, "~") {
		text = strings.TrimSuffix(text, `\~`) + "&#126;"
	}
	return "~~" + text + "~~"
}

func questionTitle(q QuestionChange) string {
	if q.Before != "" && q.After != "" && q.Before != q.After {
		return struck(q.Before) + " " + escape.Markdown(q.After)
	}
	return escape.Markdown(q.Before + strings.TrimPrefix(q.After, q.Before))
}

// answers describes what happens to a question's answers. PostHog counts responses per survey, so the text
// states that the number applies to the whole survey.
func answers(change SurveyChange, q QuestionChange) string {
	ofSurvey := fmt.Sprintf(" (survey: %s)", change.Number().String())
	if q.Detached != "" {
		return q.Detached
	}
	switch q.Kind {
	case New:
		if q.ID != "" {
			return "those under the ID " + escape.Markdown(q.ID) + ", if any"
		}
		return "none yet"
	case Reattached:
		lost := "an unknown number"
		if q.Lost != nil {
			lost = responses.Count(*q.Lost, "answer")
		}
		return "detached by a save without IDs, reattached" + ofSurvey + "; under the replaced ID: " + lost
	case Dropped:
		return "detached" + ofSurvey
	case Kept, Moved, Edited:
		if q.IsExchanged {
			return "belong to " + escape.Markdown(q.Before) + ofSurvey + ", although the survey has this question under another ID"
		}
		if q.IsPossible {
			return "stay attached by ID" + ofSurvey + ": check that it is still the same question"
		}
	}
	return "stay attached" + ofSurvey
}

// redirect describes where answers lead before and after the change.
func redirect(r Redirect) string {
	var answers []string
	for _, answer := range r.Answers {
		answers = append(answers, fmt.Sprintf("“%s”", escape.Markdown(answer)))
	}
	if r.Skipped {
		answers = append(answers, "skipping it")
	}

	question := fmt.Sprintf("question %d", r.Question)
	if len(answers) > 0 {
		question += ", " + strings.Join(answers, ", ")
	}
	return fmt.Sprintf("%s: led to %s, leads to %s", question, nextText(r.Before), nextText(r.After))
}

// nextText describes the next question, or the end of the survey.
func nextText(text string) string {
	if text == "" {
		return "the end"
	}
	return "“" + escape.Markdown(text) + "”"
}

func writeFlow(b *bytes.Buffer, title string, questions []Question) {
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n```mermaid\n%s```\n\n</details>\n", title, flow.Mermaid(Flow(questions)))
}
