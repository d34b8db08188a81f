package keys

import (
	"fmt"
	"go/format"
	"regexp"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// goFile is a file of Go that is being written.
type goFile struct {
	strings.Builder
	// taken are the identifiers of the package without separators: that of a choice must be
	// none of them.
	taken map[string]bool
}

func (f *goFile) printf(form string, arguments ...any) { fmt.Fprintf(&f.Builder, form, arguments...) }

// renderGo writes constants and types as gofmt formats them.
func renderGo(surveys []Survey, options Options, names []string) ([]byte, error) {
	f := goFile{taken: map[string]bool{}}
	f.printf("// Code %s. DO NOT EDIT.\n\n", notice)
	f.printf("// Package %s has the ids of surveys and of their questions, and the types of answers.\npackage %s\n", options.Package, options.Package)
	for _, survey := range surveys {
		for _, question := range survey.Questions {
			for _, end := range []string{"id", "key", "min", "max", "choice"} {
				f.taken[joined(survey.Name, question.Name, end)] = true
			}
		}
		f.taken[joined(survey.Name, "answers")], f.taken[joined(survey.Name, "id")] = true, true
	}

	for _, survey := range surveys {
		f.constants(survey)
		for _, question := range survey.Questions {
			f.choices(survey, question)
		}
		f.answers(survey)
	}
	f.WriteString(remembered("// ", names))
	return format.Source([]byte(f.String()))
}

// constants writes the ids and properties of a survey.
func (f *goFile) constants(survey Survey) {
	f.printf("\n// The survey %s.\nconst (\n", goComment(survey.Title))
	f.printf("\t%sID = %s\n", pascal(survey.Name), escape.Go(survey.ID))
	for _, question := range survey.Questions {
		name := pascal(survey.Name, question.Name)
		f.printf("\n\t// %s\n", goComment(question.Text))
		f.printf("\t%sID = %s\n\t%sKey = %s\n", name, escape.Go(question.ID), name, escape.Go(question.Key()))
		if n := len(question.Scale); n > 0 {
			f.printf("\t%sMin = %d\n\t%sMax = %d\n", name, question.Scale[0], name, question.Scale[n-1])
		}
	}
	f.WriteString(")\n")
}

// goComment is a text in a comment, in quotes: gofmt would take some for headings or lists.
func goComment(text string) string { return `"` + escape.CodeComment(text) + `"` }

// choices writes the choices of a question as constants of their own type.
func (f *goFile) choices(survey Survey, question Question) {
	if !question.IsChoice() {
		return
	}
	kind := pascal(survey.Name, question.Name) + "Choice"
	f.printf("\n// %s is an answer to the question %s.", kind, goComment(question.Text))
	if question.OpenChoice != nil {
		f.WriteString("\n// It may be any other text, since respondents may write one of their own.")
	}
	f.printf("\ntype %s string\n", kind)
	if len(question.Choices) == 0 {
		return
	}

	names := choiceNames(question.Choices, func(name string) bool {
		return f.taken[joined(survey.Name, question.Name, "choice", name)]
	})
	f.printf("\n// The values of %s.\nconst (\n", kind)
	for i, choice := range question.Choices {
		f.taken[joined(survey.Name, question.Name, "choice", names[i])] = true
		f.printf("\t%s%s %s = %s\n", kind, pascal(names[i]), kind, escape.Go(choice))
	}
	f.WriteString(")\n")
}

// tagName matches what encoding/json takes as the name of a field.
var tagName = regexp.MustCompile(`^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@\[\]^_{|}~ ]+$`)

// answers writes the type of the answers to a survey.
func (f *goFile) answers(survey Survey) {
	name := pascal(survey.Name) + "Answers"
	f.printf("\n// %s has the answers to the survey %s, as JSON the properties of an event \"survey sent\".\n", name, goComment(survey.Title))
	f.printf("type %s struct {\n", name)
	for _, question := range survey.Questions {
		f.printf("\t// %s\n", goComment(question.Text))
		if !tagName.MatchString(question.Key()) {
			f.printf("\t// %s is left out: no tag can hold its id.\n", pascal(question.Name))
			continue
		}
		f.printf("\t%s %s `json:\"%s,omitempty\"`\n", pascal(question.Name), goType(survey, question), question.Key())
	}
	f.WriteString("}\n")
}

// goType is the type of the answers to a question.
func goType(survey Survey, question Question) string {
	choice := pascal(survey.Name, question.Name) + "Choice"
	switch question.Kind {
	case Open, Link:
		return "string"
	case Rating:
		return "*int"
	case SingleChoice:
		return choice
	case MultipleChoice:
		return "[]" + choice
	}
	return "any"
}
