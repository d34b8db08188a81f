package review_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/review"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/source"
)

// judged is a survey that violates a rule, and a similar survey that does not. Lint checks both together with the
// project's other surveys.
type judged struct {
	wrong, message string
	right          string
	beside         []string
}

const (
	nps    = `{"type": "rating", "scale": 10, "question": "How likely?", "branching": {"type": "response_based", "response_values": `
	why    = `{"type": "open", "question": "Why?"}`
	always = `"status": "running", "type": "popover", "schedule": "always"`
)

var judgements = map[string]judged{
	"always-repeats-answers": {
		wrong: `{` + always + `}`, right: `{` + always + `, "conditions": {"events": {"values": [{"name": "paid"}]}}}`,
		message: `schedule = "always" without a trigger, a page, or a wait period: on every page, people who have answered or closed it are asked again. ` +
			`Set conditions.seenSurveyWaitPeriodInDays, or schedule = "once"`,
	},
	"asked-too-often": {
		wrong:   `{"status": "running", "type": "popover", "schedule": "recurring", "iteration_count": 500, "iteration_frequency_days": 1}`,
		right:   `{"status": "running", "type": "popover", "schedule": "recurring", "iteration_count": 500, "iteration_frequency_days": 1, "linked_flag_id": 3}`,
		message: "everybody is asked 500 times, every 1 days: people stop answering, or leave. Set a longer iteration_frequency_days, fewer iterations, or targeting",
	},
	"dead-end": {
		wrong: `{"questions": [{"type": "open", "question": "a", "branching": {"type": "next_question"}}]}`,
		right: `{"questions": [{"type": "open", "question": "a", "branching": {"type": "next_question"}}, {"type": "open", "question": "b", "branching": null}]}`,
		message: "questions[0] leads to a question that does not exist: the web SDK then shows nothing and does not end the survey, so answers that it has not sent yet are lost. " +
			`Remove its branching, or set type = "end"`,
	},
	"endless-loop": {
		wrong:   `{"questions": [{"type": "open", "question": "a", "branching": {"type": "specific_question", "index": 0}}]}`,
		right:   `{"questions": [{"type": "open", "question": "a", "branching": {"type": "specific_question", "index": 1}}, ` + why + `]}`,
		message: "questions[0] can repeat, and no answer leads out of the loop",
	},
	"incomplete-translation": {
		wrong:   `{"questions": [{"type": "open", "question": "a", "description": "b", "translations": {"de": {"question": "A"}}}]}`,
		right:   `{"questions": [{"type": "open", "question": "a", "description": "b", "translations": {"de": {"question": "A", "description": "B"}}}]}`,
		message: `questions[0] has no description in "de"`,
	},
	"internal-text": {
		wrong: `{"questions": [{"type": "open", "question": "See wiki.acme.internal"}]}`, right: `{"questions": [{"type": "open", "question": "See internal.acme.com"}]}`,
		message: "questions[0].question contains the internal host wiki.acme.internal",
	},
	"loop": {
		wrong:   `{"questions": [` + nps + `{"detractors": "0", "passives": "end", "promoters": "end"}}}]}`,
		right:   `{"questions": [` + nps + `{"detractors": "1", "passives": "end", "promoters": "end"}}}, ` + why + `]}`,
		message: "questions[0] can repeat: if a question is answered again, only the last answer is kept",
	},
	"hides-all-surveys": {
		wrong: `{"conditions": {"selector": "[data-id=5]"}}`, right: `{"conditions": {"selector": "[data-id='5']"}}`,
		message: `conditions.selector is "[data-id=5]", which is not a CSS selector: the value "5" of an attribute needs quotes: write the value of an attribute in quotes, such as [data-id="5"]. posthog-js throws an error, and then shows no survey of the project`,
	},
	"never-shown": {
		wrong: `{"conditions": {"url": "/pricing", "urlMatchType": "exact"}}`, right: `{"conditions": {"url": "/pricing", "urlMatchType": "icontains"}}`,
		message: `urlMatchType is "exact", and no page has the URL "/pricing": use a complete URL, such as https://www.example.com/pricing, or set urlMatchType = "icontains"`,
	},
	"nobody-can-match": {
		wrong:   `{"targeting_flag_filters": {"groups": [{"rollout_percentage": 0}, {"rollout_percentage": 0}]}}`,
		right:   `{"targeting_flag_filters": {"groups": [{"rollout_percentage": 0}, {"rollout_percentage": 0.1}]}}`,
		message: `targeting_flag_filters is rolled out to 0 %: raise rollout_percentage`,
	},
	"overlapping-surveys": {
		wrong: `{"status": "running", "type": "popover"}`, right: `{"status": "running", "type": "popover", "conditions": {"seenSurveyWaitPeriodInDays": 7}}`,
		beside:  []string{`{"status": "running", "type": "popover"}`},
		message: `it may appear on the same page as "beside 0", and none of these surveys sets conditions.seenSurveyWaitPeriodInDays`,
	},
	"repeats-twice": {
		wrong: `{` + always + `, "conditions": {"events": {"repeatedActivation": true, "values": [{"name": "paid"}]}}}`,
		right: `{"type": "popover", "schedule": "once", "conditions": {"events": {"repeatedActivation": true, "values": [{"name": "paid"}]}}}`,
		message: `schedule = "always" and conditions.events.repeatedActivation have the same effect: each of the events asks people again who have answered. ` +
			"Remove one of the two, and set conditions.seenSurveyWaitPeriodInDays if the events may occur often",
	},
	"sdk-too-old": {
		wrong: `{"enable_partial_responses": true, "questions": [` + why + `, ` + why + `]}`, right: `{"enable_partial_responses": true, "questions": [` + why + `]}`,
		message: "posthog-ios 3.78.9 ignores enable_partial_responses, which 3.79.0 and later support",
	},
	"shared-name": {
		wrong: `{"name": "beside 0 "}`, right: `{"name": "beside 1"}`, beside: []string{`{"id": ""}`},
		message: "another survey has the same name, and survey names must be unique within a project",
	},
	"unbounded": {
		wrong: `{"status": "running", "type": "popover"}`, right: `{"status": "running", "type": "popover", "responses_limit": 100}`,
		message: "it runs without a response limit, an end date, targeting, or conditions that restrict who sees it",
	},
	"unreachable-question": {
		wrong:   `{"questions": [{"type": "open", "question": "a", "branching": {"type": "end"}}, {"type": "open", "question": "b"}]}`,
		right:   `{"questions": [{"type": "open", "question": "a", "branching": {"type": "next_question"}}, {"type": "open", "question": "b"}]}`,
		message: `no answer leads to questions[1] "b"`,
	},
	"wait-period-counts-every-survey": {
		wrong:  `{"status": "running", "type": "popover", "conditions": {"seenSurveyWaitPeriodInDays": 30}}`,
		right:  `{"status": "running", "type": "popover", "conditions": {"seenSurveyWaitPeriodInDays": 3}}`,
		beside: []string{`{` + always + `, "conditions": {"seenSurveyWaitPeriodInDays": 7}}`},
		message: `"beside 0" reappears on every page, and conditions.seenSurveyWaitPeriodInDays counts every survey that was shown, answered or not: ` +
			`people who see it do not see this survey. Give that survey a wait period of 30 days or more`,
	},
}

