package testserver_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Where a refusal is expected: of a new survey, of an update, or of both.
type when int

const (
	always when = iota
	onCreate
	onUpdate
)

// refusal is a row of the service's table of errors.
type refusal struct {
	name string
	// sent are the fields of the request; a new survey is also given a name and a type.
	sent               string
	code, attr, detail string
	when               when
}

const badMoment = "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."

// validationFixtures have flags with and without variants, actions, cohorts and an
// insight, in project 1; in project 2 a flag and an insight; and two surveys.
const validationFixtures = `{"projects":[{"id":1},{"id":2}],
"feature_flags":[{"id":1,"project_id":1,"key":"plain"},{"id":2,"project_id":1,"key":"variants","filters":{"groups":[],
 "multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"b","rollout_percentage":50}]}}},{"id":9,"project_id":2,"key":"theirs"}],
"insights":[{"id":4,"project_id":1},{"id":5,"project_id":2}],
"cohorts":[{"id":6,"project_id":1,"name":"static"},{"id":7,"project_id":1,"name":"buyers","behavioral":true},{"id":8,"project_id":2}],
"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000aa","name":"Taken","type":"popover"},
 {"project_id":1,"id":"019b0000-0000-7000-9000-0000000000bb","name":"Mine","type":"popover","translations":{"fr":{"name":"x"},"zz_bad_Key!":{"name":"y"}}}]}`

const mine = surveys + "019b0000-0000-7000-9000-0000000000bb/"

// refuses runs a table of refusals, and that nothing was changed by them.
func refuses(t *testing.T, rows []refusal) {
	t.Helper()
	srv, c := startHosted(t, validationFixtures)
	before := srv.Dump()
	for _, row := range rows {
		t.Log(row.name)
		if row.when != onCreate {
			c.patch(mine, "{"+row.sent+"}").fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		}
		if row.when != onUpdate {
			body := row.sent
			if row.code != "required" {
				// Of a key that is there twice the last counts.
				body = `"name":"New","type":"api",` + body
			}
			c.post(surveys, "{"+body+"}").fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		}
		assert.Equal(t, before, srv.Dump(), "%s changes nothing", row.name)
	}
}

func TestHostedRefusesFields(t *testing.T) {
	t.Parallel()
	const blank, null, integer = "This field may not be blank.", "This field may not be null.", "A valid integer is required."
	const least, greatest = "Ensure this value is greater than or equal to 0.", "Ensure this value is less than or equal to 2147483647."
	rows := []refusal{
		{"row 1 no name", `"type":"api"`, "required", "name", "This field is required.", onCreate},
		{"row 1 no type", `"name":"New"`, "required", "type", "This field is required.", onCreate},
		{"row 2 empty", `"name":""`, "blank", "name", blank, always},
		{"row 2 only blanks", `"name":" \t\n "`, "blank", "name", blank, always},
		{"row 3 name", `"name":null`, "null", "name", null, always},
		{"row 3 description", `"description":null`, "null", "description", null, always},
		{"row 3 type", `"type":null`, "null", "type", null, always},
		{"row 3 archived", `"archived":null`, "null", "archived", null, always},
		{"row 3 targeting_flag_id", `"targeting_flag_id":null`, "null", "targeting_flag_id", null, always},
		{"row 4 name", `"name":"` + strings.Repeat("é", 401) + `"`, "max_length", "name", "Ensure this field has no more than 400 characters.", always},
		{"row 5 unknown", `"type":"full_screen"`, "invalid_choice", "type", `"full_screen" is not a valid choice.`, always},
		{"row 5 empty", `"type":""`, "invalid_choice", "type", `"" is not a valid choice.`, always},
		{"row 6 schedule", `"schedule":"weekly"`, "invalid_input", "schedule", "Schedule must be one of: once, recurring, always", always},
		{"row 6 schedule", `"schedule":5`, "invalid_input", "schedule", "Schedule must be one of: once, recurring, always", always},
		{"row 7 iteration_count", `"iteration_count":501`, "max_value", "iteration_count", "Ensure this value is less than or equal to 500.", always},
		{"row 10 start_date", `"start_date":"soon"`, "invalid_input", "start_date", badMoment, always},
		{"row 10 end_date", `"end_date":""`, "invalid_input", "end_date", badMoment, always},
		{"row 10 number", `"end_date":20240101`, "invalid_input", "end_date", badMoment, always},
		{"row 10 no such day", `"start_date":"2024-02-30T00:00:00Z"`, "invalid_input", "start_date", badMoment, always},
		{"row 10 out of range", `"start_date":"9999-12-31T23:59:59-01:00"`, "overflow", "start_date", "Datetime value out of range.", always},
		{"row 10 current_iteration_start_date", `"current_iteration_start_date":"x"`, "invalid_input", "current_iteration_start_date", badMoment, always},
		{"row 10 response_sampling_start_date", `"response_sampling_start_date":"x"`, "invalid_input", "response_sampling_start_date", badMoment, always},
		{"row 10 in a list", `"iteration_start_dates":[null,"x"]`, "invalid_input", "iteration_start_dates__1", badMoment, always},
		{"row 10 no list", `"iteration_start_dates":"x"`, "not_a_list", "iteration_start_dates", `Expected a list of items but got type "str".`, always},
		{"1 response_sampling_interval_type", `"response_sampling_interval_type":"year"`, "invalid_choice", "response_sampling_interval_type", `"year" is not a valid choice.`, always},
		{"1 base_language", `"base_language":"` + strings.Repeat("a", 21) + `"`, "max_length", "base_language", "Ensure this field has no more than 20 characters.", always},
		{"1 base_language", `"base_language":null`, "null", "base_language", null, always},
		{"1 booleans", `"archived":"maybe"`, "invalid_input", "archived", "Must be a valid boolean.", always},
		{"1 strings", `"description":["x"]`, "invalid_input", "description", "Not a valid string.", always},
	}
	for _, name := range []string{
		"responses_limit", "iteration_count", "iteration_frequency_days", "current_iteration", "response_sampling_interval", "response_sampling_limit",
	} {
		rows = append(rows,
			refusal{"row 8 " + name, `"` + name + `":-1`, "min_value", name, least, always},
			refusal{"row 9 " + name, `"` + name + `":"x"`, "invalid_input", name, integer, always})
		if name != "iteration_count" {
			rows = append(rows, refusal{"1 " + name, `"` + name + `":2147483648`, "max_value", name, greatest, always})
		}
	}
	for _, name := range []string{"linked_flag_id", "linked_insight_id", "targeting_flag_id"} {
		rows = append(rows, refusal{"row 9 " + name, `"` + name + `":1.5`, "invalid_input", name, integer, always})
	}
	refuses(t, rows)
}

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

