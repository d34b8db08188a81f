package keys

import (
	"fmt"
	"strings"
)

// syntax is how a language declares constants in nested objects.
type syntax struct {
	// width is the width from which the language's formatter breaks lines, and unit one step
	// of its indentation.
	width int
	unit  string
	// comment is the form of a comment that documents, object begins the declaration of an
	// object, and literal writes a text.
	comment, object string
	literal         func(string) string
	// id, key, kind, openChoice and scale are the declarations of a question's values, and
	// between is what stands between the ends of a scale.
	id, key, kind, openChoice, scale, between string
	// choices declares the type of the choices, choice is the form of one of them with its
	// name and text, and choiceName spells the name.
	choices, choice string
	choiceName      func(string) string
}

// nested is a file of a language with nested declarations that is being written.
type nested struct {
	strings.Builder
	syntax
	indent string
}

// survey writes the ids of a survey and of its questions.
func (n *nested) survey(survey Survey) {
	n.open(comment(survey.Title, survey.Name), n.object+pascal(survey.Name))
	n.value(n.id, n.literal(survey.ID))
	for _, question := range survey.Questions {
		n.line("")
		n.question(question)
	}
	n.close()
}

// question writes what an app needs to know of a question.
func (n *nested) question(question Question) {
	n.open(comment(question.Text, question.Name), n.object+pascal(question.Name))
	n.value(n.id, n.literal(question.ID))
	n.value(n.key, n.literal(question.Key()))
	n.value(n.kind, n.literal(string(question.Kind)))
	if last := len(question.Scale) - 1; last >= 0 {
		n.value(n.scale, fmt.Sprintf("%d%s%d", question.Scale[0], n.between, question.Scale[last]))
	}
	if question.OpenChoice != nil {
		n.value(n.openChoice, n.literal(*question.OpenChoice))
	}

	if question.IsChoice() && len(question.Choices) > 0 {
		n.line("")
		n.open(choiceComment(question), n.choices)
		for i, name := range choiceNames(question.Choices, func(string) bool { return false }) {
			n.line(n.choice, n.choiceName(name), n.literal(question.Choices[i]))
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

// open begins a block with what is documented by a comment.
func (n *nested) open(comment, declaration string) {
	n.line(n.comment, comment)
	n.line("%s {", declaration)
	n.indent += n.unit
}

// close ends a block.
func (n *nested) close() {
	n.indent = strings.TrimSuffix(n.indent, n.unit)
	n.line("}")
}

// line writes a line.
func (n *nested) line(form string, arguments ...any) {
	if form == "" {
		n.WriteString("\n")
		return
	}
	n.WriteString(n.indent + fmt.Sprintf(form, arguments...) + "\n")
}

// value writes a declaration with its value, below it where the line would be too long.
func (n *nested) value(declaration, literal string) {
	if width(n.indent+declaration+" = "+literal) > n.width {
		n.line("%s =", declaration)
		n.line("%s", n.unit+literal)
		return
	}
	n.line("%s = %s", declaration, literal)
}
