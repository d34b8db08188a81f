package check_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func filters(groups string) object {
	return with(object{"targeting_flag_filters": `{"groups":[` + groups + `]}`})
}

func TestJSONChecks(t *testing.T) {
	t.Parallel()
	assertFound(t, map[string]finding{
		"match type":        fault("unknown-value", "conditions.urlMatchType", "Known values: regex").of(when(`{"urlMatchType":"contains"}`)),
		"url":               fault("hides-all-surveys", "conditions.url", "not a text").of(when(`{"url":["/a"]}`)),
		"url, a number":     fault("hides-all-surveys", "conditions.url", "is 5, not a text. posthog-js throws an error, and then shows no survey of the project.").of(when(`{"url":5}`)),
		"device":            fault("unknown-value", "conditions.deviceTypes[1]", `is "Phone"`).of(when(`{"deviceTypes":["Desktop","Phone"]}`)),
		"devices":           fault("hides-all-surveys", "conditions.deviceTypes", "not a list of texts").of(when(`{"deviceTypes":"Desktop"}`)),
		"days":              fault("not-a-whole-number", "conditions.seenSurveyWaitPeriodInDays", "whole number").of(when(`{"seenSurveyWaitPeriodInDays":1.5}`)),
		"days, a text":      fault("not-a-number", "conditions.seenSurveyWaitPeriodInDays", "without quotes").of(when(`{"seenSurveyWaitPeriodInDays":"30"}`)),
		"days, negative":    fault("negative-number", "conditions.seenSurveyWaitPeriodInDays", "0 or more").of(when(`{"seenSurveyWaitPeriodInDays":-1}`)),
		"event":             fault("missing-event-name", "conditions.events.values[0].name", "identified by name").of(when(`{"events":{"values":[{}]}}`)),
		"event filters":     fault("not-a-list", "conditions.events.values[0].propertyFilters.plan.values", "must be a list").of(when(`{"events":{"values":[{"name":"e","propertyFilters":{"plan":{"values":"a","operator":"exact"}}}]}}`)),
		"repeated":          fault("not-a-boolean", "conditions.events.repeatedActivation", "true or false").of(when(`{"events":{"repeatedActivation":"yes","values":[]}}`)),
		"action":            fault("missing-action-id", "conditions.actions.values[0].id", "linked by ID").of(when(`{"actions":{"values":[{"name":"clicked"}]}}`)),
		"action id":         fault("not-a-number", "conditions.actions.values[0].id", "must be a number").of(when(`{"actions":{"values":[{"id":"7"}]}}`)),
		"expression":        suspicion("invalid-regular-expression", "conditions.url", "missing closing").of(when(`{"url":"(a","urlMatchType":"regex"}`)),
		"expression, ahead": silence.of(when(`{"url":"^(?!a).*$","urlMatchType":"regex"}`)),
		"no expression":     silence.of(when(`{"url":"(a","urlMatchType":"icontains"}`)),
		"all of it":         silence.of(when(`{"url":"/a","urlMatchType":"not_regex","selector":"#a","deviceTypes":["Desktop","Mobile","Tablet"],"deviceTypesMatchType":"is_not","seenSurveyWaitPeriodInDays":0,"events":{"repeatedActivation":true,"values":[{"name":"e","propertyFilters":{"p":{"values":["1"],"operator":"gt"}}}]},"actions":{"values":[{"id":1,"name":"a"}]}}`)),
		"Terraform's style": suspicion("unknown-key", "conditions.url_match_type", "Did you mean conditions.urlMatchType?").of(when(`{"url":"/","url_match_type":"exact"}`)),
		"capitals":          suspicion("unknown-key", "conditions.URL", "conditions.url?").of(when(`{"URL":"/"}`)),
		"misspelt, deep":    suspicion("unknown-key", "conditions.events.values[0].property_filters", "values[0].propertyFilters?").of(when(`{"events":{"values":[{"name":"e","property_filters":{}}]}}`)),
		"newer key":         silence.of(when(`{"urls":["/a"],"url":"/","audience":{"x":1}}`)),
		"null":              silence.of(when(`null`)),

		"position":         fault("unknown-value", "appearance.position", "next_to_trigger").of(looks(`{"position":"bottom"}`)),
		"widget":           fault("unknown-value", "appearance.widgetType", "button, tab, selector").of(looks(`{"widgetType":"bubble"}`)),
		"flag":             fault("not-a-boolean", "appearance.displayThankYouMessage", "true or false").of(looks(`{"displayThankYouMessage":"true"}`)),
		"delay":            fault("not-a-number", "appearance.surveyPopupDelaySeconds", "number").of(looks(`{"surveyPopupDelaySeconds":"5"}`)),
		"delay, fraction":  silence.of(looks(`{"surveyPopupDelaySeconds":0.5}`)),
		"z-index":          suspicion("not-a-string", "appearance.zIndex", "in quotes").of(looks(`{"zIndex":2147482647}`)),
		"British spelling": suspicion("unknown-key", "appearance.backgroundColour", "backgroundColor?").of(looks(`{"backgroundColour":"#fff"}`)),
		"both spellings":   silence.of(looks(`{"widgetColour":"#fff","widgetColor":"#fff"}`)),
		"far from all":     silence.of(looks(`{"n":1,"theme":"dark","backgroundImage":"x"}`)),

		"percentage":      fault("rollout-above-100", "targeting_flag_filters.groups[0].rollout_percentage", "0 to 100").of(filters(`{"rollout_percentage":101}`)),
		"groups":          fault("not-a-list", "targeting_flag_filters.groups", "must be a list").of(with(object{"targeting_flag_filters": `{"groups":{}}`})),
		"rollout":         suspicion("unknown-key", "targeting_flag_filters.groups[0].rolloutPercentage", "rollout_percentage?").of(filters(`{"rolloutPercentage":5,"properties":[{"key":"a","type":"person","value":"b"}]}`)),
		"untyped":         fault("missing-property-type", "targeting_flag_filters.groups[0].properties[0].type", "person, cohort, or flag").of(filters(`{"properties":[{"key":"a","value":"b"}]}`)),
		"of companies":    silence.of(with(object{"targeting_flag_filters": `{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"group","group_type_index":0,"value":"b"}]}]}`})),
		"defined variant": silence.of(with(object{"targeting_flag_filters": `{"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]},"groups":[{"variant":"a","rollout_percentage":5}]}`})),
		"no filters":      silence.of(with(object{"targeting_flag_filters": `{}`})),

		"translation":         fault("not-an-object", "translations.de", "must be an object").of(with(object{"translations": `{"de":"Danke"}`})),
		"translated number":   fault("not-a-string", "translations.de.thankYouMessageHeader", "must be a string").of(with(object{"translations": `{"de":{"thankYouMessageHeader":1}}`})),
		"translated null":     fault("not-a-string", "translations.de.thankYouMessageHeader", "is null. It must be a string").of(with(object{"translations": `{"de":{"thankYouMessageHeader":null}}`})),
		"translated misspelt": suspicion("dropped-translation", "translations.de.thankYouMessageHeadr", "thankYouMessageHeader").of(with(object{"translations": `{"de":{"thankYouMessageHeadr":"Danke"}}`})),
		"translations":        silence.of(with(object{"translations": `{"de":{"thankYouMessageHeader":"Danke"},"pt_BR":{},"zh-Hant":{}}`})),
		"base language":       silence.of(with(object{"base_language": "pt_BR"})),
		"blank language":      silence.of(with(object{"base_language": ""})),
		"form":                silence.of(with(object{"form_content": `{"type":["doc"]}`})),
	})
}

