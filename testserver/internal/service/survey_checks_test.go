package service_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// when is the request for which an error is expected: a create, an update, or both.
type when int

const (
	always when = iota
	onCreate
	onUpdate
)

// refusal is a row of the table of PostHog's errors.
type refusal struct {
	name string
	// sent are the fields in the request. A create request also contains a name and a type.
	sent               string
	code, attr, detail string
	when               when
}

const badMoment = "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."

// validationFixtures contain, in project 1, flags with and without variants, actions, cohorts, and an
// insight, in project 2, a flag and an insight, and two surveys.
const validationFixtures = `{"projects":[{"id":1},{"id":2}],
"feature_flags":[{"id":1,"project_id":1,"key":"plain"},{"id":2,"project_id":1,"key":"variants","filters":{"groups":[],
 "multivariate":{"variants":[{"key":"a","rollout_percentage":50},{"key":"b","rollout_percentage":50}]}}},{"id":9,"project_id":2,"key":"theirs"}],
"insights":[{"id":4,"project_id":1},{"id":5,"project_id":2}],
"cohorts":[{"id":6,"project_id":1,"name":"static"},{"id":7,"project_id":1,"name":"buyers","behavioral":true},{"id":8,"project_id":2}],
"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000aa","name":"Taken","type":"popover"},
 {"project_id":1,"id":"019b0000-0000-7000-9000-0000000000bb","name":"Mine","type":"popover","translations":{"fr":{"name":"x"},"zz_bad_Key!":{"name":"y"}}}]}`

const mine = surveys + "019b0000-0000-7000-9000-0000000000bb/"

// refuses sends the requests of a table, and expects their errors and an unchanged store.
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
				// If a key occurs twice, the last one counts.
				body = `"name":"New","type":"api",` + body
			}
			c.post(surveys, "{"+body+"}").fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		}
		assert.Equal(t, before, srv.Dump(), "%s changes nothing", row.name)
	}
}

// readService reads requests that internal/build/compare also sends to PostHog.
func readService(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "service", file))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, into))
}

func TestHostedRefuses(t *testing.T) {
	t.Parallel()
	var listed []struct {
		Name, Code, Attr, Detail, When string
		Sent                           json.RawMessage
	}
	readService(t, "refusals.json", &listed)
	require.Greater(t, len(listed), 90)
	rows := make([]refusal, len(listed))
	for i, r := range listed {
		sent := strings.TrimSuffix(strings.TrimPrefix(string(r.Sent), "{"), "}")
		rows[i] = refusal{r.Name, sent, r.Code, r.Attr, r.Detail, map[string]when{"": always, "create": onCreate}[r.When]}
	}
	refuses(t, rows)
}

// The test plays the steps in the life of a survey, from creation to end.
func TestHostedPlaysTheStepsOfASurvey(t *testing.T) {
	t.Parallel()
	var steps []struct {
		Name, Method, Survey, Path, Text string
		Body                             json.RawMessage
		Status                           int
	}
	readService(t, "steps.json", &steps)
	_, c := startHosted(t, "")
	ids := map[string]string{}
	for _, s := range steps {
		path := surveys + s.Path
		if id := ids[s.Survey]; id != "" {
			path = surveys + id + "/"
		}
		answer := c.do(s.Method, path, s.Text+string(s.Body))
		if assert.Equal(t, s.Status, answer.status, "%s: %s", s.Name, answer.body); answer.status == http.StatusCreated {
			ids[s.Survey] = answer.object()["id"].(string)
		}
	}
	assert.Greater(t, len(ids), 10)
}

// PostHog reports only the first error. It checks the fields in their order, and then the survey as a whole.
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
	// First, only the last field is invalid. Then the fields before it become invalid, one by one. The first error is
	// always about the field that became invalid last.
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
			// The type external alone is valid. The fields that follow make the survey invalid.
			continue
		}
		a := c.patch(mine, "{"+body[1:]+"}").is(http.StatusBadRequest)
		assert.Equal(t, row.code, a.object()["code"], "C26 3 order of the whole: %s", a.body)
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

