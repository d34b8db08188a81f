package terraform_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// When a mistake is reported. An error of validate is what no state of the service can make
// right; validate warns of what the plan refuses unless the state holds it. Later than
// validate is only what is a warning, and what needs the service.
const (
	atValidate = "validate"
	warned     = "a warning of validate, an error of plan"
	atPlan     = "plan"
	atApply    = "apply"
)

// mistake is a configuration as people write it, and what they read about it.
type mistake struct {
	name, phase string
	// title is the summary of the diagnostic, in the given phase and in none before.
	title  string
	config object
}

// posed is a survey with a sound question beside what a mistake is made in.
func posed(keys object) object {
	if _, ok := keys["questions"]; !ok {
		keys["questions"] = []any{open(nil)}
	}
	return with(keys)
}

// targeted is a survey that is shown to the people of one group of filters.
func targeted(group string) object {
	return posed(object{"targeting_flag_filters": `{"groups":[` + group + `]}`})
}

func branch(keys object) any { return single(object{"branching": keys}) }

var mistakes = []mistake{
	{"no name", atValidate, "Missing Configuration for Required Attribute", object{"type": "popover", "questions": []any{open(nil)}}},
	{"blank name", warned, "Missing name", posed(object{"name": " "})},
	{"endless name", warned, "Name too long", posed(object{"name": strings.Repeat("n", 401)})},
	{"no type", atValidate, "Missing Configuration for Required Attribute", object{"name": "N", "questions": []any{open(nil)}}},
	{"type of another product", warned, "Unknown type", posed(object{"type": "modal"})},
	{"status", atValidate, "Invalid Attribute Value Match", posed(object{"status": "live"})},
	{"schedule", warned, "Unknown schedule", posed(object{"schedule": "daily"})},
	{"deletion policy", atValidate, "Invalid Attribute Value Match", posed(object{"deletion_policy": "keep"})},
	{"date in words", atValidate, "Not a date and time", posed(object{"start_date": "tomorrow"})},
	{"date that does not exist", atValidate, "Not a date and time", posed(object{"end_date": "2026-02-30T00:00:00Z"})},
	{"date in a list", warned, "Invalid date and time", posed(object{"iteration_start_dates": []any{"01.02.2026"}})},
	{"negative limit", atValidate, "Invalid Attribute Value", posed(object{"responses_limit": -1})},
	{"negative iterations", atValidate, "Invalid Attribute Value", posed(object{"iteration_count": -1, "iteration_frequency_days": 7})},
	{"501 iterations", warned, "Too many iterations", posed(object{"iteration_count": 501, "iteration_frequency_days": 7})},
	{"negative iteration", warned, "Negative number", posed(object{"current_iteration": -1})},
	{"flag 0", warned, "Invalid id", posed(object{"linked_flag_id": 0})},
	{"targeting twice", atValidate, "Invalid Attribute Combination", posed(object{"targeting_flag_id": 1, "targeting_flag_filters": `{"groups":[{"rollout_percentage":5}]}`})},
	{"language in words", warned, "Not a language code", posed(object{"base_language": "english"})},
	{"sampling without a start", warned, "Missing start of sampling", posed(object{"response_sampling_limit": 5, "response_sampling_interval": 1})},
	{"sampling without an interval", warned, "Missing sampling interval", posed(object{"response_sampling_limit": 5, "response_sampling_start_date": "2030-01-01T00:00:00Z"})},
	{"iterations without days", atPlan, "Survey does not repeat", posed(object{"iteration_count": 3})},
	{"end before start", atPlan, "end_date before start_date", posed(object{"start_date": "2026-02-01T00:00:00Z", "end_date": "2026-01-01T00:00:00Z"})},

	{"no question text", warned, "Missing question text", asking(object{"type": "open"})},
	{"no question type", warned, "Missing question type", asking(object{"question": "Why?"})},
	{"empty question text", warned, "Missing question text", asking(open(object{"question": ""}))},
	{"blank question text", atPlan, "Missing question text", asking(open(object{"question": "  "}))},
	{"kind of question", warned, "Unknown type", asking(object{"type": "nps", "question": "How?"})},
	{"null question", atValidate, "Missing value", asking(open(nil), nil)},
	{"scale 6", warned, "Unknown scale", asking(rated(object{"scale": 6}))},
	{"scale 2.5", warned, "Unknown scale", asking(rated(object{"scale": 2.5}))},
	{"display", warned, "Unknown display", asking(rated(object{"display": "stars"}))},
	{"scale of an open question", warned, "Attribute does not apply to this question type", asking(open(object{"scale": 5}))},
	{"choices of an open question", warned, "Attribute does not apply to this question type", asking(open(object{"choices": []any{"a", "b"}}))},
	{"no choices", warned, "Missing choices", asking(object{"type": "single_choice", "question": "Which?"})},
	{"blank choice", warned, "Blank choice", asking(single(object{"choices": []any{"a", ""}}))},
	{"same choice", warned, "Duplicate choice", asking(single(object{"choices": []any{"a", "a"}}))},
	{"null choice", atValidate, "Missing value", asking(single(object{"choices": []any{"a", nil}}))},
	{"http link", warned, "Unsupported link scheme", asking(linked("http://example.com"))},
	{"link without a scheme", warned, "Unsupported link scheme", asking(linked("example.com"))},
	{"link without a host", warned, "URL without a host", asking(linked("https:///docs"))},
	{"mail without an address", warned, "Invalid email address", asking(linked("mailto:support"))},
	{"format of a description", warned, "Unknown description_content_type", asking(open(object{"description_content_type": "markdown"}))},
	{"rule without a type", warned, "Missing rule type", asking(open(object{"validation": []any{object{"value": 3}}}))},
	{"kind of rule", warned, "Unknown rule type", asking(open(object{"validation": []any{object{"type": "length", "value": 3}}}))},
	{"rule for no characters", warned, "Invalid number of characters", asking(open(object{"validation": []any{object{"type": "min_length", "value": 0}}}))},
	{"rules that contradict", warned, "min_length is greater than max_length", asking(open(object{"validation": []any{object{"type": "min_length", "value": 5}, object{"type": "max_length", "value": 4}}}))},
	{"attribute through extra", warned, "Attribute set through extra", asking(open(object{"extra": `{"buttonText":"Go"}`}))},
	{"translation into the language itself", warned, "Translation into the base language", asking(open(object{"translations": `{"en":{"question":"Why?"}}`}))},

	{"branching without a target", warned, "Missing branching target", asking(open(object{"branching": object{"type": "specific_question"}}))},
	{"branching beyond the end", warned, "Branching target out of range", asking(goingTo(2), open(nil))},
	{"index of another branching", warned, "Attribute does not apply to this branching type", asking(open(object{"branching": object{"type": "end", "index": 0}}))},
	{"branching by no response", warned, "Attribute does not apply to this question type", asking(open(object{"branching": leading(object{"0": "end"})}))},
	{"response that there is not", warned, "Unknown response key", asking(branch(leading(object{"2": "end"})))},
	{"response by its text", warned, "Unknown response key", asking(branch(leading(object{"Yes": "end"})))},
	{"target in words", warned, "Invalid branching target", asking(branch(leading(object{"0": "next"})))},
	{"response beyond the end", warned, "Branching target out of range", asking(branch(leading(object{"0": "5"})))},
	{"kind of branching", warned, "Unknown type", asking(open(object{"branching": object{"type": "goto", "index": 0}}))},
	{"loop", atPlan, "Question branches to itself", asking(goingTo(0), open(nil))},
	{"question that is skipped", atPlan, "Unreachable question", asking(goingTo(2), open(nil), open(nil))},
	{"last question that leads on", atPlan, "Survey does not end", asking(open(nil), open(object{"branching": object{"type": "next_question"}}))},

	{"broken JSON", atValidate, "Invalid JSON", posed(object{"appearance": `{"position":`})},
	{"list of conditions", warned, "Not a JSON object", posed(object{"conditions": `[]`})},
	{"days in quotes", warned, "Not a number", posed(object{"conditions": `{"seenSurveyWaitPeriodInDays":"30"}`})},
	{"one device", warned, "Not a list", posed(object{"conditions": `{"deviceTypes":"Desktop"}`})},
	{"event without a name", warned, "Missing event name", posed(object{"conditions": `{"events":{"values":[{"event":"signed up"}]}}`})},
	{"variant of no flag", warned, "linkedFlagVariant without a linked flag", posed(object{"conditions": `{"linkedFlagVariant":"test"}`})},
	{"trailing comma", atValidate, "Invalid JSON", posed(object{"appearance": `{"position":"left",}`})},
	{"selector of no element", atPlan, "Missing widgetSelector", posed(object{"type": "widget", "appearance": `{"widgetType":"selector"}`})},
	{"nothing to ask", atPlan, "The survey runs and has no question", object{"name": "N", "type": "popover", "status": "running"}},
	{"underscores in a key", atPlan, "Unknown key", posed(object{"conditions": `{"url":"/","url_match_type":"exact"}`})},
	{"British spelling of a key", atPlan, "Unknown key", posed(object{"appearance": `{"backgroundColour":"#fff"}`})},
	{"truth in quotes", warned, "Not a boolean", posed(object{"appearance": `{"displayThankYouMessage":"true"}`})},
	{"everyone", warned, "Targeting matches everyone", targeted(`{"rollout_percentage":100}`)},
	{"rollout of 101", warned, "Rollout percentage above 100", targeted(`{"rollout_percentage":101}`)},
	{"flag that does not exist", atApply, "Could not create survey", posed(object{"linked_flag_id": 99})},
	{"project that does not exist", atApply, "Could not create survey", posed(object{"project_id": "77"})},
}

