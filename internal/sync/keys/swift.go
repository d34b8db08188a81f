package keys

import "github.com/surveys-as-code/terraform-provider-posthog/internal/escape"

// swift is the syntax of Swift, as swift-format writes it.
var swift = syntax{
	width: 100, unit: "  ", comment: "/// %s", object: "public enum ", literal: escape.Swift,
	id: "public static let id", key: "public static let key", kind: "public static let kind", openChoice: "public static let openChoice",
	scale: "public static let scale", between: "...",
	choices: "public enum Choice: String, CaseIterable, Sendable", choice: "case %s = %s", choiceName: camel,
}

// renderSwift writes nested enumerations.
func renderSwift(surveys []Survey, names []string) []byte {
	n := &nested{syntax: swift}
	n.line("// Code %s. Do not edit: run it again.", notice)
	n.line("")
	n.open("The surveys of the project.", n.object+"Surveys")
	for i, survey := range surveys {
		if i > 0 {
			n.line("")
		}
		n.survey(survey)
	}
	n.close()
	n.WriteString(remembered("// ", names))
	return []byte(n.String())
}