// Flags that other products use, and flags in a newer format.
func TestHostedRefusesForeignFlags(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, `{"feature_flags":[{"id":1,"project_id":1,"key":"tested","used_by":"experiment"},{"id":2,"project_id":1,"key":"shown","used_by":"product_tour"},
		{"id":3,"project_id":1,"key":"early","used_by":"early_access_feature"},{"id":4,"project_id":1,"key":"asked","used_by":"survey"},
		{"id":5,"project_id":1,"key":"newer","filters":{"version":2,"groups":[]}}],
		"surveys":[{"project_id":1,"id":"019b0000-0000-7000-9000-0000000000bb","name":"Mine","type":"popover","targeting_flag_id":1}]}`)

	_, path := c.make("")
	const belongs = ". Pick a different flag, or edit this one where it is already used."

	for _, row := range []struct{ name, sent, detail string }{
		{"C16 row 14a experiment", `"targeting_flag_id":1`, "The feature flag tested already belongs to an experiment" + belongs},
		{"C16 row 14a product tour", `"targeting_flag_id":2`, "The feature flag shown already belongs to a product tour" + belongs},
		{"C16 row 14a early access", `"targeting_flag_id":3`, "The feature flag early already belongs to an early access feature" + belongs},
		{"C16 row 14b newer format", `"targeting_flag_id":5`, "The feature flag newer uses a configuration format that a survey cannot use yet. Pick a different flag."},
		{"C17 row 18a newer format", `"linked_flag_id":5,"conditions":{"linkedFlagVariant":"a"}`, "linkedFlagVariant cannot be used with this feature flag's configuration format"},
	} {
		t.Log(row.name)
		c.patch(path, "{"+row.sent+"}").fails(http.StatusBadRequest, "invalid_input", "", row.detail)
		c.post(surveys, `{"name":"New","type":"api",`+row.sent+`}`).fails(http.StatusBadRequest, "invalid_input", "", row.detail)
	}

	for _, sent := range []string{`"targeting_flag_id":4`, `"linked_flag_id":5`, `"linked_flag_id":5,"conditions":{"linkedFlagVariant":"any"}`} {
		assert.Equal(t, http.StatusOK, c.patch(path, "{"+sent+"}").status, "C16 C17 %s", sent)
	}

	assert.Equal(t, http.StatusOK, c.patch(mine, `{"targeting_flag_id":1}`).status, "C16 the survey's own flag stays")
}

// Links and rules of questions, with results that depend on Python's parsing.
func TestHostedLinksAndRules(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")
	kept := c.patch(path, "{"+asked(`"link":" \thttps://example.com"`)+"}").is(http.StatusOK)
	assert.Contains(t, kept.raw("questions"), `"link":" \thttps://example.com"`, "C28 row 33 blanks in front pass and stay")
	assert.Equal(t, http.StatusInternalServerError, c.patch(path, "{"+asked(`"link":"https://[::1"`)+"}").status, "C28 row 35 an open bracket")
	assert.Equal(t, http.StatusOK, c.patch(path, "{"+asked(`"link":"https://[::1]/x"`)+"}").status, "C28 row 35 a closed bracket")
	c.patch(path, "{"+asked(`"link":5`)+"}").fails(http.StatusBadRequest, "invalid_input", "questions", "Question 1: link must be a string")
	assert.Equal(t, http.StatusOK, c.patch(path, "{"+asked(`"validation":[{"type":"min_length","value":true}]`)+"}").status, "C29 row 36 true is 1")
	c.patch(path, "{"+asked(`"validation":[{"type":"min_length","value":false}]`)+"}").
		fails(http.StatusBadRequest, "invalid_input", "questions", "Validation rule value for min_length must be a positive integer")
	assert.Equal(t, http.StatusInternalServerError, c.patch(path, `{"appearance":{"surveyPopupDelaySeconds":"5"}}`).status, "C29 row 42 a delay that is text")
}