func TestHostedRefusesTargeting(t *testing.T) {
	t.Parallel()
	const everyone = "Invalid operation: User targeting rolls out to everyone. If you want to roll out to everyone, delete this targeting"
	targets := func(groups string) string { return `"targeting_flag_filters":{"groups":[` + groups + `]}` }
	has := func(properties string) string {
		return targets(`{"properties":[` + properties + `],"rollout_percentage":50}`)
	}
	refuses(t, []refusal{
		{"row 19 hundred", targets(`{"properties":[],"rollout_percentage":100}`), "invalid_input", "", everyone, always},
		{"row 19 null", targets(`{"properties":[],"rollout_percentage":null}`), "invalid_input", "", everyone, always},
		{"row 19 absent", targets(`{"rollout_percentage":10},{}`), "invalid_input", "", everyone, always},
		{
			"row 20 property type", has(`{"key":"k","type":"event","value":"v"}`), "invalid_input", "filters",
			"Filters are not valid (can only use person, cohort, and flag properties)", always,
		},
		{
			"row 21 variant", targets(`{"properties":[],"rollout_percentage":50,"variant":"v"}`), "invalid_input", "filters",
			"Filters are not valid (variant override does not exist)", always,
		},
		{"row 22 unknown", has(`{"key":"id","type":"cohort","value":99}`), "cohort_does_not_exist", "filters", "Cohort with id 99 does not exist", always},
		{"row 22 of another project", has(`{"key":"id","type":"cohort","value":8}`), "cohort_does_not_exist", "filters", "Cohort with id 8 does not exist", always},
		{
			"row 23 behavioural", has(`{"key":"id","type":"cohort","value":7}`), "behavioral_cohort_found", "",
			"Cohort 'buyers' with filters on events cannot be used in surveys.", always,
		},
		{"row 24 value", has(`{"key":"k","type":"person","value":5,"operator":"gt"}`), "invalid_value", "filters", "Invalid value for operator gt: 5", always},
		{"row 24 value", has(`{"key":"k","type":"person","value":null,"operator":"icontains"}`), "invalid_value", "filters", "Invalid value for operator icontains: None", always},
		{"row 24 pattern", has(`{"key":"k","type":"person","value":"[a","operator":"regex"}`), "invalid_input", "filters", "groups[0].properties[0].value: invalid regex pattern", always},
	})
	_, c := startHosted(t, validationFixtures)
	for _, sent := range []string{
		targets(`{"properties":[],"rollout_percentage":99.9}`), has(`{"key":"id","type":"cohort","value":"6"}`),
		has(`{"key":"k","type":"person","value":"(?<=a)b","operator":"regex"}`), targets(""),
		`"targeting_flag_filters":{"groups":[{"properties":[{"key":"k","type":"group"}],"variant":"v"}],"aggregation_group_type_index":0,"multivariate":{"variants":[{"key":"v"}]}}`,
	} {
		c.patch(mine, `{"remove_targeting_flag":true,`+sent+"}").is(http.StatusOK)
	}
	c.patch(mine, `{"remove_targeting_flag":true}`).is(http.StatusOK)
	for _, sent := range []string{`"x"`, `[1]`, `{"payloads":{}}`, `{"groups":"x"}`, `{"groups":["x"]}`} {
		a := c.patch(mine, `{"targeting_flag_filters":`+sent+`}`)
		assert.Equal(t, http.StatusInternalServerError, a.status, "row 25 %s", sent)
		assert.Equal(t, "null", c.get(mine).raw("targeting_flag"))
	}
}

