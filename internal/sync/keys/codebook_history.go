package keys

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// Edit is what one request changed of a survey, as far as it matters to answers.
type Edit struct {
	// At is when, in RFC 3339.
	At string
	// What are the changes, as Markdown.
	What []string
}

// HistoryOf are the edits of a survey in its activity feed, newest first. Those that do not
// concern answers, such as colors, are left out.
func HistoryOf(requests [][]activity.Entry) []Edit {
	edits := []Edit{}
	for _, entries := range requests {
		edit := Edit{}
		for _, entry := range entries {
			edit.At = utc(entry.At.ValueString())
			edit.What = append(edit.What, changesOf(entry)...)
		}
		if len(edit.What) > 0 {
			edits = append(edits, edit)
		}
	}
	return edits
}

// utc is a time in UTC to the second; a text that is none stays.
func utc(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.UTC().Format(time.RFC3339)
}

// changesOf are the changes of an entry in words.
func changesOf(entry activity.Entry) []string {
	before, after := entry.Before.ValueString(), entry.After.ValueString()
	switch entry.Field.ValueString() {
	case "questions":
		return questionChanges(before, after)
	case "name":
		return []string{"renamed from " + quotedJSON(before) + " to " + quotedJSON(after)}
	case "start_date":
		return []string{lifeWords("launched", "made a draft again", after)}
	case "end_date":
		return []string{lifeWords("stopped", "resumed", after)}
	case "archived":
		return []string{map[bool]string{true: "archived", false: "unarchived"}[after == "true"]}
	case "":
		return []string{escape.Markdown(entry.Activity.ValueString())}
	}
	return nil
}

// lifeWords are those for a date that was set, or taken away.
func lifeWords(set, cleared, after string) string {
	if after == "" {
		return cleared
	}
	return set
}

// quotedJSON is a JSON text as Markdown in quotes.
func quotedJSON(raw string) string {
	var text string
	if json.Unmarshal([]byte(raw), &text) != nil {
		text = raw
	}
	return "“" + escape.Markdown(text) + "”"
}

// loggedQuestion is a question as the feed has it.
type loggedQuestion struct {
	ID            string   `json:"id"`
	Type          string   `json:"type"`
	Text          string   `json:"question"`
	Scale         any      `json:"scale"`
	Choices       []string `json:"choices"`
	HasOpenChoice bool     `json:"hasOpenChoice"`
	Optional      bool     `json:"optional"`
}

// questionChanges are the changes between two lists of questions, by their ids: another id is
// another question, whose answers are apart.
func questionChanges(before, after string) []string {
	var former, later []loggedQuestion
	if before != "" && json.Unmarshal([]byte(before), &former) != nil || after != "" && json.Unmarshal([]byte(after), &later) != nil {
		return []string{"questions changed"}
	}
	of := func(list []loggedQuestion, id string) int {
		return slices.IndexFunc(list, func(q loggedQuestion) bool { return q.ID == id })
	}

	var changes []string
	for _, q := range former {
		if of(later, q.ID) < 0 {
			changes = append(changes, "question "+named(q)+" removed: its answers stay under "+escape.MarkdownCell(q.ID))
		}
	}
	for _, q := range later {
		i := of(former, q.ID)
		if i < 0 {
			changes = append(changes, "question "+named(q)+" added with the id "+escape.MarkdownCell(q.ID))
			continue
		}
		changes = append(changes, questionEdits(former[i], q)...)
	}
	if areMoved(former, later) {
		changes = append(changes, "questions moved")
	}
	return changes
}

// named is a question by its text.
func named(q loggedQuestion) string { return "“" + escape.Markdown(q.Text) + "”" }

// questionEdits are the changes of one question.
func questionEdits(before, after loggedQuestion) []string {
	var changes []string
	if before.Text != after.Text {
		changes = append(changes, "question "+named(before)+" reworded: "+named(after))
	}
	if before.Type != after.Type {
		changes = append(changes, fmt.Sprintf("question %s: type %s, was %s", named(after), escape.Markdown(after.Type), escape.Markdown(before.Type)))
	}
	if fmt.Sprint(before.Scale) != fmt.Sprint(after.Scale) {
		changes = append(changes, fmt.Sprintf("question %s: scale %s, was %s", named(after), escape.Markdown(fmt.Sprint(after.Scale)), escape.Markdown(fmt.Sprint(before.Scale))))
	}

	for _, choice := range before.Choices {
		if !slices.Contains(after.Choices, choice) {
			changes = append(changes, "question "+named(after)+": choice “"+escape.Markdown(choice)+"” removed")
		}
	}
	for _, choice := range after.Choices {
		if !slices.Contains(before.Choices, choice) {
			changes = append(changes, "question "+named(after)+": choice “"+escape.Markdown(choice)+"” added")
		}
	}

	if before.HasOpenChoice != after.HasOpenChoice {
		changes = append(changes, "question "+named(after)+": open choice "+onOff(after.HasOpenChoice))
	}
	if before.Optional != after.Optional {
		changes = append(changes, "question "+named(after)+": may be skipped "+onOff(after.Optional))
	}

	return changes
}

func onOff(is bool) string { return map[bool]string{true: "on", false: "off"}[is] }

// areMoved reports whether the questions that both lists have are in another order.
func areMoved(former, later []loggedQuestion) bool {
	order := func(list, other []loggedQuestion) (ids []string) {
		for _, q := range list {
			if slices.ContainsFunc(other, func(o loggedQuestion) bool { return o.ID == q.ID }) {
				ids = append(ids, q.ID)
			}
		}
		return ids
	}
	return !slices.Equal(order(former, later), order(later, former))
}

// historyTable writes the edits of a survey.
func historyTable(b *strings.Builder, survey Survey) {
	if len(survey.History) == 0 {
		b.WriteString("The activity feed has no edit.\n")
		return
	}
	b.WriteString("| When | What |\n|---|---|\n")
	for _, edit := range survey.History {
		fmt.Fprintf(b, "| %s | %s |\n", escape.Markdown(edit.At), strings.Join(edit.What, "; "))
	}
}