// Errors about languages, and the texts that PostHog keeps in translations.
func TestHostedTranslations(t *testing.T) {
	t.Parallel()
	refuses(t, []refusal{
		{
			"C31 row 52 klingon", `"translations":{"klingon":{"name":"x"}}`, "invalid_input", "translations",
			"Survey translation: 'klingon' is not a valid language code. Use BCP-47 codes like 'en', 'es', or 'es-MX' (not language names like 'klingon').", always,
		},
		{"C31 row 52 question: null", asked(`"translations":null`), "invalid_input", "questions", "Question 1: translations must be an object", always},
		{"C31 row 52 question: label", asked(`"translations":{"de":{"lowerBoundLabel":1}}`), "invalid_input", "questions", "Question 1: Translation 'de' field 'lowerBoundLabel' must be a string", always},
		{"C31 row 52 question: empty key", asked(`"translations":{"":{"question":"x"}}`), "invalid_input", "questions", "Question 1 translation: translation language code cannot be empty.", always},
		{"C31 row 52 question: collision", asked(`"translations":{"fr":{"question":"x"},"FR":{"question":"y"}}`), "invalid_input", "questions", "Question 1 translation: 'FR' collides with another translation for 'fr'.", always},
		{"C31 row 52 each key", `"translations":{"de":{"thankYouMessageHeader":5}}`, "invalid_input", "translations", "Translation for 'de': 'thankYouMessageHeader' must be a string", always},
		{"C31 row 53 default", `"base_language":"default"`, "invalid_input", "base_language", "'default' is not a valid language code. Use a BCP-47 code like 'en' or 'es'.", always},
	})
	_, c := startHosted(t, "")
	created, _ := c.make(`"translations":{"de":{"name":"n","submitButtonText":"s","introScreenHeader":"i","backButtonText":"b"},"fr":{"submitButtonText":"s"}},
		"questions":[{"id":"1","question":"q","translations":{"de":{"question":"f","placeholder":"p"},"fr":{"placeholder":"p"}}}]`)
	assert.JSONEq(t, `{"de":{"name":"n"}}`, created.raw("translations"), "C31 keys that are kept")
	assert.JSONEq(t, `[{"id":"1","question":"q","translations":{"de":{"question":"f"}}}]`, created.raw("questions"), "C31 keys of a question that are kept")
}

func TestHostedCancelEventsOfExternalSurveys(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, _ := c.make(`"type":"external_survey","conditions":{"cancelEvents":{"values":[{"name":"paid"}]}}`)
	assert.JSONEq(t, `{"cancelEvents":{"values":[{"name":"paid"}]}}`, created.raw("conditions"), "C32 cancelEvents are allowed")
}

const tooGreat = "Ensure this value is less than or equal to 2147483647."

// Values that the fields don't allow.
func TestHostedRefusesValues(t *testing.T) {
	t.Parallel()

	const integer, boolean, noText = "A valid integer is required.", "Must be a valid boolean.", "Not a valid string."

	refuses(t, []refusal{
		{"C13 row 4 length in code points", `"name":"` + strings.Repeat("😀", 401) + `"`, "max_length", "name", "Ensure this field has no more than 400 characters.", always},
		{"C27 row 5 boolean", `"type":false`, "invalid_choice", "type", `"false" is not a valid choice.`, always},
		{"C27 row 5 object", `"type":{"k":2,"l":["it's",null,1e3]}`, "invalid_choice", "type", `"{"k":2,"l":["it's",null,1e3]}" is not a valid choice.`, always},
		{"C27 row 5 number", `"response_sampling_interval_type":1.50`, "invalid_choice", "response_sampling_interval_type", `"1.50" is not a valid choice.`, always},
		{"C35 NUL", `"name":"a\u0000b"`, "null_characters_not_allowed", "name", "Null characters are not allowed.", always},
		{"C35 NUL, but the length comes first", `"name":"\u0000` + strings.Repeat("a", 400) + `"`, "max_length", "name", "Ensure this field has no more than 400 characters.", always},
		{"C36 boolean for integer", `"responses_limit":true`, "invalid_input", "responses_limit", integer, always},
		{"C36 fraction", `"responses_limit":"12.5"`, "invalid_input", "responses_limit", integer, always},
		{"C36 list", `"responses_limit":[1]`, "invalid_input", "responses_limit", integer, always},
		{"C36 beyond 64 bits", `"responses_limit":99999999999999999999`, "max_value", "responses_limit", tooGreat, always},
		{"C36 below 64 bits", `"responses_limit":-99999999999999999999`, "min_value", "responses_limit", "Ensure this value is greater than or equal to 0.", always},
		{"C36 long text", `"responses_limit":"` + strings.Repeat("1", 1001) + `"`, "max_string_length", "responses_limit", "String value too large.", always},
		{"C36 row 13 an id beyond 64 bits", `"linked_flag_id":99999999999999999999`, "invalid_input", "", "Feature Flag with this ID does not exist", always},
		{"C36 empty boolean", `"archived":""`, "invalid_input", "archived", boolean, always},
		{"C36 null as a word", `"archived":"null"`, "invalid_input", "archived", boolean, always},
		{"C36 two", `"enable_partial_responses":2`, "invalid_input", "enable_partial_responses", boolean, always},
		{"C36 true for a text", `"description":true`, "invalid_input", "description", noText, always},
		{"C36 a zero-width blank is no blank", `"type":"api\u200b"`, "invalid_choice", "type", "\"api\u200b\" is not a valid choice.", always},
		{"C37 twenty-four hours", `"start_date":"2024-01-01T24:00"`, "invalid_input", "start_date", badMoment, always},
	})
}

