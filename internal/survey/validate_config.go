package survey

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

var _ resource.ResourceWithValidateConfig = (*Resource)(nil)

const longestName = 400

// ValidateConfig implements resource.ResourceWithValidateConfig. It refuses what no state
// can make right, and warns of what a plan refuses unless the state holds it: terraform
// validate knows no state, and what the service holds is never refused.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config Model
	attribute.Decode(ctx, req.Config.Raw, objectType(), &config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	var found findings
	if checkMissingValues(config.Questions, &found) {
		checkExtra(config.Fields, &found)
		if r.Data == nil { // a configured provider plans next, with the state
			found = append(found, doubts(config.Fields)...)
		}
	}
	found.report(config.Name, &resp.Diagnostics)
}

// doubts are warnings of what the plan of a new survey would refuse. They leave out:
//
//   - what is said of a question whose id the configuration names, and of the survey of
//     such a question. Generated configurations of odd surveys name the ids of questions,
//     those of new surveys do not. So an import and each plan after it is quiet;
//   - warnings of the plan: terraform plan validates first, and would print them twice.
func doubts(config Fields) findings {
	var unreadable diag.Diagnostics // the attribute's type says so
	list, known := decodeQuestions(config.Questions, &unreadable)

	// Without a clock: whether a date has passed is nothing to warn of in a month.
	written := candidate{Fields: config, questionList: list, questionsKnown: known}
	found := runChecks(written)
	checkEnumerations(candidate{}, written, &found)

	imported := slices.ContainsFunc(list, Question.isIdentified)
	found = slices.DeleteFunc(found.errors(), func(f finding) bool {
		return f.question < 0 && imported || f.question >= 0 && list[f.question].isIdentified()
	})
	for i := range found {
		found[i].severity = diag.SeverityWarning
		found[i].text += " A plan refuses it, unless the survey has it already."
	}
	return found
}

// isIdentified reports whether the configuration sets the id of a question. An unknown id
// counts.
func (q Question) isIdentified() bool {
	return q.ID.IsUnknown() || q.ID.ValueString() != ""
}

// checkName checks the length of a name in characters, without surrounding white space, as
// the service does.
func checkName(s candidate, found *findings) {
	if !attribute.IsKnown(s.Name) {
		return
	}
	switch length := utf8.RuneCountInString(strings.TrimSpace(s.Name.ValueString())); {
	case length == 0:
		found.errorf(atAttribute("name"), "Missing name", "is blank. Every survey needs a name.")
	case length > longestName:
		found.errorf(atAttribute("name"), "Name too long", "has %d characters. It can have %d at most.", length, longestName)
	}
}

func checkIterationStarts(s candidate, found *findings) {
	for i, element := range s.IterationStartDates.Elements() {
		moment, ok := element.(types.String)
		if !ok || !attribute.IsKnown(moment) {
			continue
		}
		if _, err := attribute.ParseInstant(moment.ValueString()); err != nil {
			found.errorf(atAttribute("iteration_start_dates").element(i), "Invalid date and time", "is wrong: %s. Write it as in RFC 3339, with an offset or Z for UTC.", err)
		}
	}
}

// checkMissingValues refuses null elements: Terraform's types allow them, and conditional
// expressions produce them. It reports whether there are none.
func checkMissingValues(questions types.List, found *findings) bool {
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
