package keys

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// renderCodebook renders a codebook for people who analyze answers.
func renderCodebook(surveys []Survey, names []string) []byte {
	var b strings.Builder
	b.WriteString("<!-- Code " + notice + ". Do not edit: run it again. -->\n\n# Codebook\n\n" +
		"Answers are properties of the events `survey sent` whose `$survey_id` is that of the survey.\n")
	for _, survey := range surveys {
		fmt.Fprintf(&b, "\n## %s\n\n", heading(survey.Title, survey.Name))
		table(&b, surveyRows(survey))
		for _, question := range survey.Questions {
			fmt.Fprintf(&b, "\n### %d. %s\n\n", question.Position, heading(question.Text, question.Name))
			table(&b, questionRows(survey, question))
		}
		if survey.History != nil {
			b.WriteString("\n### History\n\n")
			historyTable(&b, survey)
		}
	}
	b.WriteString("\n<!--\n" + strings.TrimPrefix(renderNameLines("", names), "\n") + "-->\n")
	return []byte(b.String())
}

// heading formats a text as a heading. If the text would be invisible, it uses otherwise.
func heading(text, otherwise string) string { return cmp.Or(escape.Markdown(text), otherwise) }

// table writes a table of names and values. Both must be Markdown.
func table(b *strings.Builder, rows [][2]string) {
	b.WriteString("| | |\n|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(b, "| %s | %s |\n", row[0], row[1])
	}
}

// surveyRows returns the rows that describe a survey.
func surveyRows(survey Survey) [][2]string {
	rows := [][2]string{{"Name in code", escape.MarkdownCell(survey.Name)}, {"Id", escape.MarkdownCell(survey.ID)}}
	if survey.PublicURL != "" {
		rows = append(rows, [2]string{"Public page", escape.MarkdownCell(survey.PublicURL)})
	}
	responded := escape.MarkdownCell(survey.RespondedKey())
	if survey.IsRecurring {
		responded += " followed by `/` and the iteration"
	}
	return append(rows, [2]string{"Property of a person who answered", responded})
}

// questionRows returns the rows that describe a question.
func questionRows(survey Survey, question Question) [][2]string {
	rows := [][2]string{
		{"Name in code", escape.MarkdownCell(question.Name)},
		{"Property", escape.MarkdownCell(question.Key())},
		{"Id", escape.MarkdownCell(question.ID)},
		{"Type", typeWords(question)},
	}

	add := func(name, text string) {
		if strings.TrimSpace(text) != "" {
			rows = append(rows, [2]string{name, escape.Markdown(text)})
		}
	}

	add("Description", question.Description)
	add("Link", question.Link)
	rows = append(rows, scaleRows(question)...)

	for i, choice := range question.Choices {
		rows = append(rows, [2]string{"Choice " + strconv.Itoa(i+1), escape.Markdown(choice)})
	}
	if question.OpenChoice != nil {
		rows = append(rows, [2]string{"Open choice", escape.Markdown(*question.OpenChoice) + " (the answer is the respondent's text)"})
	}

	for _, translation := range question.Translated {
		for i, choice := range translation.Choices {
			add("Choice "+strconv.Itoa(i+1)+", "+escape.Markdown(translation.Language), choice)
		}
	}

	for _, step := range question.Next {
		rows = append(rows, [2]string{nextWords(question, step), destination(survey, step)})
	}
	return rows
}

// typeWords returns a question's type in plain words.
func typeWords(question Question) string {
	words := map[flow.Kind]string{
		flow.Open: "text", flow.Link: "link; the answer is `link clicked`", flow.Rating: "rating",
		flow.SingleChoice: "one choice; the answer is its text", flow.MultipleChoice: "several choices; the answer is a list of their texts",
	}[question.Kind]
	if words == "" {
		words = escape.MarkdownCell(string(question.Kind))
	}
	if n := len(question.Scale); n > 0 {
		words += fmt.Sprintf(", from %d to %d", question.Scale[0], question.Scale[n-1])
	}
	if question.Optional {
		words += "; may be skipped"
	}
	return words
}

// scaleRows describes both ends of a scale.
func scaleRows(question Question) [][2]string {
	var rows [][2]string
	n := len(question.Scale)
	if n == 0 {
		return nil
	}
	for _, end := range []struct {
		answer int
		label  string
	}{{question.Scale[0], question.LowerLabel}, {question.Scale[n-1], question.UpperLabel}} {
		if strings.TrimSpace(end.label) != "" {
			rows = append(rows, [2]string{"Answer " + strconv.Itoa(end.answer), escape.Markdown(end.label)})
		}
	}
	return rows
}

// buckets maps scales to groups of answers. The branching of rating questions uses these groups.
var buckets = map[int]map[string]string{
	2:  {"positive": "1, thumbs up", "negative": "2, thumbs down"},
	3:  {"negative": "1", "neutral": "2", "positive": "3"},
	5:  {"negative": "1 and 2", "neutral": "3", "positive": "4 and 5"},
	7:  {"negative": "1 to 3", "neutral": "4", "positive": "5 to 7"},
	10: {"detractors": "0 to 6", "passives": "7 and 8", "promoters": "9 and 10"},
}

// nextWords describes the answers to which a step applies.
func nextWords(question Question, step Step) string {
	if len(step.When) == 0 {
		return "Next"
	}
	scale := 0
	if n := len(question.Scale); n > 0 {
		scale = question.Scale[n-1]
	}
	words := make([]string, len(step.When))
	for i, when := range step.When {
		words[i] = escape.Markdown(when)
		if answers := buckets[scale][when]; answers != "" {
			words[i] += " (" + answers + ")"
		}
		if when == flow.Skipped {
			words[i] = "when skipped"
		}
	}
	return "Next after " + strings.Join(words, "; ")
}

// destination describes where a step leads.
func destination(survey Survey, step Step) string {
	switch {
	case step.NoEnd:
		return "no end: apps show nothing more, and do not send the survey"
	case step.To == 0:
		return "the end"
	}
	for _, question := range survey.Questions {
		if question.Position == step.To {
			return fmt.Sprintf("%d. %s", step.To, heading(question.Text, question.Name))
		}
	}
	return "question " + strconv.Itoa(step.To)
}

// Edit is a request's change to a survey.
type Edit struct {
	// At is the time of the edit in RFC 3339, or empty if it is unknown.
	At string
	// What describes the changes.
	What []string
}

// historyTable writes a table of a survey's edits.
func historyTable(b *strings.Builder, survey Survey) {
	if len(survey.History) == 0 {
		b.WriteString("The activity feed has no edit.\n")
		return
	}
	b.WriteString("| When | What |\n|---|---|\n")
	for _, edit := range survey.History {
		fmt.Fprintf(b, "| %s | %s |\n", escape.Markdown(edit.At), escape.Markdown(strings.Join(edit.What, "; ")))
	}
}
