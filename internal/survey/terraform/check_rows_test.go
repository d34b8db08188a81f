package terraform_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// row is a rule by which PostHog refuses a survey, with its number in the list of rules, and the message for a
// violation.
type row struct {
	rule int
	// name distinguishes rows of the same rule.
	name string
	// config violates the rule. prior is the configuration that was applied before.
	config, prior object
	// at is the path of the error, which the plan reports unless the row has another step.
	at string
	// typed is a configuration that Terraform refuses because of its types, and says is Terraform's message.
	typed, says string
	// refusal is PostHog's response to a violation that no plan can detect: code, field, and text.
	refusal *refusal
	// isForeseen is set if a create's plan detects the violation because PostHog returns the referenced object.
	isForeseen bool
	// never explains why no configuration can violate the rule.
	never string
}

type refusal struct{ code, attr, detail string }

// where is the step that reports the violation.
func (r row) where() string {
	switch {
	case r.never != "":
		return "never"
	case r.refusal != nil && !r.isForeseen:
		return "apply"
	}
	return "plan"
}

func TestRowsAtPlan(t *testing.T) {
	t.Parallel()
	for _, row := range rows {
		if row.where() != "plan" || row.typed != "" || row.isForeseen {
			continue
		}
		t.Run(strconv.Itoa(row.rule)+" "+row.name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			survey := env.Resource(t, "posthog_survey")
			if row.prior != nil {
				applied := survey.Apply(row.prior)
				require.False(t, applied.HasError(), applied.Text())
			}
			env.ResetJournal()
			plan := survey.Plan(row.config)
			assertLocated(t, row.at, plan.Diagnostics.Errors())
			assert.NotContains(t, env.Operations(), "surveys_create", "a plan must not write")
		})
	}
}

// A violation that only PostHog can detect is reported during the apply, on its attribute. The hosted profile refuses
// the value. A fault makes the documented profile, which doesn't have all rules, respond in the same way.
func TestRowsAtApply(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		for _, row := range rows {
			if row.refusal == nil {
				continue
			}

			t.Run(string(profile)+"/"+strconv.Itoa(row.rule)+" "+row.name, func(t *testing.T) {
				t.Parallel()

				env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(neighbours))
				survey := env.Resource(t, "posthog_survey")
				if row.prior != nil {
					applied := survey.Apply(row.prior)
					require.False(t, applied.HasError(), applied.Text())
				}

				plan := survey.Plan(row.config)
				if row.isForeseen && profile == testserver.Hosted {
					assertLocated(t, row.at, plan.Diagnostics.Errors())
					return
				}
				require.False(t, plan.Diagnostics.HasError(), plan.Diagnostics.Text())

				if profile == testserver.Documented {
					env.SetFaults(row.refusal.fault("surveys_create"), row.refusal.fault("surveys_partial_update"))
				}

				errs := survey.Apply(row.config).Errors()
				assertLocated(t, row.at, errs)
				assert.Contains(t, errs.Text(), row.refusal.detail)
				assert.Contains(t, errs.Text(), "400")
			})
		}
	}
}

// neighbours are the other objects on the server to which the rows' surveys refer.
const neighbours = `{
	"feature_flags": [
		{"id": 1, "project_id": "1", "key": "plain"},
		{"id": 2, "project_id": "1", "key": "varied", "filters": {"groups": [], "multivariate": {"variants": [
			{"key": "a", "rollout_percentage": 50}, {"key": "b", "rollout_percentage": 50}]}}}
	],
	"cohorts": [{"id": 1, "project_id": "1", "name": "x", "behavioral": true}],
	"surveys": [{"project_id": "1", "id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d", "name": "Taken", "type": "api"}]
}`

// fault makes an operation respond with the refusal.
func (r *refusal) fault(operation string) testserver.Fault {
	body := object{"type": "validation_error", "code": r.code, "detail": r.detail, "attr": nil}
	if r.attr != "" {
		body["attr"] = r.attr
	}
	return testserver.Fault{Operation: operation, Status: http.StatusBadRequest, Body: body}
}

// Terraform's type checks catch some violations. Their messages also contain the attribute.
func TestAccSurveyRowsByType(t *testing.T) {
	t.Parallel()
	var steps []resource.TestStep
	for _, row := range rows {
		if row.typed != "" {
			steps = append(steps, resource.TestStep{
				Config:      "resource \"posthog_survey\" \"test\" {\n  name = \"Typed\"\n  type = \"popover\"\n" + row.typed + "\n}\n",
				ExpectError: wrapped(row.says),
			})
		}
	}
	require.NotEmpty(t, steps)
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: acctest.Start(t).Factories(), Steps: steps})
}

