package check_test

import (
	"strings"
	"testing"
)

func TestSurveyChecks(t *testing.T) {
	t.Parallel()
	assertFound(t, map[string]finding{
		"no flag":              fault("invalid-id", "linked_flag_id", "IDs start at 1").of(with(object{"linked_flag_id": 0})),
		"no insight":           fault("invalid-id", "linked_insight_id", "IDs start at 1").of(with(object{"linked_insight_id": 0})),
		"no targeting flag":    fault("invalid-id", "targeting_flag_id", "IDs start at 1").of(with(object{"targeting_flag_id": 0})),
		"backwards":            suspicion("end-before-start", "end_date", "before start_date").of(with(object{"start_date": "2026-02-01T00:00:00+02:00", "end_date": "2026-01-31T21:59:59Z"})),
		"count alone":          suspicion("never-repeats", "iteration_count", "iteration_frequency_days").of(with(object{"iteration_count": 3})),
		"frequency alone":      suspicion("never-repeats", "iteration_frequency_days", "iteration_count").of(with(object{"iteration_frequency_days": 3})),
		"recurring, never":     suspicion("never-repeats", "schedule", "not set").of(with(object{"schedule": "recurring"})),
		"recurring":            silence.of(with(object{"schedule": "recurring", "iteration_count": 500, "iteration_frequency_days": 7})),
		"sampling today":       silence.of(with(object{"response_sampling_start_date": "2026-01-02T00:00:00Z", "response_sampling_interval": 1, "response_sampling_limit": 5})),
		"sampling, other zone": fault("past-sampling", "response_sampling_start_date", "today is 2026-01-02 (UTC)").of(with(object{"response_sampling_start_date": "2026-01-02T01:00:00+02:00"})),
		"sampling, no limit":   silence.of(with(object{"response_sampling_limit": 0})),
		"long name":            silence.of(with(object{"name": strings.Repeat("ü", 400)})),
		"external":             silence.of(external(object{"conditions": `{"url":null,"actions":{"values":[]},"events":null}`, "appearance": `{}`})),

		"no name":                   fault("missing-name", "name", "empty").of(with(object{"name": " \t\n"})),
		"endless name":              fault("name-too-long", "name", "has 401 characters").of(with(object{"name": strings.Repeat("ü", 401)})),
		"iterations by default":     silence.of(with(object{"iteration_count": 3, "iteration_frequency_days": 7})),
		"iterations, once":          fault("schedule-conflict", "schedule", `is "once"`).of(with(object{"schedule": "once", "iteration_count": 3, "iteration_frequency_days": 7})),
		"iterations, always":        fault("schedule-conflict", "schedule", `is "always"`).of(with(object{"schedule": "always", "iteration_count": 3, "iteration_frequency_days": 7})),
		"once, switched off":        silence.of(with(object{"schedule": "once", "iteration_count": 0})),
		"500 iterations":            silence.of(with(object{"iteration_count": 500, "iteration_frequency_days": 7})),
		"501 iterations":            fault("too-many-iterations", "iteration_count", "501").of(with(object{"iteration_count": 501, "iteration_frequency_days": 7})),
		"iteration below":           fault("negative-number", "current_iteration", "counted from 1").of(with(object{"current_iteration": -1})),
		"iteration 0":               silence.of(with(object{"current_iteration": 0})),
		"date in words":             fault("invalid-date-and-time", "iteration_start_dates[1]", "RFC 3339").of(with(object{"iteration_start_dates": []any{"2026-01-01T00:00:00Z", "01.02.2026"}})),
		"same moment":               suspicion("future-end", "end_date", "as soon as you apply the plan").of(with(object{"start_date": "2027-01-31T00:00:00Z", "end_date": "2027-01-31T00:00:00Z"})),
		"sampling yesterday":        fault("past-sampling", "response_sampling_start_date", "today is 2026-01-02").of(with(object{"response_sampling_start_date": "2026-01-01T23:59:59Z"})),
		"sampling at midnight":      silence.of(with(object{"response_sampling_start_date": "2026-01-02T00:00:00Z", "response_sampling_limit": 0})),
		"sampling without a limit":  fault("missing-sampling-limit", "response_sampling_limit", "because response_sampling_start_date is set. Use 0").of(with(object{"response_sampling_start_date": "2026-01-03T00:00:00Z", "response_sampling_interval": 1})),
		"start without an interval": fault("missing-sampling-interval", "response_sampling_interval", "because response_sampling_start_date is").of(with(object{"response_sampling_start_date": "2026-01-03T00:00:00Z"})),
		"limit without an interval": fault("missing-sampling-interval", "response_sampling_interval", "because response_sampling_limit is").of(with(object{"response_sampling_limit": 5, "response_sampling_start_date": "2026-01-03T00:00:00Z"})),
		"limit without a start":     fault("missing-sampling-start", "response_sampling_start_date", "because response_sampling_limit is").of(with(object{"response_sampling_limit": 5, "response_sampling_interval": 1})),
		"interval of 0":             fault("missing-sampling-interval", "response_sampling_interval", "is 0").of(with(object{"response_sampling_interval": 0})),

		"external, a flag":       fault("not-for-external-surveys", "linked_flag_id", "a separate page").of(external(object{"linked_flag_id": 1})),
		"external, filters":      fault("not-for-external-surveys", "targeting_flag_filters", "external_survey").of(external(object{"targeting_flag_filters": `{"groups":[{"rollout_percentage":5}]}`})),
		"external, url":          fault("not-for-external-surveys", "conditions.url", "external_survey").of(external(object{"conditions": `{"url":"/"}`})),
		"external, match type":   fault("not-for-external-surveys", "conditions.urlMatchType", "external_survey").of(external(object{"conditions": `{"urlMatchType":"exact"}`})),
		"external, selector":     fault("not-for-external-surveys", "conditions.selector", "external_survey").of(external(object{"conditions": `{"selector":"#a"}`})),
		"external, wait":         fault("not-for-external-surveys", "conditions.seenSurveyWaitPeriodInDays", "external_survey").of(external(object{"conditions": `{"seenSurveyWaitPeriodInDays":3}`})),
		"external, variant":      fault("not-for-external-surveys", "conditions.linkedFlagVariant", "external_survey").of(external(object{"conditions": `{"linkedFlagVariant":"a"}`})),
		"external, devices":      fault("not-for-external-surveys", "conditions.deviceTypes", "external_survey").of(external(object{"conditions": `{"deviceTypes":["Desktop"]}`})),
		"external, device match": fault("not-for-external-surveys", "conditions.deviceTypesMatchType", "external_survey").of(external(object{"conditions": `{"deviceTypesMatchType":"exact"}`})),
		"external, events":       fault("not-for-external-surveys", "conditions.events", "external_survey").of(external(object{"conditions": `{"events":{"values":[{"name":"e"}]}}`})),
		"external, actions":      fault("not-for-external-surveys", "conditions.actions", "external_survey").of(external(object{"conditions": `{"actions":{"values":[{"id":1}]}}`})),
		"external, delay":        fault("not-for-external-surveys", "appearance.surveyPopupDelaySeconds", "external_survey").of(external(object{"appearance": `{"surveyPopupDelaySeconds":0}`})),
		"external, cancel":       silence.of(external(object{"conditions": `{"cancelEvents":{"values":[{"name":"e"}]}}`})),

		"language in words":     fault("not-a-language-code", "base_language", `is "english"`).of(with(object{"base_language": "english"})),
		"endless language":      fault("not-a-language-code", "base_language", "at most 20 characters").of(with(object{"base_language": "zh-hant-hk-x-abcdefgh-abc"})),
		"translations, a list":  fault("not-a-json-object", "translations", "It must be a mapping.").of(with(object{"translations": `["de"]`})),
		"german":                fault("not-a-language-code", "translations.german", "such as en, pt-BR").of(with(object{"translations": `{"german":{}}`})),
		"default":               fault("not-a-language-code", "translations.Default", "Use a language code").of(with(object{"translations": `{"Default":{}}`})),
		"base language itself":  fault("translated-into-base-language", "translations.EN", "The survey itself contains").of(with(object{"translations": `{"EN":{}}`})),
		"other base language":   fault("translated-into-base-language", "translations.pt-br", "The survey itself contains").of(with(object{"base_language": "pt_BR", "translations": `{"pt-br":{}}`})),
		"not the base language": silence.of(with(object{"base_language": "de", "translations": `{"en":{}}`})),
		"one language twice":    fault("duplicate-language", "translations.ro-ro", `same language as "Ro_RO"`).of(with(object{"translations": `{"Ro_RO":{},"ro-ro":{}}`})),
	})
}