// surveyFrom returns a survey with attributes in JSON.
func surveyFrom(t *testing.T, name, attributes string) source.Object {
	t.Helper()
	decoded, err := jsonvalue.Decode(attributes)
	require.NoError(t, err, attributes)
	fields := decoded.(object)
	survey := source.Object{Kind: source.Survey, ID: name, Name: name, ParentID: "1", Attributes: fields}
	if id, ok := fields["id"].(string); ok {
		survey.ID = id
	}
	if name, ok := fields["name"].(string); ok {
		survey.Name = name
	}
	return survey
}

// Every rule reports its invalid survey, and does not report the similar valid survey.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, rule := range review.Rules() {
		judged, ok := judgements[rule.Name]
		if !assert.True(t, ok, "the rule %s does not have an invalid survey and a similar valid one", rule.Name) {
			continue
		}
		found := func(attributes string) []string {
			judgedSurvey := surveyFrom(t, "a survey", attributes)
			surveys := []source.Object{judgedSurvey}
			for i, neighbor := range judged.beside {
				surveys = append(surveys, surveyFrom(t, "beside "+string(rune('0'+i)), neighbor))
			}
			var said []string
			for _, message := range messages(t, rule.Name, surveys...) {
				if text, ok := strings.CutPrefix(message, judgedSurvey.Name+": "); ok {
					said = append(said, text)
				}
			}
			return said
		}

		assert.Equal(t, []string{judged.message}, found(judged.wrong), rule.Name)
		assert.Empty(t, found(judged.right), rule.Name)
	}
	for name := range judgements {
		isRule := func(rule review.Rule) bool { return rule.Name == name }
		assert.True(t, slices.ContainsFunc(review.Rules(), isRule), "%s is not a rule", name)
	}
}

