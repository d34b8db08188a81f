package testserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// writable are the survey fields that are stored as they are sent, with a value, what
// a new survey has without it, and whether null clears it.
var writable = []struct {
	name, value, unset string
	nullable           bool
}{
	{"name", `" Trim <b>me</b> not "`, ``, false},
	{"description", `"  <script>1</script> & so on "`, `""`, false},
	{"type", `"widget"`, ``, false},
	{"linked_flag_id", `1`, `null`, true},
	{"questions", `[{"type":"open","question":" a ","zz":1.50},{"type":"nps_grid","id":null,"n":9007199254740993}]`, `null`, true},
	{"appearance", `{"b":1,"a":{"deep":[null,12345678901234567890]}}`, `null`, true},
	{"start_date", `"2023-04-01T12:00:10"`, `null`, true},
	{"end_date", `"2024-01-01T00:00:00.000000+02:00"`, `null`, true},
	{"archived", `true`, `false`, false},
	{"responses_limit", `0`, `null`, true},
	{"iteration_count", `500`, `null`, true},
	{"iteration_frequency_days", `2147483647`, `null`, true},
	{"iteration_start_dates", `["2024-01-01","2024-02-01T00:00Z"]`, `null`, true},
	{"current_iteration", `7`, `null`, true},
	{"current_iteration_start_date", `"2024-01-01T00:00:00Z"`, `null`, true},
}

func TestFieldsAreStoredAsTheyAreSent(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t)).undocumentedAnswers()
	path := c.newSurvey(`{"name":"Plain","type":"popover"}`)

	for _, f := range writable {
		before := c.get(path)
		if f.unset != "" {
			assert.Equal(t, f.unset, before.raw(f.name), f.name)
		}

		updated := c.patch(path, `{"`+f.name+`": `+f.value+`}`).is(http.StatusOK)
		assert.Equal(t, f.value, updated.raw(f.name), f.name)
		assert.Equal(t, f.value, c.get(path).raw(f.name), f.name)

		// What is absent is kept.
		c.patch(path, `{}`).is(http.StatusOK)
		assert.Equal(t, f.value, c.get(path).raw(f.name), f.name)
	}

	all := c.get(path)
	for _, f := range writable {
		assert.Equal(t, f.value, all.raw(f.name), "%s, after all the others", f.name)
		if !f.nullable {
			c.patch(path, `{"`+f.name+`":null}`).fails(http.StatusBadRequest, "null", f.name, "This field may not be null.")
			continue
		}

		cleared := c.patch(path, `{"`+f.name+`":null}`).is(http.StatusOK)
		assert.Equal(t, "null", cleared.raw(f.name), f.name)
		assert.Equal(t, "null", c.get(path).raw(f.name), f.name)
	}

	c.patch(path, `{"description":"","questions":[]}`).is(http.StatusOK)
	assert.Equal(t, `""`, c.get(path).raw("description"))
	assert.Equal(t, `[]`, c.get(path).raw("questions"))
}

