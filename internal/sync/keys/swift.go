package keys

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// renderSwift writes nested enumerations as swift-format formats them.
func renderSwift(surveys []Survey, names []string) []byte {
	n := &nested{width: 100, unit: "  "}
	n.line("// Code %s. Do not edit: run it again.", notice)
	n.line("")
	n.open("The surveys of the project.", "public enum Surveys")
	for i, survey := range surveys {
		if i > 0 {
			n.line("")
		}
		n.open(comment(survey.Title, survey.Name), "public enum "+pascal(survey.Name))
		n.value("public static let id", escape.Swift(survey.ID))
		for _, question := range survey.Questions {
			n.line("")
			swiftQuestion(n, question)
		}
		n.close()
	}
	n.close()
	n.WriteString(remembered("// ", names))
	return []byte(n.String())
}

func swiftQuestion(n *nested, question Question) {
	n.open(comment(question.Text, question.Name), "public enum "+pascal(question.Name))
	n.value("public static let id", escape.Swift(question.ID))
	n.value("public static let key", escape.Swift(question.Key()))
	n.value("public static let kind", escape.Swift(string(question.Kind)))
	if last := len(question.Scale) - 1; last >= 0 {
		n.value("public static let scale", fmt.Sprintf("%d...%d", question.Scale[0], question.Scale[last]))
	}
	if question.OpenChoice != nil {
		n.value("public static let openChoice", escape.Swift(*question.OpenChoice))
	}

	if question.IsChoice() && len(question.Choices) > 0 {
		n.line("")
		n.open(choiceComment(question), "public enum Choice: String, CaseIterable, Sendable")
		for i, name := range choiceNames(question.Choices, func(string) bool { return false }) {
			n.line("case %s = %s", camel(name), escape.Swift(question.Choices[i]))
		}
		n.close()
	}
	n.close()
}

// choiceComment says what the choices of a question are.
func choiceComment(question Question) string {
	if question.OpenChoice != nil {
		return "The choices. Respondents may also write a text of their own."
	}
	return "The choices."
}
