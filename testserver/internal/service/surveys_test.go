package service_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writable contains the survey fields that the server stores unchanged. For each, it contains a value, the
// default, and whether null clears the field.
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
	_, c := startDocumented(t, "")
	c = c.undocumentedAnswers()
	path := c.newSurvey(`{"name":"Plain","type":"popover"}`)

	for _, f := range writable {
		before := c.get(path)
		if f.unset != "" {
			assert.Equal(t, f.unset, before.raw(f.name), f.name)
		}

		updated := c.patch(path, `{"`+f.name+`": `+f.value+`}`).is(http.StatusOK)
		assert.Equal(t, f.value, updated.raw(f.name), f.name)
		assert.Equal(t, f.value, c.get(path).raw(f.name), f.name)

		// Missing fields stay unchanged.
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

// The OpenAPI document describes this only for conditions: text in reads, null in writes.
func TestConditions(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
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
	_, c := startDocumented(t, "")
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

	// The response contains the first error, by the order of the fields and then of the whole.
	c.post(surveys, `{"archived":5,"type":"nope","name":"New","description":null}`).fails(http.StatusBadRequest, "null", "description", "This field may not be null.")
	c.post(surveys, `{"archived":5,"name":"Taken","type":"api"}`).fails(http.StatusBadRequest, "invalid_input", "archived", "Must be a valid boolean.")
	assert.Equal(t, []string{"Mine", "Taken"}, c.get(surveys).names(), "nothing was made on the way")
}

func TestWhatIsWrongWithABody(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
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

	// The server checks whether the survey exists before it reads the body.
	c.patch(surveys+"019b0000-0000-7000-8000-00000000dead/", `{`).is(http.StatusNotFound)

	// The server ignores unknown and read-only keys.
	updated := c.patch(path, `{"id":"x","created_at":"1999-01-01T00:00:00Z","created_by":null,"internal_targeting_flag":null,"schedule":"always","zz":1}`).is(http.StatusOK)
	assert.Equal(t, "", updated.raw("zz")+updated.raw("schedule"))
	assert.NotEqual(t, "null", updated.raw("internal_targeting_flag"))
	assert.Equal(t, `"2026-01-02T03:04:05.678901Z"`, updated.raw("created_at"))

	// Integers have other valid forms.
	c.patch(path, `{"responses_limit":"12","current_iteration":3.0}`).is(http.StatusOK)
	assert.Equal(t, "12", c.get(path).raw("responses_limit"))
	assert.Equal(t, "3", c.get(path).raw("current_iteration"))
}

func TestDeletedIsGone(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
	path := c.newSurvey(`{"name":"S","type":"popover"}`)
	gone := c.delete(path).is(http.StatusNoContent)
	assert.Empty(t, gone.body)
	c.delete(path).fails(http.StatusNotFound, "not_found", "", "Not found.")
	c.get(path).is(http.StatusNotFound)
	c.patch(path, `{}`).is(http.StatusNotFound)
	assert.Empty(t, c.get(surveys).names())
	c.newSurvey(`{"name":"S","type":"popover"}`)
	// A name is available again after its survey is renamed.
	other := c.newSurvey(`{"name":"T","type":"popover"}`)
	c.patch(other, `{"name":"U"}`).is(http.StatusOK)
	c.newSurvey(`{"name":"T","type":"popover"}`)
	require.Equal(t, []string{"T", "U", "S"}, c.get(surveys).names())
}

func TestResponsesCount(t *testing.T) {
	t.Parallel()
	srv, c := startDocumented(t, `{
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
 {"survey_id":"019b0000-0000-7000-8000-000000000004","count":1,"project_id":1}]}`)
	want := `{"019b0000-0000-7000-8000-000000000001":7,"019b0000-0000-7000-8000-000000000004":1}`
	assert.Equal(t, want, c.get(surveys+"responses_count/").is(http.StatusOK).body)

	// Answers remain after their survey is deleted.
	srv.DeleteSurvey("019b0000-0000-7000-8000-000000000001")
	assert.Equal(t, want, c.get(surveys+"responses_count/").is(http.StatusOK).body)

	srv.SetFixtures(srv.Dump())
	assert.Equal(t, want, c.get(surveys+"responses_count/").is(http.StatusOK).body)
	assert.Equal(t, `{}`, documented(t).get(surveys+"responses_count/").body)
}

// listed are fixtures with different surveys, newest last.
const listed = `{"surveys":[
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"Onboarding feedback","type":"popover","created_at":"2026-01-01T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000002","name":"NPS","description":"Asks after the onboarding","type":"widget","created_at":"2026-01-02T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000003","name":"Exit","type":"api","archived":true,"created_at":"2026-01-03T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000004","name":"Onboarding","type":"popover","archived":true,"created_at":"2026-01-04T00:00:00Z"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000005","name":"Größe & Preis","description":"user@example.com","type":"external_survey","created_at":"2026-01-05T00:00:00Z"}]}`

func TestHostedListFilters(t *testing.T) {
	t.Parallel()
	all := []string{"Größe & Preis", "Onboarding", "Exit", "NPS", "Onboarding feedback"}

	for _, row := range []struct {
		name, query string
		want        []string
		match       string
	}{
		{"6 list order: newest first", "", all, ""},
		{"6 filters: archived ones are in by default", "x=1", all, ""},
		{"6 filters: archived", "archived=true", []string{"Onboarding", "Exit"}, ""},
		{"6 filters: archived, another word", "archived=1", []string{"Onboarding", "Exit"}, ""},
		{"6 filters: not archived", "archived=False", []string{"Größe & Preis", "NPS", "Onboarding feedback"}, ""},
		{"6 filters: archived, no truth value", "archived=maybe", all, ""},
		{"6 filters: archived, the last counts", "archived=true&archived=false", []string{"Größe & Preis", "NPS", "Onboarding feedback"}, ""},
		{"6 filters: type", "type=popover", []string{"Onboarding", "Onboarding feedback"}, ""},
		{"6 filters: type blank", "type=", all, ""},
		{"6 filters: ids", "ids=019b0000-0000-7000-8000-000000000001,019B0000-0000-7000-8000-000000000003", []string{"Exit", "Onboarding feedback"}, ""},
		{"6 filters: ids that are not there", "ids=019b0000-0000-7000-8000-000000000099, 019b0000-0000-7000-8000-000000000003,", []string{"Exit"}, ""},
		{"6 filters: ids, none of them there", "ids=019b0000-0000-7000-8000-000000000099", []string{}, ""},
		{"6 filters: ids blank", "ids=", all, ""},
		{"6 filters: together", "type=popover&archived=true", []string{"Onboarding"}, ""},
		{"6 filters: search in the name", "search=exit", []string{"Exit"}, "exact"},
		{"6 filters: search in the description, newest first", "search=onboarding", []string{"Onboarding", "NPS", "Onboarding feedback"}, "exact"},
		{"6 filters: search in another case", "search=GRÖß", []string{"Größe & Preis"}, "exact"},
		{"6 filters: search for what is no word", "search=user@example", []string{"Größe & Preis"}, "exact"},
		{"6 filters: search without a match", "search=zzz", []string{}, ""},
		{"6 filters: search blank", "search=%20%20", all, ""},
		{"6 filters: search empty", "search=", all, ""},
		{"6 filters: search, exact hits hide similar ones", "search=onboarding feedback", []string{"Onboarding feedback"}, "exact"},
		{"6 filters: search of 200 characters", "search=" + strings.Repeat("ä", 200), []string{}, ""},
		{"1 field search_match_type: absent without a search", "archived=false", []string{"Größe & Preis", "NPS", "Onboarding feedback"}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := startHosted(t, listed)

			query := strings.ReplaceAll(row.query, " ", "+")
			a := c.get(surveys + "?" + query).is(http.StatusOK)
			assert.Equal(t, row.want, a.names())
			assert.Equal(t, len(row.want), a.page().Count)

			for _, s := range a.results() {
				if row.match == "" {
					assert.NotContains(t, s, "search_match_type")
				} else {
					assert.Equal(t, row.match, s["search_match_type"])
				}
			}
		})
	}
}

