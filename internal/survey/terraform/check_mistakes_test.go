package terraform_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// These are the phases in which a mistake is reported. validate reports an error if no state in PostHog could make
// the value valid, and a warning if the plan refuses the value unless the state contains it. Later phases report only
// warnings, and mistakes that only PostHog can detect.
const (
	atValidate = "validate"
	warned     = "a warning of validate, an error of plan"
	atPlan     = "plan"
)

// mistake is a configuration as people write it, and the diagnostic that they see.
type mistake struct {
	name, phase string
	// title is the diagnostic's summary, which the given phase reports but no earlier phase does.
	title  string
	config object
}

// posed returns a survey with a valid question and the given keys, which contain a mistake.
func posed(keys object) object {
	if _, ok := keys["questions"]; !ok {
		keys["questions"] = []any{open(nil)}
	}
	return with(keys)
}

var mistakes = []mistake{
	{"no name", atValidate, "Missing Configuration for Required Attribute", object{"type": "popover", "questions": []any{open(nil)}}},
	{"blank name", warned, "Missing name", posed(object{"name": " "})},
	{"no type", atValidate, "Missing Configuration for Required Attribute", object{"name": "N", "questions": []any{open(nil)}}},
	{"status", atValidate, "Invalid status", posed(object{"status": "live"})},
	{"deletion policy", atValidate, "Invalid deletion_policy", posed(object{"deletion_policy": "keep"})},
	{"date in words", atValidate, "Not a date and time", posed(object{"start_date": "tomorrow"})},
	{"date that does not exist", atValidate, "Not a date and time", posed(object{"end_date": "2026-02-30T00:00:00Z"})},
	{"negative limit", atValidate, "Invalid responses_limit", posed(object{"responses_limit": -1})},
	{"negative iterations", atValidate, "Invalid iteration_count", posed(object{"iteration_count": -1, "iteration_frequency_days": 7})},
	{"targeting twice", atValidate, "targeting_flag_filters conflicts with targeting_flag_id", posed(object{"targeting_flag_id": 1, "targeting_flag_filters": `{"groups":[{"rollout_percentage":5}]}`})},

	{"null question", atValidate, "Missing value", asking(open(nil), nil)},
	{"null choice", atValidate, "Missing value", asking(single(object{"choices": []any{"a", nil}}))},

	{"loop", atPlan, "Question branches to itself", asking(goingTo(0), open(nil))},

	{"broken JSON", atValidate, "Invalid JSON", posed(object{"appearance": `{"position":`})},
	{"days in quotes", warned, "Not a number", posed(object{"conditions": `{"seenSurveyWaitPeriodInDays":"30"}`})},
	{"trailing comma", atValidate, "Invalid JSON", posed(object{"appearance": `{"position":"left",}`})},
	{"flag that does not exist", atPlan, "Feature flag 99 does not exist", posed(object{"linked_flag_id": 99})},
	{"project that does not exist", atPlan, "The create would fail", posed(object{"project_id": "77"})},
}

// terraform validate reports every mistake that can be detected without PostHog.
func TestB8MistakesAreToldByValidate(t *testing.T) {
	t.Parallel()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			survey := acctest.Start(t, acctest.Profile(testserver.Hosted)).Resource(t, "posthog_survey")
			validated := survey.Validate(m.config)
			if m.phase == atValidate {
				assertTitled(t, m.title, validated.Errors())
				assert.True(t, survey.Plan(m.config).Diagnostics.HasError(), "a plan must also fail")
				return
			}
			if m.phase == warned {
				assert.Empty(t, validated.Errors().Text())
				assertTitled(t, m.title, validated)
				assert.Contains(t, validated.Text(), "Unless the survey already has this value, the plan will fail.")
				assertTitled(t, m.title, survey.Plan(m.config).Diagnostics.Errors())
				return
			}
			assert.Empty(t, validated.Text())

			plan := survey.Plan(m.config)
			assertTitled(t, m.title, plan.Diagnostics)
		})
	}
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
	assert.Failf(t, "mistake not reported", "%q is not among the titles %q", title, titles)
}