// Values in unusual forms, and their stored form.
func TestHostedTakesValues(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")

	for _, row := range []struct{ name, field, sent, stored string }{
		{"C35 a whole pair", "description", `"\ud83d\ude00"`, `"😀"`}, {"C35 an escaped backslash", "appearance", `{"a":"\\u0000\\ud83d"}`, `{"a":"\\u0000\\ud83d"}`},
		{"C36 text", "responses_limit", `" 12 "`, `12`}, {"C36 point", "responses_limit", `"12."`, `12`}, {"C36 zeros", "responses_limit", `12.0`, `12`},
		{"C36 sign", "responses_limit", `"+7"`, `7`},
		{"C36 one", "archived", `1.0`, `true`}, {"C36 zero", "archived", `0.0`, `false`}, {"C36 word", "archived", `"oN"`, `true`}, {"C36 word", "archived", `"F"`, `false`},
		{"C36 empty", "enable_partial_responses", `""`, `null`}, {"C36 null", "enable_partial_responses", `"Null"`, `null`},
		{"C36 hard blanks", "description", `"\u00a0a\u00a0"`, `"a"`},
		{"C36 zero-width blanks", "description", `"\u200ba"`, "\"\u200ba\""},
		{"C37 date alone", "start_date", `"2024-02-29"`, `"2024-02-29T00:00:00Z"`},
		{"C37 blank", "start_date", `"2024-02-29 10:20"`, `"2024-02-29T10:20:00Z"`},
		{"C37 comma", "start_date", `"2024-02-29T10:20:30,5-00:30"`, `"2024-02-29T10:50:30.500000Z"`}, {"C37 more digits", "start_date", `"2024-02-29T10:20:30.123456789"`, `"2024-02-29T10:20:30.123456Z"`},
	} {
		a := c.patch(path, `{"`+row.field+`":`+row.sent+`}`).is(http.StatusOK)
		assert.Equal(t, row.stored, a.raw(row.field), row.name)
		assert.Equal(t, row.stored, c.get(path).raw(row.field), row.name)
	}
}

// The database refuses these values inside JSON.
func TestHostedJSONThatTheDatabaseRefuses(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	_, path := c.make("")
	before := srv.Dump()
	for _, sent := range []string{
		`"conditions":{"a":"\u0000"}`,
		`"questions":[{"question":"q","other":"\u0000"}]`,
	} {
		for _, a := range []answer{c.patch(path, "{"+sent+"}"), c.post(surveys, `{"name":"New","type":"api",`+sent+`}`)} {
			assert.Equal(t, http.StatusInternalServerError, a.status, "C35 %s", sent)
			assert.Equal(t, before, srv.Dump(), "C35 %s", sent)
		}
	}
	c.patch(path, `{"targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":5}],"x":"\u0000"}}`).is(http.StatusInternalServerError)
	assert.Equal(t, before, srv.Dump(), "C35 in filters")
}
