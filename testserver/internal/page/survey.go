package page

import (
	"encoding/json"
	"html/template"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// Survey is the selected survey.
type Survey struct {
	ID, Name, Type, Status string
	Description            string
	Facts                  []Fact
	Questions              []Question
	People                 People
	// Flow is the flowchart of the branching, as SVG.
	Flow template.HTML
	JSON string
}

// Question is a question of the selected survey.
type Question struct {
	Place          int
	Kind, Text, ID string
	Description    string
	Choices        []string
	Scale, Display string
	// Lower and Upper are the labels at the ends of the scale.
	Lower, Upper string
	// Button is the text of the button. Link is the URL that a link question opens.
	Button, Link string
	Optional     bool
}

// SetQuestions decodes a survey's stored questions and renders the flowchart. The documented API accepts questions of
// any form. The page omits parts with an unexpected form and shows them only in the JSON.
func (s *Survey) SetQuestions(stored wire.Value) {
	list := stored.Items()
	graph := make([]flow.Question, len(list))
	for i, raw := range list {
		q := readQuestion(raw)
		graph[i] = q.graph()
		s.Questions = append(s.Questions, q.view(i))
	}
	// InlineSVG escapes all text.
	s.Flow = template.HTML(flow.InlineSVG(s.Name, graph)) //nolint:gosec // escaped
}

// question is a stored question. keys omits values of an unexpected type.
type question struct {
	keys      map[string]any
	choices   []string
	branching map[string]any
}

func readQuestion(raw wire.Value) question {
	decoder := json.NewDecoder(strings.NewReader(raw.Spelling()))
	decoder.UseNumber()
	q := question{keys: map[string]any{}}
	if decoder.Decode(&q.keys) != nil {
		q.keys = map[string]any{}
	}

	choices, _ := q.keys["choices"].([]any)
	for _, choice := range choices {
		q.choices = append(q.choices, text(choice))
	}
	q.branching, _ = q.keys["branching"].(map[string]any)
	return q
}

// text formats a JSON value.
func text(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	default:
		raw, err := json.Marshal(value)
		if err != nil {
			return ""
		}
		return string(raw)
	}
}

// graph converts the question for the flowchart.
func (q question) graph() flow.Question {
	scale, _ := strconv.Atoi(text(q.keys["scale"]))
	g := flow.Question{
		Kind: flow.Kind(text(q.keys["type"])), Text: text(q.keys["question"]),
		Scale: scale, Choices: len(q.choices), ChoiceTexts: q.choices, Optional: q.keys["optional"] == true,
		OpenChoice: q.keys["hasOpenChoice"] == true, Branching: flow.Branching(text(q.branching["type"])),
	}

	index, err := strconv.Atoi(text(q.branching["index"]))
	if g.Index = index; err != nil {
		g.Index = flow.Next
	}
	if responses, ok := q.branching["responseValues"].(map[string]any); ok {
		g.Responses = map[string]int{}
		for key, target := range responses {
			g.Responses[key] = place(target)
		}
	}
	return g
}

// place returns the position to which a branching target leads, or flow.End. Any other target leads to
// the next question, as in the SDKs.
func place(target any) int {
	if target == "end" {
		return flow.End
	}
	if number, ok := target.(json.Number); ok {
		if place, err := strconv.Atoi(number.String()); err == nil {
			return place
		}
	}
	return flow.Next
}

// view converts the question for the page.
func (q question) view(place int) Question {
	kind := text(q.keys["type"])
	if kind == "" {
		kind = "unknown type"
	}
	return Question{
		Place: place, Kind: strings.ReplaceAll(kind, "_", " "), Text: text(q.keys["question"]), ID: text(q.keys["id"]),
		Description: text(q.keys["description"]), Choices: q.choices, Scale: text(q.keys["scale"]),
		Display: text(q.keys["display"]), Lower: text(q.keys["lowerBoundLabel"]), Upper: text(q.keys["upperBoundLabel"]),
		Button: text(q.keys["buttonText"]), Link: text(q.keys["link"]), Optional: q.keys["optional"] == true,
	}
}

// People are the persons of a survey's project: who saw the survey, what they answered, and who is not
// offered it.
type People struct {
	// Shown, Dismissed, and Responses count events. ShownTo counts persons.
	Shown, ShownTo, Dismissed, Responses int64
	// Persons contains the persons with the newest events first, followed by persons without events.
	Persons []Person
	// More is the number of persons that the page omits.
	More int
}

// Person is a person who sees surveys.
type Person struct {
	// Name is one of the person's distinct IDs. Others are the person's other distinct IDs.
	Name   string
	Others []string
	// Reasons explain why the person is not offered the survey. It is empty if the survey is offered. InTheApp lists
	// additional conditions that the app must meet.
	Reasons, InTheApp []string
	// Deeds are what the person did with the survey, oldest first.
	Deeds []Deed
}

// Deed is what a person did with a survey.
type Deed struct {
	Text    string
	Time    time.Time
	Answers []GivenAnswer
}

// GivenAnswer is an answer to a question of a survey.
type GivenAnswer struct{ Question, Text string }

// Summary returns a sentence with the number of times that the survey was shown, dismissed, and
// answered.
func (p People) Summary() string {
	if p.Shown+p.Dismissed+p.Responses == 0 {
		return "No app has shown it yet."
	}
	persons := " to " + count(p.ShownTo, "person")
	if p.ShownTo != 1 {
		persons = " to " + formatNumber(p.ShownTo) + " persons"
	}
	return "Shown " + count(p.Shown, "time") + persons + ", dismissed " + count(p.Dismissed, "time") + ", " + count(p.Responses, "response")
}

// brailleBlank is the Braille pattern without dots. Unicode classifies it as a symbol.
const brailleBlank = '\u2800'

// isBlank reports whether a text contains no visible character.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) && r != brailleBlank
	})
}

// displayName returns the name, or a placeholder if the name contains no visible character.
func displayName(name string) string {
	if isBlank(name) {
		return "(without a name)"
	}
	return name
}

// displayText returns the text, or a placeholder if the text contains no visible character.
func displayText(text string) string {
	if isBlank(text) {
		return "(without text)"
	}
	return text
}
