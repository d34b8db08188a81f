package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const tooGreat = "Ensure this value is less than or equal to 2147483647."

// What is no value of a field.
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

// Values in odd spellings, and how they are stored.
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

// The database takes neither of them inside of JSON.
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