func TestHostedListRefuses(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, listed)
	for _, row := range []struct{ name, query, code, attr, detail string }{
		{"row 55 search longer than 200", "search=" + strings.Repeat("ä", 201), "invalid_input", "search", "Search query must be 200 characters or fewer."},
		{"row 55 search longer than 200: before the rest", "ids=x&search=" + strings.Repeat("x", 201), "invalid_input", "search", "Search query must be 200 characters or fewer."},
		{"6 filters: type unknown", "type=full_screen", "invalid_choice", "type", "Select a valid choice. full_screen is not one of the available choices."},
		{"6 filters: ids no UUID", "ids=019b0000-0000-7000-8000-000000000001,x", "invalid_input", "ids", "Enter a valid UUID."},
	} {
		c.step(t, row.name, func(t *testing.T, c caller) {
			c.get(surveys+"?"+row.query).fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		})
	}
}

func TestHostedPages(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, listed)
	base := siteURL + surveys

	for _, row := range []struct {
		name, query    string
		names          []string
		next, previous string
	}{
		{"6 paging: limit and offset", "limit=2&offset=1", []string{"Onboarding", "Exit"}, base + "?limit=2&offset=3", base + "?limit=2"},
		{"6 paging: limit 0", "limit=0", []string{"Größe & Preis", "Onboarding", "Exit", "NPS", "Onboarding feedback"}, "null", "null"},
		{"6 paging: limit and offset no numbers", "limit=x&offset=-1", []string{"Größe & Preis", "Onboarding", "Exit", "NPS", "Onboarding feedback"}, "null", "null"},
		{"6 paging: past the end", "limit=2&offset=9", []string{}, "null", base + "?limit=2&offset=7"},
		{"6 paging: filters stay in the links, sorted", "type=popover&limit=1&archived=true", []string{"Onboarding"}, "null", "null"},
		{"6 paging: next of a filter", "type=popover&limit=1", []string{"Onboarding"}, base + "?limit=1&offset=1&type=popover", "null"},
		{"6 paging: next of a search", "search=onboarding&offset=1&limit=1", []string{"NPS"}, base + "?limit=1&offset=2&search=onboarding", base + "?limit=1&search=onboarding"},
	} {
		c.step(t, row.name, func(t *testing.T, c caller) {
			a := c.get(surveys + "?" + row.query)
			p := a.page()
			assert.Equal(t, row.names, a.names())
			assert.Equal(t, row.next, link(p.Next))
			assert.Equal(t, row.previous, link(p.Previous))
		})
	}

	t.Run("6 paging: 100 unless told, and no maximum", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, "{}")
		for i := range 120 {
			srv.CreateSurvey(map[string]any{"name": strings.Repeat("n", i+1), "type": "api"})
		}

		assert.Len(t, c.get(surveys).names(), 100)
		assert.Len(t, c.get(surveys+"?limit=5000").names(), 120)
	})
}

