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

// ValidateConfig implements resource.ResourceWithValidateConfig. It always refuses values
// that no service can hold; see [refuseWithoutState] for the others.
func (r *Resource) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	var config Model
	attribute.Decode(ctx, req.Config.Raw, objectType(), &config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	var found findings
	checkName(config.Name, &found)
	checkIterationStarts(config.IterationStartDates, &found)
	if checkMissingValues(config.Questions, &found) {
		checkExtra(config.Fields, &found)
		if r.Data == nil { // a configured provider plans next, with the state
			found = append(found, refuseWithoutState(config.Fields)...)
		}
	}
	found.report(&resp.Diagnostics)
}

// refuseWithoutState returns the mistakes that terraform validate refuses, though it
// knows no prior state to compare with. They are the errors of the plan except:
//
//   - words outside the known sets, such as a type of survey: those of a newer service
//     are imported and kept, so the plan refuses them unless the prior state holds them;
//   - everything else in a configuration that an import generated: it describes what
//     the service holds, and that is accepted however odd it is. Such a configuration
//     names the ids of its questions, which one for a new survey does not. One without
//     questions has nothing to tell the two apart by, and waits for the plan too.
//
// Warnings stay with the plan: terraform plan validates first, and would print them twice.
func refuseWithoutState(config Fields) findings {
	var unreadable diag.Diagnostics // the attribute's type says so
	list, known := decodeQuestions(config.Questions, &unreadable)
	if known && (len(list) == 0 || slices.ContainsFunc(list, Question.isIdentified)) {
		return nil
	}

	// Without a clock: whether a date has passed is nothing to fail on in a month.
	return runChecks(candidate{Fields: config, questionList: list, questionsKnown: known}).refusable()
}

// isIdentified reports whether the configuration sets the id of a question. An unknown id
// counts.
func (q Question) isIdentified() bool {
	return q.ID.IsUnknown() || q.ID.ValueString() != ""
}

// checkName checks the length of a name in characters, without surrounding white space, as
// the service does.
func checkName(name types.String, found *findings) {
	if !attribute.IsKnown(name) {
		return
	}
	switch length := utf8.RuneCountInString(strings.TrimSpace(name.ValueString())); {
	case length == 0:
		found.errorf(atAttribute("name"), "Missing name", "is blank. Every survey needs a name.")
	case length > longestName:
		found.errorf(atAttribute("name"), "Name too long", "has %d characters. It can have %d at most.", length, longestName)
	}
}

func checkIterationStarts(moments types.List, found *findings) {
	for i, element := range moments.Elements() {
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
