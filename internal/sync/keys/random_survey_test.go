package keys

import (
	"encoding/json"
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
)

// codePieces contains texts that have a meaning in a format's language.
var codePieces = []string{
	"*/", "/*", "//", "///", "${x}", "$x", `\(x)`, `\u{41}`, `\u0041`, `\`, `"""`, "`", "'''", "#", "export X=1", "@deprecated", "{@link x}", "delete", "type", "Type", "self", "default", "class", "__proto__", "constructor", "String", "Choice",
	"id", "key", "a_1", "a1", "A 1", "answers", "Why?", "why", "2nd", "0", "完全に同意します", "نعم", "👩‍👩‍👧", "\U000e0041", "\U0001f1e9\U0001f1ea",
}

// plainTexts contains typical texts.
var plainTexts = []string{
	"How likely are you to recommend us?", "Why?", "why", "What is missing?", "Which of these features do you use at least once a week?", "Type", "delete",
	"Wie zufrieden sind Sie mit der Übersichtlichkeit?", "Too expensive", "Missing features", "It's slow", `It is "slow"`, "Other", "Yes", "No",
	"A choice with a text that is so long that no formatter leaves it beside anything else in a line", "完全に同意します", "とても満足しています、いつもありがとうございます", "Ja", "a1", "a 1", "1", "1.",
	"Null bis zehn: wie wahrscheinlich?", "True or false?", "falsely",
}

// text generates any text, or a typical one.
func text(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+" is plain") {
		return rapid.SampledFrom(plainTexts).Draw(t, label)
	}
	return property.Text(codePieces...).Draw(t, label)
}

// drawQuestion generates a question's attributes.
func drawQuestion(t *rapid.T, number int) map[string]any {
	id := fmt.Sprintf("0190d6a4-7e1c-7b52-a3f0-%012d", number)
	switch {
	case rapid.IntRange(0, 3).Draw(t, "short id") == 0:
		id = fmt.Sprintf("q%d", number)
	case rapid.IntRange(0, 3).Draw(t, "any id") == 0:
		id = fmt.Sprintf("%s%d", property.Text(codePieces...).Draw(t, "id"), number)
	}

	question := map[string]any{
		"id": id, "type": rapid.SampledFrom([]string{"open", "link", "rating", "single_choice", "multiple_choice", "new_kind"}).Draw(t, "type"),
		"question": text(t, "question"), "description": text(t, "description"), "optional": rapid.Bool().Draw(t, "optional"),
	}
	if rapid.Bool().Draw(t, "rated") {
		question["scale"] = json.Number(rapid.SampledFrom([]string{"2", "3", "5", "7", "10", "30", "0", "1e9"}).Draw(t, "scale"))
		question["lower_bound_label"] = text(t, "label")
	}

	var choices, translated []any
	for range rapid.IntRange(0, 5).Draw(t, "choices") {
		choices = append(choices, text(t, "choice"))
		translated = append(translated, text(t, "translated choice"))
	}
	if choices != nil {
		question["choices"], question["has_open_choice"] = choices, rapid.Bool().Draw(t, "open choice")
	}

	if rapid.IntRange(0, 3).Draw(t, "translated") == 0 {
		question["translations"] = map[string]any{text(t, "language"): map[string]any{"choices": translated}}
	}
	question["branching"] = map[string]any{
		"type":            rapid.SampledFrom([]string{"next_question", "end", "specific_question", "response_based"}).Draw(t, "branching"),
		"index":           json.Number("1"),
		"response_values": map[string]any{rapid.SampledFrom([]string{"0", "1", "promoters", "negative"}).Draw(t, "response"): "end"},
	}

	return question
}

// drawProject generates a project's surveys. Some surveys have the same name.
func drawProject(t *rapid.T) []source.Object {
	var objects []source.Object
	number := 0
	for i := range rapid.IntRange(0, 4).Draw(t, "surveys") {
		var questions []any
		for range rapid.IntRange(0, 5).Draw(t, "questions") {
			number++
			questions = append(questions, drawQuestion(t, number))
		}
		objects = append(objects, source.Object{
			Kind: source.Survey, ID: fmt.Sprintf("0190d6a4-0000-7000-8000-%012d", i+1), Name: text(t, "name"),
			Attributes: map[string]any{"iteration_count": json.Number(rapid.SampledFrom([]string{"0", "3"}).Draw(t, "iterations")), "questions": questions, "created_at": fmt.Sprintf("2026-01-0%dT00:00:00Z", rapid.IntRange(1, 3).Draw(t, "created"))},
		})
	}
	return objects
}

// read reads surveys and assigns their names.
func read(t require, objects []source.Object, names Names) []Survey {
	surveys, without, err := Read(slices.Clone(objects), nil)
	if err != nil || len(without) > 0 {
		t.Fatalf("%v %v", without, err)
	}
	return Assign(surveys, names)
}

// require is a test, or a run of a property test.
type require interface {
	Fatalf(format string, arguments ...any)
}

// render renders a file.
func render(t require, surveys []Survey, format Format) string {
	written, err := Render(surveys, format, "")
	if err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return string(written)
}
