package terraform_test

import (
	"strings"
	"testing"
)

func when(conditions string) object  { return with(object{"conditions": conditions}) }
func looks(appearance string) object { return with(object{"appearance": appearance}) }

func TestJSONChecks(t *testing.T) {
	t.Parallel()
	assertHeard(t, map[string]hearing{
		"match type":        fault("conditions.urlMatchType", "Known values: regex").of(when(`{"urlMatchType":"contains"}`)),
		"url":               fault("conditions.url", "must be a text").of(when(`{"url":["/a"]}`)),
		"url, a number":     suspicion("conditions.url", "in quotes").of(when(`{"url":5}`)),
		"device":            fault("conditions.deviceTypes[1]", `is "Phone"`).of(when(`{"deviceTypes":["Desktop","Phone"]}`)),
		"devices":           fault("conditions.deviceTypes", "must be a list").of(when(`{"deviceTypes":"Desktop"}`)),
		"days":              fault("conditions.seenSurveyWaitPeriodInDays", "whole number").of(when(`{"seenSurveyWaitPeriodInDays":1.5}`)),
		"days, a text":      fault("conditions.seenSurveyWaitPeriodInDays", "without quotes").of(when(`{"seenSurveyWaitPeriodInDays":"30"}`)),
		"days, negative":    fault("conditions.seenSurveyWaitPeriodInDays", "0 or more").of(when(`{"seenSurveyWaitPeriodInDays":-1}`)),
		"event":             fault("conditions.events.values[0].name", "known by its name").of(when(`{"events":{"values":[{}]}}`)),
		"event filters":     fault("conditions.events.values[0].propertyFilters.plan.values", "must be a list").of(when(`{"events":{"values":[{"name":"e","propertyFilters":{"plan":{"values":"a","operator":"exact"}}}]}}`)),
		"repeated":          fault("conditions.events.repeatedActivation", "true or false").of(when(`{"events":{"repeatedActivation":"yes","values":[]}}`)),
		"action":            fault("conditions.actions.values[0].id", "by its id").of(when(`{"actions":{"values":[{"name":"clicked"}]}}`)),
		"action id":         fault("conditions.actions.values[0].id", "must be a number").of(when(`{"actions":{"values":[{"id":"7"}]}}`)),
		"expression":        suspicion("conditions.url", "missing closing").of(when(`{"url":"(a","urlMatchType":"regex"}`)),
		"expression, ahead": silence.of(when(`{"url":"^(?!a).*$","urlMatchType":"regex"}`)),
		"no expression":     silence.of(when(`{"url":"(a","urlMatchType":"icontains"}`)),
		"all of it":         silence.of(when(`{"url":"/a","urlMatchType":"not_regex","selector":"#a","deviceTypes":["Desktop","Mobile","Tablet"],"deviceTypesMatchType":"is_not","seenSurveyWaitPeriodInDays":0,"events":{"repeatedActivation":true,"values":[{"name":"e","propertyFilters":{"p":{"values":["1"],"operator":"gt"}}}]},"actions":{"values":[{"id":1,"name":"a"}]}}`)),
		"Terraform's style": suspicion("conditions.url_match_type", "Did you mean conditions.urlMatchType?").of(when(`{"url":"/","url_match_type":"exact"}`)),
		"capitals":          suspicion("conditions.URL", "conditions.url?").of(when(`{"URL":"/"}`)),
		"misspelt, deep":    suspicion("conditions.events.values[0].property_filters", "values[0].propertyFilters?").of(when(`{"events":{"values":[{"name":"e","property_filters":{}}]}}`)),
		"newer key":         silence.of(when(`{"urls":["/a"],"url":"/","audience":{"x":1}}`)),
		"null":              silence.of(when(`null`)),

		"position":         fault("appearance.position", "next_to_trigger").of(looks(`{"position":"bottom"}`)),
		"widget":           fault("appearance.widgetType", "button, tab, selector").of(looks(`{"widgetType":"bubble"}`)),
		"flag":             fault("appearance.displayThankYouMessage", "true or false").of(looks(`{"displayThankYouMessage":"true"}`)),
		"delay":            fault("appearance.surveyPopupDelaySeconds", "number").of(looks(`{"surveyPopupDelaySeconds":"5"}`)),
		"delay, fraction":  silence.of(looks(`{"surveyPopupDelaySeconds":0.5}`)),
		"z-index":          suspicion("appearance.zIndex", "in quotes").of(looks(`{"zIndex":2147482647}`)),
		"British spelling": suspicion("appearance.backgroundColour", "backgroundColor?").of(looks(`{"backgroundColour":"#fff"}`)),
		"both spellings":   silence.of(looks(`{"widgetColour":"#fff","widgetColor":"#fff"}`)),
		"far from all":     silence.of(looks(`{"n":1,"theme":"dark","backgroundImage":"x"}`)),

		"percentage":      fault("targeting_flag_filters.groups[0].rollout_percentage", "0 to 100").of(filters(`{"rollout_percentage":101}`)),
		"groups":          fault("targeting_flag_filters.groups", "must be a list").of(with(object{"targeting_flag_filters": `{"groups":{}}`})),
		"rollout":         suspicion("targeting_flag_filters.groups[0].rolloutPercentage", "rollout_percentage?").of(filters(`{"rolloutPercentage":5,"properties":[{"key":"a","type":"person","value":"b"}]}`)),
		"untyped":         fault("targeting_flag_filters.groups[0].properties[0].type", "person, cohort or flag").of(filters(`{"properties":[{"key":"a","value":"b"}]}`)),
		"of companies":    silence.of(with(object{"targeting_flag_filters": `{"aggregation_group_type_index":0,"groups":[{"properties":[{"key":"a","type":"group","group_type_index":0,"value":"b"}]}]}`})),
		"defined variant": silence.of(with(object{"targeting_flag_filters": `{"multivariate":{"variants":[{"key":"a","rollout_percentage":100}]},"groups":[{"variant":"a","rollout_percentage":5}]}`})),
		"no filters":      silence.of(with(object{"targeting_flag_filters": `{}`})),

		"translation":         fault("translations.de", "must be an object").of(with(object{"translations": `{"de":"Danke"}`})),
		"translated number":   fault("translations.de.thankYouMessageHeader", "must be a text").of(with(object{"translations": `{"de":{"thankYouMessageHeader":1}}`})),
		"translated misspelt": suspicion("translations.de.thankYouMessageHeadr", "thankYouMessageHeader").of(with(object{"translations": `{"de":{"thankYouMessageHeadr":"Danke"}}`})),
		"translations":        silence.of(with(object{"translations": `{"de":{"thankYouMessageHeader":"Danke"},"pt_BR":{},"zh-Hant":{}}`})),
		"base language":       silence.of(with(object{"base_language": "pt_BR"})),
		"blank language":      silence.of(with(object{"base_language": ""})),
		"form":                silence.of(with(object{"form_content": `{"type":["doc"]}`})),
	})
}

