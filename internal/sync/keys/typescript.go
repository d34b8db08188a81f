package keys

import (
	"fmt"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/flow"
)

// renderTypeScript renders constants and types.
func renderTypeScript(surveys []Survey, names []string) []byte {
	var b strings.Builder
	b.WriteString("// Code " + notice + ". Do not edit: run it again.\n/* eslint-disable */\n")
	if len(surveys) == 0 {
		b.WriteString("\nexport {};\n")
	}
	for _, survey := range surveys {
		typeScriptSurvey(&b, survey)
		typeScriptAnswers(&b, survey)
	}
	b.WriteString(renderNameLines("// ", names))
	return []byte(b.String())
}

// typeScriptSurvey writes the constant of a survey.
func typeScriptSurvey(b *strings.Builder, survey Survey) {
	fmt.Fprintf(b, "\n/** %s */\nexport const %s = {\n", comment(survey.Title, survey.Name), camel(survey.Name))
	fmt.Fprintf(b, "  id: %s,\n  name: %s,\n", escape.JavaScript(survey.ID), escape.JavaScript(survey.Title))
	if survey.PublicURL != "" {
		fmt.Fprintf(b, "  publicUrl: %s,\n", escape.JavaScript(survey.PublicURL))
	}
	typeScriptRespondedKey(b, survey)
	if len(survey.Questions) == 0 {
		b.WriteString("  questions: {},\n} as const;\n")
		return
	}

	b.WriteString("  questions: {\n")
	for _, question := range survey.Questions {
		typeScriptQuestion(b, question)
	}
	b.WriteString("  },\n} as const;\n")
}

// typeScriptRespondedKey writes the person property that an app sets when a person answers. For a
// recurring survey, it writes a function that returns the property for an iteration.
func typeScriptRespondedKey(b *strings.Builder, survey Survey) {
	b.WriteString("  /** Set this property to true in $set of \"survey sent\". Otherwise, PostHog shows the survey to this person again. */\n")
	if survey.IsRecurring {
		fmt.Fprintf(b, "  respondedKey: (iteration: number) => %s + iteration,\n", escape.JavaScript(survey.RespondedKey()+"/"))
		return
	}
	fmt.Fprintf(b, "  respondedKey: %s,\n", escape.JavaScript(survey.RespondedKey()))
}

func typeScriptQuestion(b *strings.Builder, question Question) {
	fmt.Fprintf(b, "    /** %s */\n    %s: {\n", comment(question.Text, question.Name), camel(question.Name))
	property := func(name, literal string) { fmt.Fprintf(b, "      %s: %s,\n", name, literal) }
	property("id", escape.JavaScript(question.ID))
	property("key", escape.JavaScript(question.Key()))
	property("type", escape.JavaScript(string(question.Kind)))
	if question.Kind == flow.Rating && question.Scale != nil {
		property("scale", "["+strings.Join(question.scaleTexts(), ", ")+"]")
	}
	if question.IsChoice() {
		property("choices", "["+strings.Join(javaScriptStrings(question.Choices), ", ")+"]")
		if question.OpenChoice != nil {
			property("openChoice", escape.JavaScript(*question.OpenChoice))
		}
	}
	b.WriteString("    },\n")
}

// typeScriptAnswers writes the types of a survey's answers.
func typeScriptAnswers(b *strings.Builder, survey Survey) {
	prefix := pascal(survey.Name)
	for _, question := range survey.Questions {
		if name, members := typeScriptUnion(survey, question); name != "" {
			fmt.Fprintf(b, "\n/** %s */\nexport type %s = %s;\n", comment(question.Text, question.Name), name, strings.Join(members, " | "))
		}
	}

	title := comment(survey.Title, survey.Name)
	fmt.Fprintf(b, "\n/** Answers to %s, among the properties of the event \"survey sent\". */\n", title)
	if len(survey.Questions) == 0 {
		fmt.Fprintf(b, "export type %sAnswers = Record<never, never>;\n", prefix)
		return
	}
	fmt.Fprintf(b, "export type %sAnswers = {\n", prefix)
	for _, question := range survey.Questions {
		fmt.Fprintf(b, "  /** %s */\n  %s?: %s;\n", comment(question.Text, question.Name), escape.JavaScript(question.Key()), typeScriptType(survey, question))
	}
	b.WriteString("};\n")
}

// typeScriptUnion returns the union type of a question's choices, and the members of the union. The type
// name is empty if the question has no choices.
func typeScriptUnion(survey Survey, question Question) (name string, members []string) {
	switch {
	case question.Kind == flow.Rating && question.Scale != nil:
		members = question.scaleTexts()
	case question.IsChoice():
		members = javaScriptStrings(question.allChoices())
		if question.OpenChoice != nil {
			// This member allows any other text. Editors still suggest the choices.
			members = append(members, "(string & {})")
		}
	default:
		return "", nil
	}
	if len(members) == 0 {
		members = []string{"never"}
	}

	name = pascal(survey.Name, question.Name)
	if question.Kind == flow.MultipleChoice {
		return name + "Choice", members
	}
	if question.Optional {
		members = append(members, "null")
	}
	return name + "Answer", members
}

// typeScriptType returns the type of a question's answers, as posthog-js sends them.
func typeScriptType(survey Survey, question Question) string {
	name, _ := typeScriptUnion(survey, question)
	switch {
	case question.Kind == flow.MultipleChoice:
		return name + "[]"
	case name != "":
		return name
	case question.Kind == flow.Open:
		return "string"
	case question.Kind == flow.Link:
		return `"link clicked"`
	case question.Kind == flow.Rating:
		return "number"
	}
	return "unknown"
}

// javaScriptStrings formats texts as JavaScript string literals.
func javaScriptStrings(texts []string) []string {
	literals := make([]string, len(texts))
	for i, text := range texts {
		literals[i] = escape.JavaScript(text)
	}
	return literals
}

// comment formats a text for a comment. If the text would be invisible, it uses otherwise.
func comment(text, otherwise string) string {
	if label := escape.CodeComment(text); label != "" {
		return label
	}
	return otherwise
}
