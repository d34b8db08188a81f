package testserver_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHostedRefusesReferences(t *testing.T) {
	t.Parallel()
	const flag, targeting, insight = "Feature Flag with this ID does not exist", "Targeting Feature Flag with this ID does not exist", "Insight with this ID does not exist"
	const alone = "linkedFlagVariant can only be used when a linked_flag_id is specified"
	refuses(t, []refusal{
		{"row 11 name taken", `"name":" Taken "`, "unique", "", "There is already a survey with this name.", onCreate},
		{"row 12 name taken", `"name":"Taken "`, "unique", "", "There is already another survey with this name.", onUpdate},
		{"row 13 unknown", `"linked_flag_id":99`, "invalid_input", "", flag, always},
		{"row 13 of another project", `"linked_flag_id":9`, "invalid_input", "", flag, always},
		{"row 14 unknown", `"targeting_flag_id":99`, "invalid_input", "", targeting, always},
		{"row 14 of another project", `"targeting_flag_id":9`, "invalid_input", "", targeting, always},
		{"row 15 unknown", `"linked_insight_id":99`, "invalid_input", "", insight, always},
		{"row 15 of another project", `"linked_insight_id":5`, "invalid_input", "", insight, always},
		{"row 16 without a flag", `"conditions":{"linkedFlagVariant":"a"}`, "invalid_input", "", alone, always},
		{"row 16 any without a flag", `"conditions":{"linkedFlagVariant":"any"}`, "invalid_input", "", alone, always},
		{"row 16 null flag", `"linked_flag_id":null,"conditions":{"linkedFlagVariant":"a"}`, "invalid_input", "", alone, always},
		{
			"row 17 variant", `"linked_flag_id":2,"conditions":{"linkedFlagVariant":"v"}`, "invalid_input", "",
			"Feature flag variant 'v' does not exist. Available variants: a, b", always,
		},
		{
			"row 18 no variants", `"linked_flag_id":1,"conditions":{"linkedFlagVariant":"v"}`, "invalid_input", "",
			"Feature flag variant 'v' specified but the linked feature flag has no variants", always,
		},
	})

	_, c := startHosted(t, validationFixtures)
	c.patch(mine, `{"linked_flag_id":1,"conditions":{"linkedFlagVariant":"any"}}`).is(http.StatusOK)
	c.patch(mine, `{"linked_flag_id":2,"conditions":{"linkedFlagVariant":"b"}}`).is(http.StatusOK)
	c.patch(mine, `{"conditions":{"linkedFlagVariant":"b"}}`).fails(http.StatusBadRequest, "invalid_input", "", alone)
	c.patch(mine, `{"conditions":{"linkedFlagVariant":""},"linked_insight_id":4}`).is(http.StatusOK)
}

func TestHostedRefusesConditionsAndAppearance(t *testing.T) {
	t.Parallel()
	const shuffled = "Question shuffling and question branching cannot be used together. Please disable one of these features."
	const branched = `"questions":[{"question":"q"},{"question":"r","branching":{}}]`
	refuses(t, []refusal{
		{"row 37 in one request", `"appearance":{"shuffleQuestions":true},` + branched, "invalid_input", "", shuffled, always},
		{"row 38 text", `"conditions":"{}"`, "invalid_input", "conditions", "Conditions must be an object", always},
		{"row 38 list", `"conditions":[]`, "invalid_input", "conditions", "Conditions must be an object", always},
		{"row 40 text", `"appearance":""`, "invalid_input", "appearance", "Appearance must be an object", always},
		{
			"row 41 content type", `"appearance":{"thankYouMessageDescriptionContentType":"markdown"}`, "invalid_input", "appearance",
			"thankYouMessageDescriptionContentType must be one of ['text', 'html']", always,
		},
		{"row 42 delay", `"appearance":{"surveyPopupDelaySeconds":-0.5}`, "invalid_input", "appearance", "Survey popup delay seconds must be a positive integer", always},
		{"row 43 not a boolean", `"appearance":{"whiteLabel":"yes"}`, "invalid_input", "appearance", "whiteLabel must be a boolean", always},
		{
			"row 43 without plan", `"appearance":{"whiteLabel":true}`, "invalid_input", "appearance",
			"You need to upgrade to PostHog Enterprise to use white labelling", always,
		},
	})
	_, c := startHosted(t, validationFixtures)
	c.patch(mine, `{"appearance":{"shuffleQuestions":true,"surveyPopupDelaySeconds":0,"whiteLabel":false}}`).is(http.StatusOK)
	c.patch(mine, "{"+branched+"}").fails(http.StatusBadRequest, "invalid_input", "", shuffled)
	c.patch(mine, `{"appearance":{"shuffleQuestions":false},`+branched+"}").is(http.StatusOK)
	c.patch(mine, `{"appearance":{"shuffleQuestions":true}}`).fails(http.StatusBadRequest, "invalid_input", "", shuffled)
	c.patch(mine, `{"appearance":{"shuffleQuestions":true},"questions":null}`).fails(http.StatusBadRequest, "invalid_input", "", shuffled)
	c.patch(mine, `{"questions":[{"question":"q","branching":null}]}`).is(http.StatusOK)
	a := c.patch(mine, `{"conditions":{"actions":{"values":[{"id":1,"steps":[{"properties":[{"key":"k"}]}]}]}}}`)
	assert.Equal(t, http.StatusOK, a.status, "row 39 allowed: actions with property filters")

	_, licensed := startHosted(t, `{"organizations":[{"id":"0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6","features":["white_labelling"]}]}`)
	licensed.make(`"appearance":{"whiteLabel":true}`)
}

