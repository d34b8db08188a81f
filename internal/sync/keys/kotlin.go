package keys

import (
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/escape"
)

// renderKotlin writes nested objects as the formatters of Kotlin do.
func renderKotlin(surveys []Survey, options Options, names []string) []byte {
	n := &nested{width: 100, unit: "    ", block: true}
	n.line("// Code %s. Do not edit: run it again.", notice)
	n.line("")
	n.line("package %s", options.Package)
	for _, survey := range surveys {
		n.line("")
		n.open(comment(survey.Title, survey.Name), "object "+pascal(survey.Name))
		n.value("const val ID", escape.Kotlin(survey.ID))
		for _, question := range survey.Questions {
			n.line("")
			kotlinQuestion(n, question)
		}
		n.close()
	}
	n.WriteString(remembered("// ", names))
	return []byte(n.String())
}

func kotlinQuestion(n *nested, question Question) {
	n.open(comment(question.Text, question.Name), "object "+pascal(question.Name))
	n.value("const val ID", escape.Kotlin(question.ID))
	n.value("const val KEY", escape.Kotlin(question.Key()))
	n.value("const val TYPE", escape.Kotlin(string(question.Kind)))
	if last := len(question.Scale) - 1; last >= 0 {
		n.value("val SCALE", fmt.Sprintf("%d..%d", question.Scale[0], question.Scale[last]))
	}
	if question.OpenChoice != nil {
		n.value("const val OPEN_CHOICE", escape.Kotlin(*question.OpenChoice))
	}

	if question.IsChoice() && len(question.Choices) > 0 {
		n.line("")
		n.open(choiceComment(question), "enum class Choice(val text: String)")
		for i, name := range choiceNames(question.Choices, func(string) bool { return false }) {
			n.line("%s(%s),", screaming(name), escape.Kotlin(question.Choices[i]))
		}
		n.close()
	}
	n.close()
}