// A rule reports a setting that asks respondents too often, or that can never match.
func TestSettingsThatCannotBeMeant(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rule, attributes, message string }{
		{"unbounded", `{"status": "running", "type": "popover", "iteration_count": 500, "iteration_frequency_days": 30}`, "it runs without a response limit"},
		{"unbounded", `{"status": "running", "type": "popover", "iteration_count": 12, "iteration_frequency_days": 30}`, ""},
		{"asked-too-often", `{"status": "running", "type": "popover", "iteration_count": 12, "iteration_frequency_days": 30}`, ""},
		{"asked-too-often", `{"status": "running", "type": "widget", "iteration_count": 500, "iteration_frequency_days": 1}`, ""},
		{"never-shown", `{"conditions": {"url": "(", "urlMatchType": "regex"}}`, `url "(" is not a regular expression, so it matches no page: `},
		{"never-shown", `{"conditions": {"url": "*/checkout/success*"}}`, `"*" in url "*/checkout/success*" is compared literally`},
		{"never-shown", `{"conditions": {"url": "https://Example.com/", "urlMatchType": "exact"}}`, `urlMatchType is "exact", and no page has the URL "https://Example.com/"`},
		{"hides-all-surveys", `{"conditions": {"url": "/", "urlMatchType": "contains"}}`, `conditions.urlMatchType is "contains". Known values: `},
		{"hides-all-surveys", `{"conditions": {"url": "/", "urlMatchType": "contains"}, "status": "completed"}`, ""},
		{"hides-all-surveys", `{"type": "external_survey", "conditions": {"url": 5}}`, ""},
		{"hides-all-surveys", `{"type": "widget", "appearance": {"widgetType": "selector", "widgetSelector": "#1st"}}`, `appearance.widgetSelector is "#1st"`},
		{"never-shown", `{"type": "widget", "appearance": {"widgetType": "selector"}}`, `appearance.widgetType is "selector", but appearance.widgetSelector is not set`},
	} {
		found := messages(t, c.rule, surveyFrom(t, "s", c.attributes))
		if assert.Equal(t, c.message != "", len(found) == 1, "%s: %s: %v", c.rule, c.attributes, found) && len(found) == 1 {
			assert.Contains(t, found[0], "s: "+c.message)
		}
	}
}

// No one sees a completed survey, so the rules do not report its other problems.
func TestRulesOfSurveysThatAreOver(t *testing.T) {
	t.Parallel()
	for _, rule := range review.Rules() {
		if rule.Name == "shared-name" {
			continue // a completed survey keeps its name
		}
		judged, ok := judgements[rule.Name]
		require.True(t, ok, rule.Name)
		for _, over := range []object{{"status": "completed"}, {"status": "running", "archived": true}} {
			survey := surveyFrom(t, "a survey", judged.wrong)
			maps.Copy(survey.Attributes, over)
			surveys := []source.Object{survey}
			for i, neighbor := range judged.beside {
				surveys = append(surveys, surveyFrom(t, "beside "+string(rune('0'+i)), neighbor))
			}
			assert.Empty(t, messages(t, rule.Name, surveys...), "%s %v", rule.Name, over)
		}
	}
}

// An attribute that is known only after apply may restrict the survey, so the rules do not report it.
func TestRulesOfUnknownAttributes(t *testing.T) {
	t.Parallel()
	for _, unknown := range []string{"conditions", "linked_flag_id", "targeting_flag_id", "targeting_flag_filters"} {
		survey := surveyFrom(t, "a survey", `{"status": "running", "type": "popover"}`)
		survey.Unknown = []string{unknown}
		assert.Empty(t, messages(t, "unbounded", survey), unknown)
	}
	survey := surveyFrom(t, "a survey", `{`+always+`}`)
	survey.Unknown = []string{"conditions"}
	assert.Empty(t, messages(t, "always-repeats-answers", survey))
}