// wrapped matches text that Terraform may have broken into lines.
func wrapped(text string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(text), " ", `[\s│]+`))
}

// Every rule is in the table, and each is reported in only one step. These numbers may only improve.
func TestRowsAreComplete(t *testing.T) {
	t.Parallel()
	times := map[int]string{}
	for _, row := range rows {
		if before, ok := times[row.rule]; ok {
			assert.Equal(t, before, row.where(), "rule %d", row.rule)
		}
		times[row.rule] = row.where()
		assert.Equal(t, row.where() == "never", row.at == "", "rule %d must have a path, unless it never applies", row.rule)
	}
	count := map[string]int{}
	for rule := 1; rule <= 55; rule++ {
		require.Contains(t, times, rule)
		count[times[rule]]++
	}
	assert.Len(t, times, 55)
	assert.Equal(t, map[string]int{"plan": 47, "apply": 5, "never": 3}, count)
}

// assertLocated asserts that a diagnostic has a path and contains it in its text.
func assertLocated(t *testing.T, at string, found acctest.Diagnostics) {
	t.Helper()
	require.NotEmpty(t, found, "validation found no mistakes at %s", at)
	assert.True(t, slices.ContainsFunc(found, func(d *tfprotov6.Diagnostic) bool { return isLocated(at, d) }), "no diagnostic is about %s:\n%s", at, found.Text())
}

// isLocated also accepts a path that continues inside the attribute's JSON.
func isLocated(at string, d *tfprotov6.Diagnostic) bool {
	return d.Attribute != nil && strings.HasPrefix(at, spelled(d.Attribute)) && strings.Contains(d.Detail, at)
}

// spelled writes a path as messages do.
func spelled(path *tftypes.AttributePath) string {
	var b strings.Builder
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(string(step))
		case tftypes.ElementKeyInt:
			b.WriteString("[" + strconv.FormatInt(int64(step), 10) + "]")
		case tftypes.ElementKeyString:
			b.WriteString("[" + strconv.Quote(string(step)) + "]")
		}
	}
	return b.String()
}

func open(keys object) object {
	all := object{"type": "open", "question": "Why?"}
	maps.Copy(all, keys)
	return all
}

func filters(groups string) object {
	return with(object{"targeting_flag_filters": `{"groups":[` + groups + `]}`})
}

func external(keys object) object {
	keys["type"] = "external_survey"
	return with(keys)
}