// The document says it of conditions alone: text when read, null when written.
func TestConditions(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t))
	for sent, text := range map[string]string{
		`{"url": "https://x/\"é\"", "n": 9007199254740993}`: `{"url":"https://x/\"é\"","n":9007199254740993}`,
		`{}`:                     `{}`,
		`[1,2]`:                  `[1,2]`,
		`false`:                  `false`,
		`"{\"as\": \"it was\"}"`: `{"as": "it was"}`,
	} {
		created := c.post(surveys, `{"name":`+quoted(sent)+`,"type":"api","conditions":`+sent+`}`).is(http.StatusCreated)
		assert.Equal(t, "null", created.raw("conditions"))
		path := surveys + created.object()["id"].(string) + "/"
		assert.Equal(t, text, c.get(path).object()["conditions"])
		assert.Equal(t, text, c.get(surveys + "?limit=1").results()[0]["conditions"])
		assert.Equal(t, "null", c.patch(path, `{"description":"x"}`).raw("conditions"))
		assert.Equal(t, text, c.get(path).object()["conditions"], "a PATCH without conditions keeps them")
		c.patch(path, `{"conditions":null}`).is(http.StatusOK)
		assert.Equal(t, "null", c.get(path).raw("conditions"))
	}
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestWhatIsWrongWithASurvey(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t))
	c.newSurvey(`{"name":"Taken","type":"popover"}`)
	path := c.newSurvey(`{"name":"Mine","type":"popover"}`)

	const moment = "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."
	long := strings.Repeat("é", 401)
	for _, row := range []struct{ fields, code, attr, detail string }{
		{`"name":""`, "blank", "name", "This field may not be blank."},
		{`"name":" \t"`, "blank", "name", "This field may not be blank."},
		{`"name":5`, "invalid_input", "name", "Not a valid string."},
		{`"name":"a\u0000b"`, "null_characters_not_allowed", "name", "Null characters are not allowed."},
		{`"name":"` + long + `"`, "max_length", "name", "Ensure this field has no more than 400 characters."},
		{`"description":["x"]`, "invalid_input", "description", "Not a valid string."},
		{`"type":"full_screen"`, "invalid_choice", "type", `"full_screen" is not a valid choice.`},
		{`"type":""`, "invalid_choice", "type", `"" is not a valid choice.`},
		{`"type":3`, "invalid_choice", "type", `"3" is not a valid choice.`},
		{`"linked_flag_id":"x"`, "invalid_input", "linked_flag_id", "A valid integer is required."},
		{`"linked_flag_id":99`, "invalid_input", "", "Feature Flag with this ID does not exist"},
		{`"linked_flag_id":0`, "invalid_input", "", "Feature Flag with this ID does not exist"},
		{`"targeting_flag_id":null`, "null", "targeting_flag_id", "This field may not be null."},
		{`"targeting_flag_id":99`, "invalid_input", "", "Targeting Feature Flag with this ID does not exist"},
		{`"targeting_flag_filters":"x"`, "invalid_input", "targeting_flag_filters", "targeting_flag_filters must be an object"},
		{`"remove_targeting_flag":"maybe"`, "invalid_input", "remove_targeting_flag", "Must be a valid boolean."},
		{`"questions":{}`, "invalid_input", "questions", "Questions must be a list of objects"},
		{`"questions":""`, "invalid_input", "questions", "Questions must be a list of objects"},
		{`"questions":[{},"text"]`, "invalid_input", "questions", "Questions must be a list of objects"},
		{`"start_date":"soon"`, "invalid_input", "start_date", moment},
		{`"end_date":""`, "invalid_input", "end_date", moment},
		{`"end_date":20240101`, "invalid_input", "end_date", moment},
		{`"start_date":"2024-02-30T00:00:00Z"`, "invalid_input", "start_date", moment},
		{`"archived":null`, "null", "archived", "This field may not be null."},
		{`"archived":"maybe"`, "invalid_input", "archived", "Must be a valid boolean."},
		{`"responses_limit":-1`, "min_value", "responses_limit", "Ensure this value is greater than or equal to 0."},
		{`"responses_limit":2147483648`, "max_value", "responses_limit", "Ensure this value is less than or equal to 2147483647."},
		{`"responses_limit":1.5`, "invalid_input", "responses_limit", "A valid integer is required."},
		{`"responses_limit":true`, "invalid_input", "responses_limit", "A valid integer is required."},
		{`"iteration_count":501`, "max_value", "iteration_count", "Ensure this value is less than or equal to 500."},
		{`"iteration_start_dates":"x"`, "not_a_list", "iteration_start_dates", `Expected a list of items but got type "str".`},
		{`"iteration_start_dates":["2024-01-01T00:00:00Z","x"]`, "invalid_input", "iteration_start_dates__1", moment},
		{`"current_iteration":-1`, "min_value", "current_iteration", "Ensure this value is greater than or equal to 0."},
	} {
		before := c.get(path).body
		c.patch(path, "{"+row.fields+"}").fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		assert.Equal(t, before, c.get(path).body, "a refused PATCH changes nothing")
		if !strings.Contains(row.fields, `"name"`) && !strings.Contains(row.fields, `"type"`) {
			c.post(surveys, `{"name":"New","type":"api",`+row.fields+"}").fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		}
	}

	longest := c.newSurvey(`{"name":"` + strings.Repeat("é", 400) + `","type":"api"}`)
	c.delete(longest).is(http.StatusNoContent)

	c.post(surveys, `{"type":"api"}`).fails(http.StatusBadRequest, "required", "name", "This field is required.")
	c.post(surveys, `{"name":"New"}`).fails(http.StatusBadRequest, "required", "type", "This field is required.")
	c.post(surveys, "").fails(http.StatusBadRequest, "required", "name", "This field is required.")
	c.post(surveys, `{"name":"Taken","type":"api"}`).fails(http.StatusBadRequest, "unique", "", "There is already a survey with this name.")
	c.patch(path, `{"name":"Taken"}`).fails(http.StatusBadRequest, "unique", "", "There is already another survey with this name.")
	c.patch(path, `{"name":"Mine"}`).is(http.StatusOK)

	// One error, the first in the order of the fields; a field before the whole.
	c.post(surveys, `{"archived":5,"type":"nope","name":"New","description":null}`).fails(http.StatusBadRequest, "null", "description", "This field may not be null.")
	c.post(surveys, `{"archived":5,"name":"Taken","type":"api"}`).fails(http.StatusBadRequest, "invalid_input", "archived", "Must be a valid boolean.")
	assert.Equal(t, []string{"Mine", "Taken"}, c.get(surveys).names(), "nothing was made on the way")
}