func TestSurveyChecks(t *testing.T) {
	t.Parallel()
	assertHeard(t, map[string]hearing{
		"no flag":              fault("linked_flag_id", "Ids count from 1").of(with(object{"linked_flag_id": 0})),
		"no insight":           fault("linked_insight_id", "Ids count from 1").of(with(object{"linked_insight_id": 0})),
		"no targeting flag":    fault("targeting_flag_id", "Ids count from 1").of(with(object{"targeting_flag_id": 0})),
		"backwards":            suspicion("end_date", "start_date is").of(with(object{"start_date": "2026-02-01T00:00:00+02:00", "end_date": "2026-01-31T21:59:59Z"})),
		"count alone":          suspicion("iteration_count", "iteration_frequency_days").of(with(object{"iteration_count": 3})),
		"frequency alone":      suspicion("iteration_frequency_days", "iteration_count").of(with(object{"iteration_frequency_days": 3})),
		"recurring, never":     suspicion("schedule", "not set").of(with(object{"schedule": "recurring"})),
		"recurring":            silence.of(with(object{"schedule": "recurring", "iteration_count": 500, "iteration_frequency_days": 7})),
		"sampling today":       silence.of(with(object{"response_sampling_start_date": "2026-01-02T00:00:00Z", "response_sampling_interval": 1, "response_sampling_limit": 5})),
		"sampling, other zone": fault("response_sampling_start_date", "today is 2026-01-02 (UTC)").of(with(object{"response_sampling_start_date": "2026-01-02T01:00:00+02:00"})),
		"sampling, no limit":   silence.of(with(object{"response_sampling_limit": 0})),
		"long name":            silence.of(with(object{"name": strings.Repeat("ü", 400)})),
		"external":             silence.of(external(object{"conditions": `{"url":null,"actions":{"values":[]},"events":null}`, "appearance": `{}`})),
	})
}