// A survey that makes posthog-js throw hides all others.
func TestSurveyThatHidesAllSurveys(t *testing.T) {
	t.Parallel()
	const code = "hides-all-surveys"
	assertFound(t, map[string]finding{
		"match type":        fault(code, "conditions.urlMatchType", `is "contains". Known values: regex`).of(when(`{"url":"/","urlMatchType":"contains"}`)),
		"of devices":        fault(code, "conditions.deviceTypesMatchType", `is "". Known values: regex`).of(when(`{"deviceTypes":["Mobile"],"deviceTypesMatchType":""}`)),
		"selector":          fault(code, "conditions.selector", `is "[data-id=5]", which is not a CSS selector`).of(when(`{"selector":"[data-id=5]"}`)),
		"widget":            fault(code, "appearance.widgetSelector", "shows no survey after this one").of(with(object{"type": "widget", "appearance": `{"widgetType":"selector","widgetSelector":"#1st"}`})),
		"next to trigger":   fault(code, "appearance.widgetSelector", "not a CSS selector").of(looks(`{"position":"next_to_trigger","widgetSelector":"//button"}`)),
		"without a URL":     fault("unknown-value", "conditions.urlMatchType", "Known values").of(when(`{"urlMatchType":"contains"}`)),
		"sound selector":    silence.of(when(`{"selector":"#main > .card:nth-child(2) [data-id='5']"}`)),
		"open at the end":   silence.of(when(`{"selector":"a:not(.b"}`)),
		"widget that isn't": silence.of(looks(`{"widgetSelector":"#1st"}`)),
	})

	broken := func(keys object) object {
		survey := question(when(`{"url":"/","urlMatchType":"contains"}`), object{"questions": []any{open(nil)}})
		return question(survey, keys)
	}
	found, _ := plan(t, broken(nil), broken(object{"description": "new"}))
	assert.Empty(t, found, "a draft must not cause a warning, because it is not shown")
	found, _ = plan(t, broken(nil), broken(object{"status": "running"}))
	assert.True(t, isFound(found, code, true), "the launch must cause an error: %+v", found)
	found, _ = plan(t, broken(object{"start_date": "2025-01-01T00:00:00Z"}), broken(object{"start_date": "2025-01-01T00:00:00Z", "description": "new"}))
	assert.Empty(t, found, "a survey that already runs must not cause an error, only lint reports it")
}