func TestWhatIsWrongWithABody(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t))
	path := c.newSurvey(`{"name":"S","type":"popover"}`)

	for body, got := range map[string]string{`[]`: "list", `"x"`: "str", `5`: "int", `5.5`: "float", `true`: "bool"} {
		c.post(surveys, body).fails(http.StatusBadRequest, "invalid_input", "", "Invalid data. Expected a dictionary, but got "+got+".")
		c.patch(path, body).fails(http.StatusBadRequest, "invalid_input", "", "Invalid data. Expected a dictionary, but got "+got+".")
	}

	c.post(surveys, `null`).fails(http.StatusBadRequest, "null", "", "No data provided")

	for _, body := range []string{`{`, `{"name":}`, `{"name":"x"} x`, "{\"name\":\"\xff\"}", `{'name':'x'}`, `{"n":NaN}`} {
		a := c.post(surveys, body).is(http.StatusBadRequest)
		assert.Equal(t, "parse_error", a.object()["code"], body)
		assert.Contains(t, a.object()["detail"], "JSON parse error - ")
	}

	c.with("Content-Type", "text/plain").post(surveys, `{"name":"x"}`).fails(http.StatusUnsupportedMediaType,
		"unsupported_media_type", "", `Unsupported media type "text/plain" in request.`)
	c.with("Content-Type", "").patch(path, `{"name":"x"}`).fails(http.StatusUnsupportedMediaType,
		"unsupported_media_type", "", `Unsupported media type "" in request.`)
	c.with("Content-Type", "application/json; charset=utf-8").patch(path, `{"description":"x"}`).is(http.StatusOK)

	c.post(surveys, `{"name":"`+strings.Repeat("x", 21<<20)+`"}`).is(http.StatusRequestEntityTooLarge)

	// What is missing is missing before the body is looked at.
	c.patch(surveys+"019b0000-0000-7000-8000-00000000dead/", `{`).is(http.StatusNotFound)

	// Unknown keys and keys that are only read are ignored.
	updated := c.patch(path, `{"id":"x","created_at":"1999-01-01T00:00:00Z","created_by":null,"internal_targeting_flag":null,"schedule":"always","zz":1}`).is(http.StatusOK)
	assert.Equal(t, "", updated.raw("zz")+updated.raw("schedule"))
	assert.NotEqual(t, "null", updated.raw("internal_targeting_flag"))
	assert.Equal(t, `"2026-01-02T03:04:05.678901Z"`, updated.raw("created_at"))

	// Whole numbers come in other spellings too.
	c.patch(path, `{"responses_limit":"12","current_iteration":3.0}`).is(http.StatusOK)
	assert.Equal(t, "12", c.get(path).raw("responses_limit"))
	assert.Equal(t, "3", c.get(path).raw("current_iteration"))
}

func TestDeletedIsGone(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t))
	path := c.newSurvey(`{"name":"S","type":"popover"}`)
	gone := c.delete(path).is(http.StatusNoContent)
	assert.Empty(t, gone.body)
	c.delete(path).fails(http.StatusNotFound, "not_found", "", "Not found.")
	c.get(path).is(http.StatusNotFound)
	c.patch(path, `{}`).is(http.StatusNotFound)
	assert.Empty(t, c.get(surveys).names())
	c.newSurvey(`{"name":"S","type":"popover"}`)
	// A name that was given up is free as well.
	other := c.newSurvey(`{"name":"T","type":"popover"}`)
	c.patch(other, `{"name":"U"}`).is(http.StatusOK)
	c.newSurvey(`{"name":"T","type":"popover"}`)
	require.Equal(t, []string{"T", "U", "S"}, c.get(surveys).names())
}

func TestResponsesCount(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(`{
"projects":[{"id":1},{"id":2}],
"surveys":[
 {"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"A","type":"api"},
 {"project_id":1,"id":"019b0000-0000-7000-8000-000000000002","name":"B","type":"api"},
 {"project_id":2,"id":"019b0000-0000-7000-8000-000000000003","name":"C","type":"api"}],
"responses":[
 {"survey_id":"019b0000-0000-7000-8000-000000000001","count":3},
 {"survey_id":"019b0000-0000-7000-8000-000000000001","count":4,"at":"2026-01-01T00:00:00Z"},
 {"survey_id":"019b0000-0000-7000-8000-000000000002","count":0},
 {"survey_id":"019b0000-0000-7000-8000-000000000003","count":9},
 {"survey_id":"019b0000-0000-7000-8000-000000000004","count":1,"project_id":1}]}`)})

	c := call(t, srv)
	want := `{"019b0000-0000-7000-8000-000000000001":7,"019b0000-0000-7000-8000-000000000004":1}`
	assert.Equal(t, want, c.get(surveys+"responses_count/").is(http.StatusOK).body)

	// Answers outlive their survey.
	srv.DeleteSurvey("019b0000-0000-7000-8000-000000000001")
	assert.Equal(t, want, c.get(surveys+"responses_count/").is(http.StatusOK).body)

	srv.SetFixtures(srv.Dump())
	assert.Equal(t, want, c.get(surveys+"responses_count/").is(http.StatusOK).body)
	assert.Equal(t, `{}`, call(t, testserver.Start(t)).get(surveys+"responses_count/").body)
}
