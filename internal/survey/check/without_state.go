package check

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// WithoutState are warnings of what the plan of a new survey would refuse. They leave out:
//
//   - what is said of a question whose id the configuration names, and of the survey of
//     such a question. Generated configurations of odd surveys name the ids of questions,
//     those of new surveys do not. So an import and each plan after it is quiet;
//   - warnings of the plan: terraform plan validates first, and would print them twice.
func WithoutState(config survey.Fields) Findings {
	// Without a clock: whether a date has passed is nothing to warn of in a month.
	written := candidate{Fields: config}
	found := runChecks(written)
	checkEnumerations(candidate{}, written, &found)

	list := config.Questions.List()
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
func MissingValues(questions survey.Questions, found *Findings) bool {
	before := len(*found)
	missing := func(p location, element interface{ IsNull() bool }, what string) {
		if element.IsNull() {
			found.errorf(p, "Missing value", "is null, and must be %s.", what)
		}
	}

	for i, question := range questions.Elements() {
		missing(atAttribute("questions").element(i), question, "a question")
	}
	for i, question := range questions.Elements() {
		p := atQuestion(i)
		for k, choice := range question.Choices.Elements() {
			missing(p.attribute("choices").element(k), choice, "a text")
		}
		for k, rule := range question.Validation.Elements() {
			missing(p.attribute("validation").element(k), rule, "a rule")
		}

		_, _, values := branchingOf(question)
		for _, key := range slices.Sorted(maps.Keys(values.Elements())) {
			if values.Elements()[key].IsNull() {
				found.errorf(p.attribute("branching").attribute("response_values").mapKey(key), "Missing value",
					"is null. Leave the key out to go to the next question.")
			}
		}
	}

	return len(*found) == before
}
