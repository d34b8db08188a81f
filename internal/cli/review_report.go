package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/review"
)

// reviewReport is what a plan means to people.
type reviewReport struct {
	// Format is the version of this document.
	Format  int                   `json:"format"`
	Surveys []review.SurveyChange `json:"surveys"`
}

// Text implements report: the page is written for people anyway.
func (r reviewReport) Text(w io.Writer) error { return r.Markdown(w) }

// Markdown implements report.
func (r reviewReport) Markdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("## What this plan means to the people who answer\n")
	if len(r.Surveys) == 0 {
		b.WriteString("\nNo survey changes.\n")
	}

	for i, survey := range r.Surveys {
		var one strings.Builder
		writeSurveyChange(&one, survey)

		// What does not fit into a comment is counted.
		if b.Len()+one.Len() > markdownLimit-200 {
			fmt.Fprintf(&b, "\n%s more: too long for a comment.\n", count(len(r.Surveys)-i, "survey"))
			break
		}
		b.WriteString(one.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeSurveyChange writes the section of one survey.
func writeSurveyChange(b *strings.Builder, survey review.SurveyChange) {
	// The name of a new survey may be known only after apply.
	fmt.Fprintf(b, "\n### %s\n\n`%s`", markdownText(cmp.Or(survey.Name, survey.Address)), survey.Address)
	for _, event := range survey.Events {
		fmt.Fprintf(b, ", **%s**", event)
	}
	fmt.Fprintf(b, ", %s\n", responses(survey))

	switch {
	case survey.CutsAnswers && survey.QuestionsUnknown:
		b.WriteString("\n> [!WARNING]\n> The questions are known only after apply: answers may be cut off from them.\n")
	case survey.CutsAnswers:
		b.WriteString("\n> [!WARNING]\n> Answers are cut off from their questions.\n")
	case survey.QuestionsUnknown:
		b.WriteString("\nThe questions are known only after apply.\n")
	}

	if len(survey.Questions) > 0 {
		b.WriteString("\n| | question | answers |\n|---|---|---|\n")
	}
	for _, question := range survey.Questions {
		fmt.Fprintf(b, "| %s | %s | %s |\n", fate(question), questionText(question), answers(survey, question))
	}

	for i, one := range survey.Redirects {
		if i == 0 {
			b.WriteString("\nBranching names places in the list, and leads to other questions now:\n\n")
		}
		fmt.Fprintf(b, "- %s\n", redirect(one))
	}

	if survey.FlowBefore != nil {
		writeFlow(b, "Flow before", survey.FlowBefore)
	}
	if survey.FlowAfter != nil {
		writeFlow(b, "Flow after", survey.FlowAfter)
	}
}

func responses(survey review.SurveyChange) string {
	if survey.Responses == nil {
		return "number of responses unknown"
	}
	return count(int(*survey.Responses), "response")
}

// fate is what becomes of a question, with its places.
func fate(q review.QuestionChange) string {
	switch {
	case q.Fate == review.New:
		return fmt.Sprintf("new at %d", q.To)
	case q.Fate == review.Dropped:
		return fmt.Sprintf("dropped from %d", q.From)
	case q.From != q.To:
		return fmt.Sprintf("%s, %d to %d", q.Fate, q.From, q.To)
	}
	return fmt.Sprintf("%s at %d", q.Fate, q.To)
}

func questionText(q review.QuestionChange) string {
	if q.Before != "" && q.After != "" && q.Before != q.After {
		return "~~" + markdownText(q.Before) + "~~ " + markdownText(q.After)
	}
	return markdownText(q.Before + strings.TrimPrefix(q.After, q.Before))
}

// answers says what becomes of the answers to a question. The service counts responses
// by survey, so the number is that of the survey.
func answers(survey review.SurveyChange, q review.QuestionChange) string {
	number := "unknown"
	if survey.Responses != nil {
		number = fmt.Sprint(*survey.Responses)
	}

	switch q.Fate {
	case review.New:
		return "none yet"
	case review.Dropped:
		return number + " cut off"
	default:
		return number + " stay attached"
	}
}

// redirect says where answers lead now.
func redirect(one review.Redirect) string {
	var from []string
	for _, answer := range one.Answers {
		from = append(from, fmt.Sprintf("“%s”", markdownText(answer)))
	}
	if one.Skipped {
		from = append(from, "skipping it")
	}
	place := fmt.Sprintf("question %d", one.Question)
	if len(from) > 0 {
		place += ", " + strings.Join(from, ", ")
	}
	return fmt.Sprintf("%s: led to %s, leads to %s", place, nextText(one.Before), nextText(one.After))
}

// nextText is a question that comes next, or the end.
func nextText(text string) string {
	if text == "" {
		return "the end"
	}
	return "“" + markdownText(text) + "”"
}

func writeFlow(b *strings.Builder, title string, questions []review.Question) {
	fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n```mermaid\n%s```\n\n</details>\n", title, flow.Mermaid(review.Flow(questions)))
}