// What needs no service is told by terraform validate.
func TestB8MistakesAreToldByValidate(t *testing.T) {
	t.Parallel()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			survey := acctest.Start(t, acctest.Profile(testserver.Hosted)).Resource(t, "posthog_survey")
			validated := survey.Validate(m.config)
			if m.phase == atValidate {
				assertTitled(t, m.title, validated.Errors())
				assert.True(t, survey.Plan(m.config).Diagnostics.HasError(), "nor does a plan take it")
				return
			}
			if m.phase == warned {
				assert.Empty(t, validated.Errors().Text())
				assertTitled(t, m.title, validated)
				assert.Contains(t, validated.Text(), "A plan refuses it, unless the survey has it already.")
				assertTitled(t, m.title, survey.Plan(m.config).Diagnostics.Errors())
				return
			}
			assert.Empty(t, validated.Text())

			plan := survey.Plan(m.config)
			if m.phase == atPlan {
				assertTitled(t, m.title, plan.Diagnostics)
				return
			}
			assert.Empty(t, plan.Diagnostics.Text())
			assertTitled(t, m.title, survey.ApplyPlan(plan).Errors())
		})
	}
}

// The figures are a promise: they may only get better.
func TestB8MostMistakesNeedNoPlan(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, m := range mistakes {
		count[m.phase]++
	}
	require.Len(t, mistakes, 76)
	assert.Equal(t, map[string]int{atValidate: 13, warned: 51, atPlan: 10, atApply: 2}, count)
}

func assertTitled(t *testing.T, title string, found acctest.Diagnostics) {
	t.Helper()
	var titles []string
	for _, one := range found {
		if strings.HasPrefix(one.Summary, title) {
			return
		}
		titles = append(titles, one.Summary)
	}
	assert.Failf(t, "mistake not reported", "no %q among %q", title, titles)
}

// Branching as people write it first says how it is written.
func TestBranchingHints(t *testing.T) {
	t.Parallel()
	for want, config := range map[string]object{
		`The key of this choice is its place: write "1".`:   asking(branch(leading(object{" B": "end"})), open(nil)),
		`The points of a rating are grouped`:                asking(rated(object{"branching": leading(object{"9": "end"})})),
		`questions = provider::posthog::questions([ ... ])`: asking(branch(leading(object{"0": "thanks"})), open(nil)),
		`To go to a question by its name, wrap the list`:    asking(open(object{"branching": object{"type": "specific_question"}}), open(nil)),
	} {
		diags := acctest.Start(t).Resource(t, "posthog_survey").Plan(config).Diagnostics
		assert.Contains(t, diags.Errors().Text(), want)
	}
}