const counted = `{"clock":"2026-03-01T00:00:00Z","projects":[{"id":1},{"id":2}],"surveys":[
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"Draft","type":"api"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000002","name":"First","type":"api","start_date":"2026-02-01T12:00:00+01:00"},
{"project_id":1,"id":"019b0000-0000-7000-8000-000000000003","name":"Second","type":"api","start_date":"2026-02-10T00:00:00Z","archived":true},
{"project_id":2,"id":"019b0000-0000-7000-8000-000000000004","name":"Never started","type":"api"}],
"responses":[
{"survey_id":"019b0000-0000-7000-8000-000000000002","count":3,"at":"2026-02-01T11:00:00Z"},
{"survey_id":"019b0000-0000-7000-8000-000000000002","count":5,"at":"2026-02-01T10:59:59Z"},
{"survey_id":"019b0000-0000-7000-8000-000000000002","count":2,"at":null},
{"survey_id":"019b0000-0000-7000-8000-000000000003","count":4,"at":"2026-02-05T00:00:00Z"},
{"survey_id":"019b0000-0000-7000-8000-000000000003","count":1,"at":"2026-02-11T00:00:00Z","archived":true},
{"survey_id":"019b0000-0000-7000-8000-000000000001","count":0},
{"survey_id":"019b0000-0000-7000-8000-000000000009","project_id":1,"count":7},
{"survey_id":"019b0000-0000-7000-8000-000000000004","count":8}]}`

func TestHostedResponsesCount(t *testing.T) {
	t.Parallel()
	const one, two, gone = "019b0000-0000-7000-8000-000000000002", "019b0000-0000-7000-8000-000000000003", "019b0000-0000-7000-8000-000000000009"

	for _, row := range []struct{ name, path, want string }{
		{"0 responses_count: a flat map, since the first start, deleted ones too", surveys + "responses_count/", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: by id", surveys + "responses_count", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: no survey has started", "/api/projects/2/surveys/responses_count/", `{}`},
		{"4 responses_count: survey_ids", surveys + "responses_count/?survey_ids=" + url.QueryEscape(" "+one+" ,, nothing"), `{"` + one + `":5}`},
		{"4 responses_count: survey_ids empty", surveys + "responses_count/?survey_ids=" + url.QueryEscape(" , "), `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: exclude_archived", surveys + "responses_count/?exclude_archived=True", `{"` + one + `":5,"` + two + `":4,"` + gone + `":7}`},
		{"4 responses_count: exclude_archived otherwise", surveys + "responses_count/?exclude_archived=1", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
		{"4 responses_count: not paginated", surveys + "responses_count/?limit=1&offset=1", `{"` + one + `":5,"` + two + `":5,"` + gone + `":7}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv, c := startHosted(t, counted)
			assert.Equal(t, row.want, c.get(row.path).is(http.StatusOK).body)

			dump := srv.Dump()
			assert.Equal(t, 1, strings.Count(dump, `"archived":true}`))
			srv.SetFixtures(dump)
			assert.Equal(t, row.want, c.get(row.path).is(http.StatusOK).body)
		})
	}
}