// asked is a question with more fields.
func asked(more string) string { return `"questions":[{"question":"q",` + more + `}]` }

func TestHostedRefusesQuestions(t *testing.T) {
	t.Parallel()
	const list, https, mailto = "Questions must be a list of objects", "Invalid HTTPS URL. Please enter a valid HTTPS link.",
		"Invalid mailto link. Please enter a valid mailto link (e.g., mailto:example@domain.com)."
	const scheme = "Link must be a URL with one of these schemes: [https, mailto]"
	rows := []refusal{}
	for _, row := range []struct{ name, sent, detail string }{
		{"row 26 empty text", `"questions":""`, list}, {"row 26 text", `"questions":"text"`, list},
		{"row 26 object", `"questions":{}`, list}, {"row 26 list of texts", `"questions":["text"]`, list},
		{"row 27 missing", `"questions":[{}]`, "Question text is required"},
		{"row 27 empty", `"questions":[{"question":"q"},{"question":""}]`, "Question text is required"},
		{"row 27 null", `"questions":[{"question":null}]`, "Question text is required"},
		{"row 28 text", `"questions":[{"question":5}]`, "Question text must be a string"},
		{"row 28 description", asked(`"description":5`), "Question description must be a string"},
		{"row 28 buttonText", asked(`"buttonText":["x"]`), "Question buttonText must be a string"},
		{"row 28 lowerBoundLabel", asked(`"lowerBoundLabel":true`), "Question lowerBoundLabel must be a string"},
		{"row 28 upperBoundLabel", asked(`"upperBoundLabel":{"a":1}`), "Question upperBoundLabel must be a string"},
		{"row 29 content type", asked(`"descriptionContentType":"text/html"`), "Question descriptionContentType must be one of ['text', 'html']"},
		{"row 30 choices", asked(`"choices":"a"`), "Question choices must be a list of strings"},
		{"row 31 empty", asked(`"choices":["a",""]`), "Question choices cannot be empty"},
		{"row 31 blank", asked(`"choices":["a"," \t"]`), "Question choices cannot be empty"},
		{"row 32 number", asked(`"choices":["a",1]`), "Question choices must be strings"},
		{"row 33 http", asked(`"link":"http://example.com"`), scheme},
		{"row 33 javascript", asked(`"link":"javascript:alert(1)"`), scheme},
		{"row 33 no scheme", asked(`"link":"example.com"`), scheme},
		{"row 33 any kind", asked(`"type":"open","link":"ftp://x"`), scheme},
		{"row 34 no address", asked(`"link":"mailto:x"`), mailto},
		{"row 34 capitals", asked(`"link":"MAILTO:x@example.com"`), mailto},
		{"row 35 fragment", asked(`"link":"https://#.com"`), https},
		{"row 35 no host", asked(`"link":"https:///x"`), https},
		{"row 36 not a list", asked(`"validation":{}`), "Question validation must be a list of validation rules"},
		{"row 36 not an object", asked(`"validation":["email"]`), "Each validation rule must be an object"},
		{"row 36 bad type", asked(`"validation":[{"type":"regex"}]`), "Validation rule type must be one of: min_length, max_length, email"},
		{"row 36 not positive", asked(`"validation":[{"type":"min_length","value":0}]`), "Validation rule value for min_length must be a positive integer"},
		{"row 36 not an integer", asked(`"validation":[{"type":"max_length","value":"5"}]`), "Validation rule value for max_length must be a positive integer"},
		{"row 36 min above max", asked(`"validation":[{"type":"max_length","value":2},{"type":"min_length","value":3}]`), "Minimum length cannot be greater than maximum length"},
	} {
		rows = append(rows, refusal{row.name, row.sent, "invalid_input", "questions", row.detail, always})
	}
	refuses(t, rows)
	_, c := startHosted(t, validationFixtures)
	for _, sent := range []string{
		asked(`"choices":[]`), asked(`"choices":null`), asked(`"link":""`), asked(`"link":"mailto:a.b+c@example.co.uk"`), asked(`"link":"HTTPS://example.com"`),
		asked(`"descriptionContentType":""`), asked(`"validation":[]`), asked(`"validation":[{"type":"email","value":"x"},{"type":"min_length"}]`), asked(`"choices":["one"]`),
		asked(`"description":null`), asked(`"type":"open","branching":{"type":"response_based","responseValues":{"x":[]}}`),
	} {
		c.patch(mine, "{"+sent+"}").is(http.StatusOK)
	}
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

func TestHostedRefusesLanguages(t *testing.T) {
	t.Parallel()
	refuses(t, []refusal{
		{"row 52 not an object", `"translations":"x"`, "invalid_input", "translations", "Translations must be an object", always},
		{"row 52 language not an object", `"translations":{"de":"x"}`, "invalid_input", "translations", "Translation for 'de' must be an object", always},
		{"row 52 text not a string", `"translations":{"de":{"name":5}}`, "invalid_input", "translations", "Translation for 'de': 'name' must be a string", always},
		{"row 52 empty key", `"translations":{" ":{"name":"x"}}`, "invalid_input", "translations", "Survey translation: translation language code cannot be empty.", always},
		{
			"row 52 sentinel", `"translations":{"Default":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'Default' is not a valid translation language. The untranslated text is the original — set the survey's base language instead of adding it as a translation.", always,
		},
		{
			"row 52 bad key", `"translations":{"english":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'english' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX' (not language names like 'english').", always,
		},
		{
			"row 52 base language", `"translations":{"EN":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'EN' matches the survey's base language ('en'). The original text already covers this language — translate to a different language.", always,
		},
		{
			"row 52 base language in the same body", `"base_language":"DE","translations":{"de":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'de' matches the survey's base language ('de'). The original text already covers this language — translate to a different language.", always,
		},
		{
			"row 52 collision", `"translations":{"pt-br":{"name":"x"},"pt_BR":{"name":"y"}}`, "invalid_input", "translations",
			"Survey translation: 'pt_BR' collides with another translation for 'pt-br'.", always,
		},
		{"row 52 question", asked(`"translations":[]`), "invalid_input", "questions", "Question 1: translations must be an object", always},
		{"row 52 question", asked(`"translations":{"de":null}`), "invalid_input", "questions", "Question 1: Translation for 'de' must be an object", always},
		{"row 52 question", asked(`"translations":{"de":{"question":1}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'question' must be a string", always},
		{"row 52 question", asked(`"translations":{"de":{"link":1}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'link' must be a string", always},
		{"row 52 question", asked(`"translations":{"de":{"choices":"x"}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'choices' must be a list of strings", always},
		{
			"row 52 question", asked(`"choices":["a","b"],"translations":{"de":{"choices":["x"]}}`), "invalid_input", "questions",
			"Question 1: Translation 'de' has 1 choices but question has 2 choices. Array lengths must match to avoid partial translations.", always,
		},
		{
			"row 52 question base language", asked(`"translations":{"en":{"question":"x"}}`), "invalid_input", "questions",
			"Question 1 translation: 'en' matches the survey's base language ('en'). The original text already covers this language — translate to a different language.", always,
		},
		{"row 53 word", `"base_language":"english"`, "invalid_input", "base_language", "'english' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX'.", always},
		{"row 53 sentinel", `"base_language":"original"`, "invalid_input", "base_language", "'original' is not a valid language code. Use a BCP-47 code like 'en' or 'es'.", always},
		{
			"row 53 translated already", `"base_language":"fr"`, "invalid_input", "base_language",
			"'fr' already exists as a translation key on this survey. Remove the translation first, or pick a different base language.", onUpdate,
		},
	})
	_, c := startHosted(t, validationFixtures)
	kept := c.patch(mine, `{"translations":{"zz_bad_Key!":{"name":"z"},"fr":{"name":"x"}}}`).is(http.StatusOK)
	assert.JSONEq(t, `{"zz_bad_Key!":{"name":"z"},"fr":{"name":"x"}}`, kept.raw("translations"), "row 52 keys that are there are left alone")
}

// One error alone, the first: the fields in their order, then the survey as a whole.
func TestHostedOrderOfErrors(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, validationFixtures)
	wrong := []struct{ sent, attr string }{
		{`"name":""`, "name"}, {`"description":null`, "description"}, {`"type":"x"`, "type"}, {`"schedule":"x"`, "schedule"},
		{`"linked_flag_id":"x"`, "linked_flag_id"}, {`"linked_insight_id":"x"`, "linked_insight_id"}, {`"targeting_flag_id":"x"`, "targeting_flag_id"},
		{`"remove_targeting_flag":"x"`, "remove_targeting_flag"}, {`"questions":"x"`, "questions"}, {`"conditions":"x"`, "conditions"},
		{`"appearance":"x"`, "appearance"}, {`"start_date":"x"`, "start_date"}, {`"end_date":"x"`, "end_date"}, {`"archived":"x"`, "archived"},
		{`"responses_limit":"x"`, "responses_limit"}, {`"iteration_count":"x"`, "iteration_count"},
		{`"iteration_frequency_days":"x"`, "iteration_frequency_days"}, {`"iteration_start_dates":["x"]`, "iteration_start_dates__0"},
		{`"current_iteration":"x"`, "current_iteration"}, {`"current_iteration_start_date":"x"`, "current_iteration_start_date"},
		{`"response_sampling_start_date":"x"`, "response_sampling_start_date"}, {`"response_sampling_interval_type":"x"`, "response_sampling_interval_type"},
		{`"response_sampling_interval":"x"`, "response_sampling_interval"}, {`"response_sampling_limit":"x"`, "response_sampling_limit"},
		{`"enable_partial_responses":"x"`, "enable_partial_responses"}, {`"enable_iframe_embedding":"x"`, "enable_iframe_embedding"},
		{`"base_language":"english"`, "base_language"}, {`"translations":"x"`, "translations"},
	}
	body := ""
	// The last field alone, then the one before it as well, and so on: sent last, it is
	// the first to be wrong.
	for _, row := range slices.Backward(wrong) {
		body += "," + row.sent
		a := c.patch(mine, "{"+body[1:]+"}").is(http.StatusBadRequest)
		assert.Equal(t, row.attr, a.object()["attr"], "3 order of fields: %s", a.body)
	}
	whole := []struct{ sent, code, detail string }{
		{`"linked_flag_id":99`, "invalid_input", "Feature Flag with this ID"},
		{`"targeting_flag_id":99`, "invalid_input", "Targeting Feature Flag"},
		{`"linked_insight_id":99`, "invalid_input", "Insight"},
		{`"conditions":{"linkedFlagVariant":"v"}`, "invalid_input", "linkedFlagVariant"},
		{`"name":"Taken"`, "unique", "There is already another"},
		{`"targeting_flag_filters":{"groups":[{}]}`, "invalid_input", "Invalid operation"},
		{`"response_sampling_start_date":"2020-01-01"`, "invalid_input", "Response sampling start date must"},
		{`"response_sampling_interval":0`, "invalid_input", "Response sampling interval"},
		{`"appearance":{"shuffleQuestions":true,"surveyPopupDelaySeconds":1},"questions":[{"question":"q","branching":{}}]`, "invalid_input", "Question shuffling"},
		{`"type":"external_survey"`, "invalid_input", "surveyPopupDelaySeconds"},
	}
	body = ""
	for i, row := range slices.Backward(whole) {
		body += "," + row.sent
		if i == len(whole)-1 {
			// An external survey alone is right; what makes it wrong comes next.
			continue
		}
		a := c.patch(mine, "{"+body[1:]+"}").is(http.StatusBadRequest)
		assert.Equal(t, row.code, a.object()["code"], "3 order of the whole: %s", a.body)
		assert.Contains(t, a.object()["detail"], row.detail, "3 order of the whole")
	}
	a := c.patch(mine, "{"+body[1:]+`,"responses_limit":-1}`).is(http.StatusBadRequest)
	assert.Equal(t, "responses_limit", a.object()["attr"], "3 a field before the whole")
	for name, body := range map[string]string{"row 54 list": `[]`} {
		t.Log(name)
		c.post(surveys, body).fails(http.StatusBadRequest, "invalid_input", "", "Invalid data. Expected a dictionary, but got list.")
		c.patch(mine, body).fails(http.StatusBadRequest, "invalid_input", "", "Invalid data. Expected a dictionary, but got list.")
	}
}