// The rule also checks the flags of a live survey.
func TestNobodyMatchesALiveFlag(t *testing.T) {
	t.Parallel()
	survey := surveyFrom(t, "s", `{"status": "running"}`)
	var wire api.Survey
	require.NoError(t, json.Unmarshal([]byte(`{"linked_flag": {"id": 1, "key": "beta", "filters": {"groups": [{"rollout_percentage": 0}]}},
		"targeting_flag": {"id": 2, "key": "t", "filters": {"groups": []}}}`), &wire))
	survey.SurveyResponse = &wire
	assert.Equal(t, []string{
		"s: the linked flag is rolled out to 0 %: raise rollout_percentage", "s: the targeting flag has no condition set, so no one matches it: add a group to its filters",
	}, messages(t, "nobody-can-match", survey))

	// A draft's feature may not be released yet.
	survey.Attributes["status"] = "draft"
	assert.Equal(t, []string{"s: the targeting flag has no condition set, so no one matches it: add a group to its filters"}, messages(t, "nobody-can-match", survey))
}

// A survey's causes are the findings of rules with a stage.
func TestCauses(t *testing.T) {
	t.Parallel()
	survey := surveyFrom(t, "s", `{`+always+`, "enable_partial_responses": true, "appearance": {"shuffleQuestions": true},
		"questions": [`+nps+`{"detractors": "1"}}}, `+nps+`{"detractors": "end", "passives": "end"}}}]}`)
	var wire api.Survey
	require.NoError(t, json.Unmarshal([]byte(`{"linked_flag": {"id": 1, "key": "beta", "filters": {"groups": [{"rollout_percentage": 0}]}},
		"targeting_flag": {"id": 2, "key": "t", "filters": {"groups": []}}}`), &wire))
	survey.SurveyResponse = &wire

	causes, err := review.Causes([]source.Object{survey, surveyFrom(t, "other", judgements["always-repeats-answers"].wrong)}, "s")
	require.NoError(t, err)
	var lines []string
	for _, cause := range causes {
		assert.Equal(t, "s", cause.Survey)
		lines = append(lines, string(cause.Stage)+" "+cause.Rule)
	}
	assert.Equal(t, []string{
		"repetition always-repeats-answers", "questions dead-end",
	}, lines)
	assert.Equal(t, `questions[1] leads neither to a question nor to the end for promoters: the web SDK then shows nothing and does not end the survey, `+
		`so answers that it has not sent yet are lost. Set promoters = "end"`, causes[1].Message)
}

// A running survey that hides all other surveys is a cause for each of them.
func TestCausesInOtherSurveys(t *testing.T) {
	t.Parallel()
	hiding := `{"status": "running", "type": "popover", "conditions": {"selector": "##"}}`
	for name, c := range map[string]struct {
		survey, other string
		isCause       bool
	}{
		"of a popover":          {`{"type": "popover", "status": "running"}`, hiding, true},
		"of an external survey": {`{"type": "external_survey", "status": "running"}`, hiding, false},
		"of a draft":            {`{"type": "popover", "status": "running"}`, strings.Replace(hiding, "running", "draft", 1), false},
		"of a sound one":        {`{"type": "popover", "status": "running"}`, strings.Replace(hiding, "##", "#a", 1), false},
	} {
		causes, err := review.Causes([]source.Object{surveyFrom(t, "s", c.survey), surveyFrom(t, "Hiding", c.other)}, "s")
		require.NoError(t, err)
		if !c.isCause {
			assert.Empty(t, causes, name)
			continue
		}
		require.Len(t, causes, 1, name)
		assert.Equal(t, review.Error, causes[0].Severity)
		assert.Contains(t, causes[0].Message, `survey "Hiding" hides it: conditions.selector is "##", which is not a CSS selector`)
	}
}

// A survey that is never shown overlaps with no other survey. A survey that excludes no page overlaps with all
// others.
func TestOverlapsOfSurveysThatAreNeverShown(t *testing.T) {
	t.Parallel()
	beside := surveyFrom(t, "beside", `{"status": "running", "type": "popover"}`)
	for conditions, meets := range map[string]bool{
		`{}`: true, `{"url": " /"}`: false, `{"url": "*/success*"}`: false, `{"selector": "##"}`: false, `{"url": "https://Example.com/", "urlMatchType": "exact"}`: false,
		`{"url": "(", "urlMatchType": "not_regex"}`: true, `{"url": "/a b", "urlMatchType": "not_icontains"}`: true,
	} {
		survey := surveyFrom(t, "s", `{"status": "running", "type": "popover", "conditions": `+conditions+`}`)
		assert.Equal(t, meets, len(messages(t, "overlapping-surveys", survey, beside)) > 0, conditions)
	}
}
