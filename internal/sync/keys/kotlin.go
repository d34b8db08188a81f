package keys

import "github.com/surveys-as-code/terraform-provider-posthog/internal/escape"

// kotlin is the syntax of Kotlin, as its formatters write it.
var kotlin = syntax{
	width: 100, unit: "    ", comment: "/** %s */", object: "object ", literal: escape.Kotlin,
	id: "const val ID", key: "const val KEY", kind: "const val TYPE", openChoice: "const val OPEN_CHOICE",
	scale: "val SCALE", between: "..",
	choices: "enum class Choice(val text: String)", choice: "%s(%s),", choiceName: func(name string) string { return screaming(name) },
}

// renderKotlin writes nested objects.
func renderKotlin(surveys []Survey, options Options, names []string) []byte {
	n := &nested{syntax: kotlin}
	n.line("// Code %s. Do not edit: run it again.", notice)
	n.line("")
	n.line("package %s", options.Package)
	for _, survey := range surveys {
		n.line("")
		n.survey(survey)
	}
	n.WriteString(remembered("// ", names))
	return []byte(n.String())
}
