// Package keys generates files with survey values that an app needs and that only PostHog assigns: survey
// IDs, question IDs, the event properties that contain answers, and the choices. It supports several
// languages and formats.
//
// The package must not send requests or write files. Start reading at [Read], [Assign], and [Render].
package keys

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// Survey is a survey with the values that generated code needs.
type Survey struct {
	ID string
	// Name is the survey's name in code, in lower snake case. Title is its name in PostHog.
	Name, Title string
	// URL is the survey's page in PostHog. PublicURL is the page on which respondents answer an external
	// survey. Each is empty if the source does not contain it.
	URL, PublicURL string
	// IsRecurring is set if PostHog shows the survey again in each iteration.
	IsRecurring bool
	Questions   []Question
	// History contains the survey's edits, newest first. It is nil if the edits were not read.
	History []Edit

	// label is the survey's label in the configuration. created is its creation date.
	label, created string
}

// RespondedKey returns the person property that is set when a person answers the survey. PostHog does not
// show the survey to this person again. For a recurring survey, a slash and the iteration are appended to
// the property.
func (s Survey) RespondedKey() string { return "$survey_responded/" + s.ID }

// Question is a question with an ID.
type Question struct {
	ID string
	// Name is the question's name in code, in lower snake case. Text is the text that respondents read.
	Name, Text string
	Kind       flow.Kind
	// Position is the question's position in the survey, starting at 1.
	Position    int
	Description string
	Optional    bool
	Link        string
	// Scale contains the possible answers of a rating in ascending order. It is nil if the scale is unknown.
	Scale []int
	// LowerLabel and UpperLabel describe the ends of the scale.
	LowerLabel, UpperLabel string
	// Choices contains the fixed answers of a choice question. OpenChoice is the label of the choice that lets
	// respondents write their own text. Choices does not contain this label.
	Choices    []string
	OpenChoice *string
	// Translated contains the choices in other languages. Respondents who see a translation submit its
	// texts.
	Translated []Translation
	// Next contains the steps to which answers lead.
	Next []Step

	// given is the question's name in the configuration.
	given string
}

// Translation contains the choices of a question in one language.
type Translation struct {
	Language string   `json:"language"`
	Choices  []string `json:"choices"`
}

// Step describes the next question after some answers.
type Step struct {
	// When contains the answers as respondents see them. It is empty if the step applies to all answers.
	When []string
	// To is the position of the next question, or 0 for the end of the survey.
	To int
	// NoEnd is set if the SDK stops without ending the survey. See [flow.Step].
	NoEnd bool
}

// Key returns the property of "survey sent" events that contains the answers.
func (q Question) Key() string { return "$survey_response_" + q.ID }

// IsChoice reports whether respondents select choices.
func (q Question) IsChoice() bool {
	return q.Kind == flow.SingleChoice || q.Kind == flow.MultipleChoice
}

// allChoices returns the choices in all languages, without duplicates.
func (q Question) allChoices() []string {
	choices := q.Choices
	for _, translation := range q.Translated {
		choices = append(slices.Clip(choices), translation.Choices...)
	}
	return distinct(choices)
}

// scaleTexts returns the possible answers of a rating as numeric literals.
func (q Question) scaleTexts() []string {
	texts := make([]string, len(q.Scale))
	for i, answer := range q.Scale {
		texts[i] = strconv.Itoa(answer)
	}
	return texts
}

// distinct returns the texts without duplicates.
func distinct(texts []string) []string {
	isSeen, unique := map[string]bool{}, []string{}
	for _, text := range texts {
		if !isSeen[text] {
			isSeen[text] = true
			unique = append(unique, text)
		}
	}
	return unique
}

// Format is the format of a generated file.
type Format string

// The formats.
const (
	TypeScript  Format = "ts"
	Environment Format = "env"
	JSON        Format = "json"
	Markdown    Format = "markdown"
)

// Formats lists all formats.
var Formats = []Format{TypeScript, Environment, JSON, Markdown}

var extensions = map[string]Format{
	".ts": TypeScript, ".mts": TypeScript, ".cts": TypeScript, ".env": Environment, ".json": JSON, ".md": Markdown,
}

// DetectFormat returns the format that matches a file name. ok is false if no format matches.
func DetectFormat(path string) (Format, bool) {
	base := filepath.Base(path)
	if base == ".env" || strings.HasPrefix(base, ".env.") {
		return Environment, true
	}
	format, ok := extensions[strings.ToLower(filepath.Ext(base))]
	return format, ok
}

// Render returns the content of a file. The surveys must have names (see [Assign]). prefix is the prefix of
// environment variables.
func Render(surveys []Survey, format Format, prefix string) ([]byte, error) {
	lines := nameLines(surveys)
	switch format {
	case JSON:
		return renderJSON(surveys)
	case Environment:
		return renderEnvironment(surveys, prefix, lines)
	case Markdown:
		return renderCodebook(surveys, lines), nil
	default:
		return renderTypeScript(surveys, lines), nil
	}
}

// renderNameLines renders the lines that record names as comments. comment is the start of each line.
func renderNameLines(comment string, lines []string) string {
	var b strings.Builder
	b.WriteString("\n" + comment + namesTitle + "\n")
	for _, line := range lines {
		b.WriteString(comment + line + "\n")
	}
	return b.String()
}
