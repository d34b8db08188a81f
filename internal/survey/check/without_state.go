package check

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// WithoutState are warnings of what the plan of a new survey would refuse. They leave out:
//
//   - what is said of a question whose id the configuration names, and of the survey of
//     such a question. Generated configurations of odd surveys name the ids of questions,
//     those of new surveys do not. So an import and each plan after it is quiet;
//   - warnings of the plan: terraform plan validates first, and would print them twice.
func WithoutState(config survey.Fields) Findings {
	var unreadable diag.Diagnostics // the attribute's type says so
	list, known := survey.DecodeQuestions(config.Questions, &unreadable)

	// Without a clock: whether a date has passed is nothing to warn of in a month.
	written := candidate{Fields: config, questionList: list, questionsKnown: known}
	found := runChecks(written)
	checkEnumerations(candidate{}, written, &found)

	imported := slices.ContainsFunc(list, isIdentified)
	found = slices.DeleteFunc(found.errors(), func(f finding) bool {
		return f.question < 0 && imported || f.question >= 0 && isIdentified(list[f.question])
	})
	for i := range found {
		found[i].severity = diag.SeverityWarning
		found[i].text += " A plan refuses it, unless the survey has it already."
	}
	return found
}

// isIdentified reports whether the configuration sets the id of a question. An unknown id
// counts.
func isIdentified(q survey.Question) bool {
	return q.ID.IsUnknown() || q.ID.ValueString() != ""
}

// MissingValues refuses null elements: Terraform's types allow them, and conditional
// expressions produce them. It reports whether there are none.
func MissingValues(questions types.List, found *Findings) bool {
	before := len(*found)
	missing := func(p location, elements []attr.Value, what string) {
		for i, element := range elements {
			if element.IsNull() {
				found.errorf(p.element(i), "Missing value", "is null, and must be %s.", what)
			}
		}
	}

	missing(atAttribute("questions"), questions.Elements(), "a question")
	for i, element := range questions.Elements() {
		question, ok := element.(types.Object)
		if !ok || !attribute.IsKnown(question) {
			continue
		}

		p := atQuestion(i)
		choices, _ := question.Attributes()["choices"].(types.List)
		missing(p.attribute("choices"), choices.Elements(), "a text")
		rules, _ := question.Attributes()["validation"].(types.List)
		missing(p.attribute("validation"), rules.Elements(), "a rule")

		branching, _ := question.Attributes()["branching"].(types.Object)
		values, _ := branching.Attributes()["response_values"].(types.Map)
		for _, key := range slices.Sorted(maps.Keys(values.Elements())) {
			if values.Elements()[key].IsNull() {
				found.errorf(p.attribute("branching").attribute("response_values").mapKey(key), "Missing value",
					"is null. Leave the key out to go to the next question.")
			}
		}
	}

	return len(*found) == before
}