// rows are PostHog's rules in PostHog's order.
var rows = []row{
	{rule: 1, name: "name", config: object{"type": "popover"}, at: "name"},
	{rule: 1, name: "type", config: object{"name": "Untyped"}, at: "type"},
	{rule: 2, name: "empty", config: with(object{"name": ""}), at: "name"},
	{rule: 2, name: "empty", config: with(object{"name": " \t\n"}), at: "name"},
	// A null name or type is missing. For other attributes, null is the same as omitted, and is not sent.
	{rule: 3, name: "name", config: with(object{"name": nil}), at: "name"},
	{rule: 3, name: "type", config: with(object{"type": nil}), at: "type"},
	{rule: 4, name: "characters", config: with(object{"name": strings.Repeat("ü", 401)}), at: "name"},
	{rule: 5, name: "unknown", config: with(object{"type": "full_screen"}), at: "type"},
	{rule: 6, name: "unknown", config: with(object{"schedule": "daily"}), at: "schedule"},
	{rule: 7, name: "too often", config: with(object{"iteration_count": 501, "iteration_frequency_days": 1}), at: "iteration_count"},
	{rule: 8, name: "iteration_count", config: with(object{"iteration_count": -1}), at: "iteration_count"},
	{rule: 8, name: "iteration_frequency_days", config: with(object{"iteration_frequency_days": -1}), at: "iteration_frequency_days"},
	{rule: 8, name: "responses_limit", config: with(object{"responses_limit": -1}), at: "responses_limit"},
	{rule: 8, name: "sampling limit", config: with(object{"response_sampling_limit": -1}), at: "response_sampling_limit"},
	{rule: 8, name: "current_iteration", config: with(object{"current_iteration": -1}), at: "current_iteration"},
	{rule: 9, name: "fraction", typed: `responses_limit = 1.5`, says: "must be a whole number", at: "responses_limit"},
	{rule: 9, name: "word", typed: `responses_limit = "many"`, says: `Inappropriate value for attribute "responses_limit": a number is required`, at: "responses_limit"},
	{rule: 10, name: "start", config: with(object{"start_date": "tomorrow"}), at: "start_date"},
	{rule: 10, name: "end", config: with(object{"end_date": "2026-02-30T00:00:00Z"}), at: "end_date"},
	{rule: 10, name: "sampling", config: with(object{"response_sampling_start_date": "soon"}), at: "response_sampling_start_date"},
	{rule: 10, name: "in a list", config: with(object{"iteration_start_dates": []any{"2026-01-01T00:00:00Z", "01.02.2026"}}), at: "iteration_start_dates[1]"},

	{rule: 11, name: "create", config: with(object{"name": "Taken"}), at: "name", refusal: &refusal{"unique", "", "There is already a survey with this name."}},
	{rule: 12, name: "update", prior: with(object{"name": "Free"}), config: with(object{"name": "Taken"}), at: "name", refusal: &refusal{"unique", "", "There is already another survey with this name."}},
	{rule: 13, name: "unknown", config: with(object{"linked_flag_id": 99}), at: "linked_flag_id", refusal: &refusal{"invalid_input", "", "Feature Flag with this ID does not exist"}, isForeseen: true},
	{rule: 14, name: "unknown", config: with(object{"targeting_flag_id": 99}), at: "targeting_flag_id", refusal: &refusal{"invalid_input", "", "Targeting Feature Flag with this ID does not exist"}, isForeseen: true},
	{rule: 15, name: "unknown", config: with(object{"linked_insight_id": 99}), at: "linked_insight_id", refusal: &refusal{"invalid_input", "", "Insight with this ID does not exist"}},
	{rule: 16, name: "new", config: with(object{"conditions": `{"linkedFlagVariant":"test"}`}), at: "conditions.linkedFlagVariant"},
	{
		rule: 16, name: "unlinked", prior: with(object{"conditions": `{"linkedFlagVariant":"any"}`, "linked_flag_id": 1}),
		config: with(object{"conditions": `{"linkedFlagVariant":"any"}`}), at: "conditions.linkedFlagVariant",
	},
	{
		rule: 17, name: "not on the flag", config: with(object{"linked_flag_id": 2, "conditions": `{"linkedFlagVariant":"c"}`}), at: "conditions",
		refusal: &refusal{"invalid_input", "", "Feature flag variant 'c' does not exist. Available variants: a, b"}, isForeseen: true,
	},
	{
		rule: 18, name: "no variants", config: with(object{"linked_flag_id": 1, "conditions": `{"linkedFlagVariant":"c"}`}), at: "conditions",
		refusal: &refusal{"invalid_input", "", "Feature flag variant 'c' specified but the linked feature flag has no variants"}, isForeseen: true,
	},
	{rule: 19, name: "100", config: filters(`{"properties":[],"rollout_percentage":100}`), at: "targeting_flag_filters.groups[0]"},
	{rule: 19, name: "null", config: filters(`{"properties":[{"key":"a","type":"person","value":"b"}]},{"rollout_percentage":null}`), at: "targeting_flag_filters.groups[1]"},
	{rule: 20, name: "event", config: filters(`{"properties":[{"key":"a","type":"event","value":"b"}],"rollout_percentage":10}`), at: "targeting_flag_filters.groups[0].properties[0].type"},
	{rule: 21, name: "not defined", config: filters(`{"rollout_percentage":10,"variant":"control"}`), at: "targeting_flag_filters.groups[0].variant"},
	{
		rule: 22, name: "unknown", config: filters(`{"properties":[{"key":"id","type":"cohort","value":999}]}`), at: "targeting_flag_filters",
		refusal: &refusal{"cohort_does_not_exist", "filters", "Cohort with id 999 does not exist"},
	},
	{
		rule: 23, name: "behavioural", config: filters(`{"properties":[{"key":"id","type":"cohort","value":1}]}`), at: "targeting_flag_filters",
		refusal: &refusal{"behavioral_cohort_found", "", "Cohort 'x' has an event-based condition on '$pageview' (performed_event) and cannot be used in surveys."},
	},
	{rule: 24, name: "number", config: filters(`{"properties":[{"key":"a","type":"person","operator":"gt","value":5}]}`), at: "targeting_flag_filters.groups[0].properties[0].value"},
	{rule: 24, name: "list", config: filters(`{"properties":[{"key":"a","type":"person","operator":"icontains","value":["x"]}]}`), at: "targeting_flag_filters.groups[0].properties[0].value"},
	{rule: 24, name: "expression", config: filters(`{"properties":[{"key":"a","type":"person","operator":"regex","value":"(b"}]}`), at: "targeting_flag_filters.groups[0].properties[0].value"},
	{rule: 25, name: "no groups", config: with(object{"targeting_flag_filters": `{"payloads":{}}`}), at: "targeting_flag_filters"},
	{rule: 25, name: "no object", config: with(object{"targeting_flag_filters": `[]`}), at: "targeting_flag_filters"},

	{rule: 26, name: "text", typed: `questions = "text"`, says: `Inappropriate value for attribute "questions": list of object required`, at: "questions"},
	{rule: 26, name: "texts", typed: `questions = ["text"]`, says: `Inappropriate value for attribute "questions": element 0: object required`, at: "questions"},
	{rule: 26, name: "null", config: asking(nil), at: "questions[0]"},
	{rule: 27, name: "empty", config: asking(open(nil), open(object{"question": ""})), at: "questions[1].question"},
	{rule: 27, name: "missing", config: asking(object{"type": "open"}), at: "questions[0].question"},
	{rule: 27, name: "null", config: asking(open(object{"question": nil})), at: "questions[0].question"},
	{rule: 28, name: "question", typed: `questions = [{ type = "open", question = ["Why?"] }]`, says: `Inappropriate value for attribute "questions": element 0: attribute "question": string required`, at: "questions[0].question"},
	{rule: 28, name: "extra", config: asking(open(object{"extra": `{"buttonText":5}`})), at: "questions[0].extra.buttonText"},
	{rule: 29, name: "unknown", config: asking(open(object{"description_content_type": "markdown"})), at: "questions[0].description_content_type"},
	{rule: 30, name: "text", typed: `questions = [{ type = "single_choice", question = "Which?", choices = "a" }]`, says: `Inappropriate value for attribute "questions": element 0: attribute "choices": list of string required`, at: "questions[0].choices"},
	{rule: 30, name: "extra", config: asking(open(object{"extra": `{"choices":"a"}`})), at: "questions[0].extra.choices"},
	{rule: 31, name: "empty", config: asking(object{"type": "single_choice", "question": "Which?", "choices": []any{"a", " "}}), at: "questions[0].choices[1]"},
	{rule: 32, name: "list", typed: `questions = [{ type = "single_choice", question = "Which?", choices = [["a"], ["b"]] }]`, says: `Inappropriate value for attribute "questions": element 0: attribute "choices": element 0: string required`, at: "questions[0].choices"},
	{rule: 32, name: "null", config: asking(object{"type": "single_choice", "question": "Which?", "choices": []any{"a", nil}}), at: "questions[0].choices[1]"},
	{rule: 32, name: "extra", config: asking(open(object{"extra": `{"choices":["a",1]}`})), at: "questions[0].extra.choices"},
	{rule: 33, name: "http", config: asking(object{"type": "link", "question": "See", "link": "http://example.com"}), at: "questions[0].link"},
	{rule: 33, name: "none", config: asking(object{"type": "link", "question": "See", "link": "example.com"}), at: "questions[0].link"},
	{rule: 33, name: "script", config: asking(object{"type": "link", "question": "See", "link": "javascript:alert(1)"}), at: "questions[0].link"},
	{rule: 34, name: "nobody", config: asking(object{"type": "link", "question": "See", "link": "mailto:example.com"}), at: "questions[0].link"},
	{rule: 35, name: "fragment", config: asking(object{"type": "link", "question": "See", "link": "https://#.com"}), at: "questions[0].link"},
	{rule: 36, name: "no list", config: asking(open(object{"extra": `{"validation":{"type":"email"}}`})), at: "questions[0].extra.validation"},
	{rule: 36, name: "no object", config: asking(open(object{"extra": `{"validation":["email"]}`})), at: "questions[0].extra.validation"},
	{rule: 36, name: "type", config: asking(open(object{"validation": []any{object{"type": "length"}}})), at: "questions[0].validation[0].type"},
	{rule: 36, name: "value", config: asking(open(object{"validation": []any{object{"type": "email"}, object{"type": "min_length", "value": 0}}})), at: "questions[0].validation[1].value"},
	{rule: 36, name: "order", config: asking(open(object{"validation": []any{object{"type": "min_length", "value": 5}, object{"type": "max_length", "value": 4}}})), at: "questions[0].validation"},
	{
		rule: 37, name: "both", config: with(object{"appearance": `{"shuffleQuestions":true}`, "questions": []any{open(object{"branching": object{"type": "end"}})}}),
		at: "appearance.shuffleQuestions",
	},
	{
		rule: 37, name: "branching added", prior: with(object{"appearance": `{"shuffleQuestions":true}`, "questions": []any{open(nil)}}),
		config: with(object{"appearance": `{"shuffleQuestions":true}`, "questions": []any{open(object{"branching": object{"type": "next_question"}})}}),
		at:     "appearance.shuffleQuestions",
	},
	{rule: 38, name: "list", config: with(object{"conditions": `[]`}), at: "conditions"},
	{rule: 38, name: "text", config: with(object{"conditions": `"url"`}), at: "conditions"},
	{rule: 39, name: "filters on an action", never: "only older servers refuse it, and what an action filters by is not in a survey's configuration"},
	{rule: 40, name: "list", config: with(object{"appearance": `["left"]`}), at: "appearance"},
	{rule: 41, name: "unknown", config: with(object{"appearance": `{"thankYouMessageDescriptionContentType":"markdown"}`}), at: "appearance.thankYouMessageDescriptionContentType"},
	{rule: 42, name: "negative", config: with(object{"appearance": `{"surveyPopupDelaySeconds":-1}`}), at: "appearance.surveyPopupDelaySeconds"},
	// Only PostHog can check the organization's billing plan.
	{rule: 43, name: "no boolean", config: with(object{"appearance": `{"whiteLabel":"yes"}`}), at: "appearance.whiteLabel"},
	{
		rule: 44, name: "fewer", prior: with(object{"iteration_count": 5, "iteration_frequency_days": 7, "current_iteration": 3}),
		config: with(object{"iteration_count": 2, "iteration_frequency_days": 7}), at: "iteration_count",
	},
	{rule: 45, name: "yesterday", config: with(object{"response_sampling_start_date": "2026-01-01T23:59:59Z"}), at: "response_sampling_start_date"},
	{rule: 46, name: "zero", config: with(object{"response_sampling_interval": 0}), at: "response_sampling_interval"},
	{rule: 47, name: "no start", config: with(object{"response_sampling_limit": 5, "response_sampling_interval": 1}), at: "response_sampling_start_date"},
	{rule: 48, name: "no interval", config: with(object{"response_sampling_limit": 5, "response_sampling_start_date": "2026-01-02T00:00:00Z"}), at: "response_sampling_interval"},
	{rule: 49, name: "flag", config: external(object{"linked_flag_id": 1}), at: "linked_flag_id"},
	{rule: 49, name: "filters", config: external(object{"targeting_flag_filters": `{"groups":[{"rollout_percentage":5}]}`}), at: "targeting_flag_filters"},
	{rule: 50, name: "url", config: external(object{"conditions": `{"url":"/"}`}), at: "conditions.url"},
	{rule: 50, name: "device", config: external(object{"conditions": `{"deviceTypes":["Desktop"]}`}), at: "conditions.deviceTypes"},
	{rule: 50, name: "events", config: external(object{"conditions": `{"events":{"values":[{"name":"e"}]}}`}), at: "conditions.events"},
	{rule: 50, name: "actions", config: external(object{"conditions": `{"actions":{"values":[{"id":1}]}}`}), at: "conditions.actions"},
	{rule: 51, name: "delay", config: external(object{"appearance": `{"surveyPopupDelaySeconds":0}`}), at: "appearance.surveyPopupDelaySeconds"},
	{rule: 52, name: "no object", config: with(object{"translations": `["de"]`}), at: "translations"},
	{rule: 52, name: "bad code", config: with(object{"translations": `{"german":{}}`}), at: "translations.german"},
	{rule: 52, name: "sentinel", config: with(object{"translations": `{"Default":{}}`}), at: "translations.Default"},
	{rule: 52, name: "base language", config: with(object{"translations": `{"EN":{}}`}), at: "translations.EN"},
	{rule: 52, name: "other base", config: with(object{"base_language": "pt_BR", "translations": `{"pt-br":{}}`}), at: "translations.pt-br"},
	{rule: 52, name: "collision", config: with(object{"translations": `{"Ro_RO":{},"ro-ro":{}}`}), at: "translations.ro-ro"},
	{rule: 52, name: "question", config: asking(open(object{"translations": `{"en":{"question":"Why?"}}`})), at: "questions[0].translations.en"},
	{rule: 53, name: "word", config: with(object{"base_language": "english"}), at: "base_language"},
	{rule: 53, name: "long", config: with(object{"base_language": "zh-hant-hk-x-abcdefgh-abc"}), at: "base_language"},
	{rule: 54, name: "no object", never: "a request is built from the schema, so it always is an object"},
	{rule: 55, name: "search", never: "it is about a search in the list of surveys, of which a survey's configuration has none"},
}