// PostHog saves the survey before it links actions and creates the internal flag, so the survey exists
// after an error.
func TestHostedErrorsThatLeaveTheSurvey(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, conditions string }{
		{"C7 actions are no object", `{"actions":[]}`},
		{"C7 actions are a text", `{"actions":"x"}`},
		{"C7 values are no list", `{"actions":{"values":"x"}}`},
		{"C7 an action is no object", `{"actions":{"values":[3]}}`},
		{"C7 an action's id is no number", `{"actions":{"values":[{"id":"x"}]}}`},
		{"C7 a wait period is text, in July", `{"seenSurveyWaitPeriodInDays":"7"}`},
	} {
		_, c := startHosted(t, withFeatures(``, ","+strings.TrimSuffix(strings.TrimPrefix(actionFixtures, "{"), "}")))
		c.post(surveys, `{"name":"S","type":"api","conditions":`+row.conditions+`}`).
			fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
		assert.Equal(t, []string{"S"}, c.get(surveys).names(), row.name)
		c.post(surveys, `{"name":"S","type":"api"}`).fails(http.StatusBadRequest, "unique", "", "There is already a survey with this name.")

		path := surveys + c.get(surveys).results()[0]["id"].(string) + "/"
		assert.Equal(t, "null", c.get(path).raw("internal_targeting_flag"), "%s: no internal flag", row.name)
		repaired := c.patch(path, `{"conditions":{}}`).is(http.StatusOK)
		assert.NotEqual(t, "null", repaired.raw("internal_targeting_flag"), "%s: made by the next update", row.name)

		c.patch(path, `{"description":"kept","conditions":`+row.conditions+`}`).is(http.StatusInternalServerError)
		assert.Equal(t, `"kept"`, c.get(path).raw("description"), "%s: the change stays", row.name)
	}
}

// If the values of actions are a number, PostHog fails for the survey and for every page that contains it.
func TestHostedSurveyThatCannotBeRead(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	_, path := c.make("")
	c.patch(path, `{"conditions":{"actions":{"values":5}}}`).is(http.StatusInternalServerError)
	for _, p := range []string{path, surveys} {
		a := c.get(p)
		a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
		assert.Equal(t, http.StatusInternalServerError, a.status, "C7 a number of actions: %s", p)
	}
	srv.SetFixtures(srv.Dump())
	c.get(path).is(http.StatusInternalServerError)
	c.patch(path, `{"description":"x"}`).is(http.StatusInternalServerError)
	c.patch(path, `{"conditions":null}`).is(http.StatusOK)
	c.get(surveys).is(http.StatusOK)
}

// PostHog edits the targeting flag before it saves the survey. The edit is kept if the save fails.
func TestHostedFlagEditsThatStay(t *testing.T) {
	t.Parallel()
	const half = `"response_sampling_start_date":"2026-01-02T00:00:00Z"`
	srv, c := startHosted(t, withFeatures(``, ""))
	_, path := c.make(`"targeting_flag_filters":` + tenPercent + `,"start_date":"2026-01-01T00:00:00Z","iteration_count":3,"iteration_frequency_days":7,"current_iteration":2`)
	edit := func(percent string) string {
		return `"targeting_flag_filters":` + strings.ReplaceAll(tenPercent, "10", percent)
	}
	c.patch(path, `{"iteration_count":1,"iteration_frequency_days":7,`+edit("20")+`}`).is(http.StatusBadRequest)
	assert.Contains(t, c.get(path).flag("targeting_flag", "filters"), `"rollout_percentage":20`, "C8 row 44 leaves the edit")
	c.patch(path, `{`+half+`,`+edit("30")+`}`).is(http.StatusInternalServerError)
	assert.Contains(t, c.get(path).flag("targeting_flag", "filters"), `"rollout_percentage":30`, "C8 half of sampling leaves the edit")
	c.patch(path, `{"remove_targeting_flag":true,"targeting_flag_filters":{"groups":[{"variant":5,"properties":[],"rollout_percentage":5}]}}`).is(http.StatusBadRequest)
	assert.Equal(t, "null", c.get(path).raw("targeting_flag"), "C8 a removal stays though the new filters are refused")

	flags := strings.Count(srv.Dump(), `"key":"survey-targeting-`)
	c.post(surveys, `{"name":"Orphan","type":"api",`+half+`,"targeting_flag_filters":`+tenPercent+`}`).is(http.StatusInternalServerError)
	assert.Equal(t, flags+1, strings.Count(srv.Dump(), `"key":"survey-targeting-`), "C8 a flag without a survey")
	assert.Equal(t, []string{"S"}, c.get(surveys).names(), "C8 a flag without a survey")
}
