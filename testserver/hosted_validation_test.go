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