func TestHostedRefusesSchedules(t *testing.T) {
	t.Parallel()
	const start, interval = "response_sampling_start_date", "response_sampling_interval"
	refuses(t, []refusal{
		{
			"row 45 yesterday", `"response_sampling_start_date":"2026-01-01T23:59:59Z"`, "invalid_input", start,
			"Response sampling start date must be today or a future date in UTC. Got 2026-01-01 23:59:59+00:00 when current time is 2026-01-02 00:00:00+00:00", always,
		},
		{"row 46 interval", `"response_sampling_interval":0`, "invalid_input", interval, "Response sampling interval must be greater than 0.", always},
		{
			"row 47 no start", `"response_sampling_limit":5,"response_sampling_interval":1`, "invalid_input", start,
			"Response sampling start date should be set if response_sampling_start_date is not zero.", always,
		},
	})
	_, c := startHosted(t, validationFixtures)
	a := c.patch(mine, `{"response_sampling_limit":5,"response_sampling_start_date":"2026-01-02T00:00:00Z"}`)
	assert.Equal(t, http.StatusInternalServerError, a.status, "row 48 limit without interval")
	c.patch(mine, `{"response_sampling_limit":5,"response_sampling_interval":1,"response_sampling_start_date":"2026-01-02T00:00:00Z"}`).is(http.StatusOK)

	a = c.patch(mine, `{"response_sampling_limit":6,"response_sampling_start_date":"2026-01-02T00:00:00Z"}`)
	assert.Equal(t, http.StatusInternalServerError, a.status, "row 48 the interval that is stored does not count")

	c.patch(mine, `{"start_date":"2026-01-01T00:00:00Z","iteration_count":3,"iteration_frequency_days":7,"current_iteration":2}`).is(http.StatusOK)
	c.patch(mine, `{"iteration_count":1,"iteration_frequency_days":7,"targeting_flag_filters":`+tenPercent+`}`).
		fails(http.StatusBadRequest, "invalid_input", "", "Cannot change survey recurrence to 1, should be at least 2")
	assert.Equal(t, "3", c.get(mine).raw("iteration_count"), "row 44 nothing of the survey is changed")
	c.patch(mine, `{"targeting_flag_filters":`+tenPercent+`}`).is(http.StatusOK)
	c.patch(mine, `{"iteration_count":1,"remove_targeting_flag":true}`).is(http.StatusBadRequest)
	assert.Equal(t, "null", c.get(mine).raw("targeting_flag"), "row 44 comes after the flags were edited")
	c.patch(mine, `{"iteration_count":0}`).is(http.StatusOK)
}

func TestHostedRefusesInExternalSurveys(t *testing.T) {
	t.Parallel()
	const external, forbidden = `"type":"external_survey",`, "The following condition fields are not allowed for external surveys: "
	refuses(t, []refusal{
		{"row 49 linked_flag_id", external + `"linked_flag_id":1`, "invalid_input", "linked_flag_id", "linked_flag_id is not allowed for external surveys", always},
		{"row 49 targeting_flag_filters", external + `"targeting_flag_filters":{}`, "invalid_input", "targeting_flag_filters", "targeting_flag_filters is not allowed for external surveys", always},
		{"row 50 some", external + `"conditions":{"actions":{"values":[{"id":1}]},"url":"x","events":null}`, "invalid_input", "conditions", forbidden + "url, actions", always},
		{
			"row 50 all", external + `"linked_flag_id":null,"conditions":{"deviceTypesMatchType":"exact","deviceTypes":[],"linkedFlagVariant":"","seenSurveyWaitPeriodInDays":0,` +
				`"selector":"","urlMatchType":"","url":"","events":{"values":[{"name":"e"}]}}`, "invalid_input", "conditions",
			forbidden + "url, urlMatchType, selector, seenSurveyWaitPeriodInDays, linkedFlagVariant, deviceTypes, deviceTypesMatchType, events", always,
		},
		{"row 51 delay", external + `"appearance":{"surveyPopupDelaySeconds":0}`, "invalid_input", "appearance", "surveyPopupDelaySeconds is not allowed for external surveys", always},
		{
			"rows 49-51 the first wins", external + `"appearance":{"surveyPopupDelaySeconds":1},"conditions":{"url":"x"},"targeting_flag_filters":{},"linked_flag_id":1`,
			"invalid_input", "linked_flag_id", "linked_flag_id is not allowed for external surveys", always,
		},
	})

	_, c := startHosted(t, validationFixtures)
	c.patch(mine, "{"+external+`"linked_flag_id":null,"conditions":{"url":null,"actions":{"values":[]},"events":{"values":[]},"zz":1},"appearance":{"surveyPopupDelaySeconds":null}}`).is(http.StatusOK)
	c.patch(mine, `{"conditions":{"url":"x"},"linked_flag_id":1}`).is(http.StatusOK)
}
