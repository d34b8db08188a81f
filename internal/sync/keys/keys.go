// Package keys generates files with the values that an app needs from its surveys and only PostHog
// assigns: survey IDs, question IDs, the event properties that hold the answers, and the choices.
// It supports several languages and formats.
//
// The package must not send requests or write files. Start reading at [Read], [Assign], and
// [Render].
package keys

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// Survey is a survey as code needs it.
type Survey struct {
	ID string
	// Name is the name in code, in lower snake case; Title the name that people gave it.
	Name, Title string
	// URL is its page in the web interface, PublicURL the one on which an external survey is
	// answered; empty where the source does not tell.
	URL, PublicURL string
	Questions      []Question
	// History are its edits, newest first; nil when they were not read.
	History []Edit

	// label is the name that the configuration gives it, and created when it was made.
	label, created string
}

// Question is a question with an id.
type Question struct {
	ID string
	// Name is the name in code, in lower snake case; Text what respondents read.
	Name, Text string
	Kind       flow.Kind
	// Position is its place in the survey, from 1.
	Position    int
	Description string
	Optional    bool
	Link        string
	// Scale are the answers of a rating, ascending; nil when the scale is not known.
	Scale []int
	// LowerLabel and UpperLabel are what the ends of the scale mean.
	LowerLabel, UpperLabel string
	// Choices are the answers of a choice; OpenChoice is the label of the one for which
	// respondents write a text of their own, and is none of them.
	Choices    []string
	OpenChoice *string
	// Translated are the choices in other languages: respondents who see these answer with
	// them.
	Translated []Translation
	// Next is where answers lead.
	Next []Step

	// given is the name that the configuration gives it.
	given string
}

// Translation has the choices of a question in a language.
type Translation struct {
	Language string   `json:"language"`
	Choices  []string `json:"choices"`
}

// Step says where an answer leads.
type Step struct {
	// When are the answers, as people know them; none for all.
	When []string
	// To is the position of the next question, 0 for the end.
	To int
	// NoEnd is set where the survey stops without an end: see [flow.Step].
	NoEnd bool
}

// Key is the property of "survey sent" events that holds the answers.
func (q Question) Key() string { return "$survey_response_" + q.ID }

// IsChoice reports whether respondents choose.
func (q Question) IsChoice() bool {
	return q.Kind == flow.SingleChoice || q.Kind == flow.MultipleChoice
}

// allChoices are the texts of choices in all languages, each once.
func (q Question) allChoices() []string {
	choices := q.Choices
	for _, translation := range q.Translated {
		choices = append(slices.Clip(choices), translation.Choices...)
	}
	return distinct(choices)
}

// scaleTexts are the answers of a rating as numbers in code.
func (q Question) scaleTexts() []string {
	texts := make([]string, len(q.Scale))
	for i, answer := range q.Scale {
		texts[i] = strconv.Itoa(answer)
	}
	return texts
}

// distinct are texts without those that were there before.
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

// Format is the language of a file.
type Format string

// The formats.
const (
	TypeScript  Format = "ts"
	Environment Format = "env"
	JSON        Format = "json"
	Markdown    Format = "markdown"
)

// Formats are all formats.
var Formats = []Format{TypeScript, Environment, JSON, Markdown}

var extensions = map[string]Format{
	".ts": TypeScript, ".mts": TypeScript, ".cts": TypeScript, ".env": Environment, ".json": JSON, ".md": Markdown,
}

// DetectFormat is the format that the name of a file asks for; false if it says nothing.
func DetectFormat(path string) (Format, bool) {
	base := filepath.Base(path)
	if base == ".env" || strings.HasPrefix(base, ".env.") {
		return Environment, true
	}
	format, ok := extensions[strings.ToLower(filepath.Ext(base))]
	return format, ok
}

// Render writes a file. Its surveys have names. The prefix begins the names of environment
// variables.
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

// renderNameLines are the lines that remember names, as comments with the same beginning.
func renderNameLines(comment string, lines []string) string {
	var b strings.Builder
	b.WriteString("\n" + comment + namesTitle + "\n")
	for _, line := range lines {
		b.WriteString(comment + line + "\n")
	}
	return b.String()
}
