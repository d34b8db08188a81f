package service_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHostedIterations(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	_, path := c.make("")
	const start = `"start_date":"2026-01-30T10:00:00.5+01:00"`

	for _, row := range []struct{ name, sent, dates, current, since string }{
		{"1.2(5)(a) count without frequency", `"iteration_count":2,"current_iteration":1`, `[]`, `null`, `null`},
		{"1.2(5)(a) frequency of zero", `"iteration_count":2,"iteration_frequency_days":0`, `[]`, `null`, `null`},
		{"1.2(5)(a) whatever the client says", `"iteration_start_dates":["2026-01-01"],"current_iteration":3,"current_iteration_start_date":"2026-01-01"`, `[]`, `null`, `null`},
		{"1.2(5)(b) draft", `"iteration_count":2,"iteration_frequency_days":7`, `null`, `null`, `null`},
		{"1.2(5)(b) current as it is", `"current_iteration":2,"current_iteration_start_date":"2026-01-01","iteration_start_dates":[null]`, `null`, `2`, `"2026-01-01T00:00:00Z"`},
		{"1.2(5)(b) current of zero", `"current_iteration":0,"current_iteration_start_date":null`, `null`, `0`, `null`},
		{"1.2(5)(c) launched", start, `["2026-01-30T09:00:00Z","2026-02-06T09:00:00Z"]`, `1`, `"2026-01-30T09:00:00.500000Z"`},
		{"1.2(5)(c) current start does not move", `"start_date":"2026-02-01T00:00:00Z"`, `["2026-02-01T00:00:00Z","2026-02-08T00:00:00Z"]`, `1`, `"2026-01-30T09:00:00.500000Z"`},
		{"1.2(5)(c) more of them", `"iteration_count":3,"iteration_frequency_days":30`, `["2026-02-01T00:00:00Z","2026-03-03T00:00:00Z","2026-04-02T00:00:00Z"]`, `1`, `"2026-01-30T09:00:00.500000Z"`},
		{"1.2(5)(c) current that is set", `"current_iteration":2`, `["2026-02-01T00:00:00Z","2026-03-03T00:00:00Z","2026-04-02T00:00:00Z"]`, `2`, `"2026-01-30T09:00:00.500000Z"`},
		{"1.2(5)(a) off", `"iteration_count":null`, `[]`, `null`, `null`},
	} {
		for _, a := range []answer{c.patch(path, "{"+row.sent+"}").is(http.StatusOK), c.get(path)} {
			assert.Equal(t, row.dates, a.raw("iteration_start_dates"), row.name)
			assert.Equal(t, row.current, a.raw("current_iteration"), row.name)
			assert.Equal(t, row.since, a.raw("current_iteration_start_date"), row.name)
		}
	}

	created, _ := c.makeNamed("R", start+`,"iteration_count":1,"iteration_frequency_days":2147483647`)
	assert.Equal(t, `["2026-01-30T09:00:00Z"]`, created.raw("iteration_start_dates"), "1.2(5)(c) on create")
	created, _ = c.makeNamed("Long", start+`,"iteration_count":500,"iteration_frequency_days":2147483647`)
	assert.Equal(t, `["2026-01-30T09:00:00Z"]`, created.raw("iteration_start_dates"), "1.2(5)(c) until the end of the calendar")
}

// makeNamed is make with a different name.
func (c caller) makeNamed(name, more string) (answer, string) {
	c.t.Helper()
	a := c.post(surveys, `{"name":`+quoted(name)+`,"type":"popover",`+more+`}`).is(http.StatusCreated)
	return a, surveys + a.object()["id"].(string) + "/"
}

func TestHostedSampling(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")

	for _, row := range []struct{ name, sent, limits string }{
		{"1.2(6) no start", `"response_sampling_interval":1,"response_sampling_limit":null`, ``},
		{"1.2(6) limit of zero", `"response_sampling_start_date":"2026-01-02T00:00:00Z","response_sampling_interval":1,"response_sampling_limit":0`, ``},
		{"1.2(6) no type", `"response_sampling_start_date":"2026-01-02T00:00:00Z","response_sampling_interval":1,"response_sampling_limit":3,"response_sampling_interval_type":null`, ``},
		{
			"1.2(6) days", `"response_sampling_start_date":"2026-01-02T01:00:00+01:00","response_sampling_interval":3,"response_sampling_limit":10,"response_sampling_interval_type":"day"`,
			`[{"date": "2026-01-02T00:00:00+00:00", "daily_response_limit": 4, "rollout_percentage": 33.33}, ` +
				`{"date": "2026-01-03T00:00:00+00:00", "daily_response_limit": 7, "rollout_percentage": 66.67}, ` +
				`{"date": "2026-01-04T00:00:00+00:00", "daily_response_limit": 10, "rollout_percentage": 100.0}]`,
		},
	} {
		created, path := c.make(row.sent + `,"response_sampling_daily_limits":"[]"`)

		want := "null"
		if row.limits != "" {
			want = quoted(row.limits)
		}

		assert.Equal(t, want, created.raw("response_sampling_daily_limits"), row.name)
		assert.Equal(t, want, c.get(path).raw("response_sampling_daily_limits"), row.name)
		c.delete(path).is(http.StatusNoContent)
	}

	for unit, days := range map[string]int{"week": 14, "month": 60} {
		created, path := c.make(`"response_sampling_start_date":"2026-01-02T00:00:00Z","response_sampling_interval":2,"response_sampling_limit":1,"response_sampling_interval_type":"` + unit + `"`)
		var plan []object
		require.NoError(t, json.Unmarshal([]byte(created.object()["response_sampling_daily_limits"].(string)), &plan))
		assert.Len(t, plan, days, "1.2(6) %s", unit)
		assert.InDelta(t, 100.0, plan[days-1]["rollout_percentage"], 0, "1.2(6) %s", unit)
		c.delete(path).is(http.StatusNoContent)
	}
}

func TestHostedActions(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, actionFixtures)

	sent := `{"url":"x","actions":{"repeated":true,"values":[{"id":3,"name":"whatever"},{"id":2},{"id":9},{"id":77}]}}`
	created, path := c.make(`"conditions":` + sent)
	for _, a := range []answer{created, c.get(path), c.patch(path, `{"conditions":`+sent+`}`)} {
		var shown struct {
			URL     string
			Actions map[string][]map[string]any
		}

		require.NoError(t, json.Unmarshal([]byte(a.raw("conditions")), &shown))
		assert.Equal(t, "x", shown.URL, "1.2(7) the rest stays")
		assert.Len(t, shown.Actions, 1, "1.2(7) other keys of actions are lost")

		values := shown.Actions["values"]
		require.Len(t, values, 2, "1.2(7) unknown ids and those of other projects are dropped")
		assert.Equal(t, []any{"Paid", "Signed up"}, []any{values[0]["name"], values[1]["name"]}, "1.2(7) full objects")
		assert.Equal(t, []string{
			"bytecode_error", "created_at", "created_by", "creation_context", "deleted", "description", "id", "is_action", "is_calculating",
			"last_calculated_at", "name", "pinned_at", "post_to_slack", "slack_message_format", "steps", "tags", "team_id", "user_access_level",
		}, keysOf(values[0]), "1.2(7) full objects")
	}

	unknown := `{"actions":{"repeated":true,"values":[{"id":77,"name":"n","other":1}]},"url":"x"}`
	cut := `{"actions":{"values":[{"id":77,"name":"n"}]},"url":"x"}`
	assert.JSONEq(t, cut, c.patch(path, `{"conditions":`+unknown+`}`).raw("conditions"), "C9 1.2(7) none known: what was written, cut to the keys of actions")
	assert.JSONEq(t, cut, c.get(path).raw("conditions"), "C9 1.2(7) none known: what was written, cut to the keys of actions")
	assert.JSONEq(t, `{"actions":{"values":[]}}`, c.patch(path, `{"conditions":{"actions":{"repeated":true}}}`).raw("conditions"), "C9 no values")

	// A dump and its fixtures keep existing links.
	c.patch(path, `{"conditions":`+sent+`}`).is(http.StatusOK)
	before := c.get(path).body
	srv.SetFixtures(srv.Dump())
	assert.Equal(t, before, c.get(path).body)
}

// After each write, the schedule and the iterations are consistent. They depend only on the request.
func TestHostedScheduleAndIterations(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	const both = `"iteration_count":2,"iteration_frequency_days":7`
	for _, row := range []struct{ name, sent, schedule, count, frequency, dates string }{
		{"C2 both sent", both, `"recurring"`, `2`, `7`, `null`},
		{"C2 both sent, with null", both + `,"schedule":null`, `"recurring"`, `2`, `7`, `null`},
		{"C2 recurring stays", both + `,"schedule":"recurring"`, `"recurring"`, `2`, `7`, `null`},
		{"C2 once wipes what is sent", both + `,"schedule":"once"`, `"once"`, `null`, `null`, `[]`},
		{"C2 always wipes what is sent", both + `,"schedule":"always"`, `"always"`, `null`, `null`, `[]`},
		{"C2 one of them", `"iteration_count":2`, `"once"`, `2`, `null`, `[]`},
		{"C2 one of them", `"iteration_frequency_days":7`, `"once"`, `null`, `7`, `[]`},
		{"C2 zero", `"iteration_count":0,"iteration_frequency_days":7`, `"once"`, `0`, `7`, `[]`},
		{"C2 recurring alone", `"schedule":"recurring"`, `"recurring"`, `null`, `null`, `[]`},
		{"C2 null beside zero", `"iteration_count":0,"iteration_frequency_days":7,"schedule":null`, `null`, `null`, `null`, `[]`},
	} {
		created, path := c.make(row.sent)
		_, patched := c.makeNamed("Patched", `"description":""`)
		for _, a := range []answer{created, c.get(path), c.patch(patched, "{"+row.sent+"}").is(http.StatusOK), c.get(patched)} {
			assert.Equal(t, row.schedule, a.raw("schedule"), row.name)
			assert.Equal(t, row.count, a.raw("iteration_count"), row.name)
			assert.Equal(t, row.frequency, a.raw("iteration_frequency_days"), row.name)
			assert.Equal(t, row.dates, a.raw("iteration_start_dates"), row.name)
		}
		c.delete(path).is(http.StatusNoContent)
		c.delete(patched).is(http.StatusNoContent)
	}

	_, path := c.make(both + `,"start_date":"2026-01-01T00:00:00Z"`)
	for _, wipes := range []string{`null`, `"once"`, `"always"`} {
		c.patch(path, `{`+both+`}`).is(http.StatusOK)
		wiped := c.patch(path, `{"schedule":`+wipes+`}`).is(http.StatusOK)
		for name, want := range map[string]string{
			"schedule": wipes, "iteration_count": "null", "iteration_frequency_days": "null", "iteration_start_dates": "[]",
			"current_iteration": "null", "current_iteration_start_date": "null",
		} {
			assert.Equal(t, want, wiped.raw(name), "C2 a schedule of %s wipes what is stored", wipes)
		}
	}
}

// No response contains the column of the resumed schedule, whatever the request contains.
func TestHostedIterationAnchor(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created, path := c.make(`"iteration_anchor_date":"2026-01-01T00:00:00Z"`)
	assert.Empty(t, created.raw("iteration_anchor_date"), "C12 not in write answers")
	assert.Empty(t, c.get(path).raw("iteration_anchor_date"), "C12 not in read answers")
	c.patch(path, `{"iteration_anchor_date":"not a date"}`).is(http.StatusOK)
}

// PostHog fails for an incomplete sampling configuration, and saves nothing.
func TestHostedHalfConfiguredSampling(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, validationFixtures)
	const start = `"response_sampling_start_date":"2026-01-02T00:00:00Z"`
	const whole = start + `,"response_sampling_interval":1,"response_sampling_limit":5`
	const cleared = `"response_sampling_start_date":null,"response_sampling_interval":null,"response_sampling_limit":null,"response_sampling_interval_type":null`
	before := srv.Dump()
	for _, row := range []struct{ name, sent string }{
		{"C6 a start alone", start},
		{"C6 start and interval", start + `,"response_sampling_interval":1`},
		{"C6 start and a limit of null", start + `,"response_sampling_interval":1,"response_sampling_limit":null`},
		{"C6 row 48 limit without interval", start + `,"response_sampling_limit":5`},
		{"C6 row 48 limit without interval", `"response_sampling_limit":5`},
	} {
		for _, a := range []answer{c.patch(mine, "{"+row.sent+"}"), c.post(surveys, `{"name":"New","type":"api",`+row.sent+`}`)} {
			a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
			assert.Equal(t, before, srv.Dump(), row.name)
		}
	}

	c.patch(mine, "{"+whole+"}").is(http.StatusOK)
	stored := c.get(mine).body
	for _, row := range []struct{ name, sent string }{
		{"C6 the stored interval does not help the limit", `"response_sampling_limit":6`},
		{"C6 a limit of null", `"response_sampling_limit":null`},
		{"C6 an interval of null", `"response_sampling_interval":null`},
	} {
		c.patch(mine, "{"+row.sent+"}").is(http.StatusInternalServerError)
		assert.Equal(t, stored, c.get(mine).body, row.name)
	}
	assert.Equal(t, "null", c.patch(mine, "{"+cleared+"}").is(http.StatusOK).raw("response_sampling_daily_limits"), "C6 all of it cleared")
	c.patch(mine, "{"+whole+`,"response_sampling_interval_type":"day","response_sampling_limit":0}`).is(http.StatusOK)
}

func TestHostedJobStopsAtTheLimit(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	_, path := c.make(`"start_date":"2026-01-02T00:00:00Z","responses_limit":10`)
	id := c.get(path).object()["id"].(string)

	answered := func(responses string) {
		var document map[string]json.RawMessage
		assert.NoError(t, json.Unmarshal([]byte(srv.Dump()), &document))
		document["responses"] = json.RawMessage(fmt.Sprintf(responses, id, id))
		changed, err := json.Marshal(document)
		assert.NoError(t, err)
		srv.SetFixtures(string(changed))
	}
	srv.SetClock(time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC))

	for _, row := range []struct{ name, responses string }{
		{"7 job (a) no answers", `[{"survey_id":"%s","count":0},{"survey_id":"%s","count":0}]`},
		{"7 job (a) one is missing", `[{"survey_id":"%s","count":4},{"survey_id":"%s","count":5,"at":"2026-01-10T12:00:00Z"}]`},
		{"7 job (a) before its creation or to come", `[{"survey_id":"%s","count":10,"at":"2025-01-01T00:00:00Z"},{"survey_id":"%s","count":10,"at":"2026-01-10T12:00:01Z"}]`},
	} {
		answered(row.responses)
		srv.RunJobs()
		assert.Equal(t, "null", c.get(path).raw("end_date"), row.name)
		assert.Equal(t, "10", c.get(path).raw("responses_limit"), row.name)
	}

	_, unanswered := c.makeNamed("None", `"responses_limit":0`)
	answered(`[{"survey_id":"%s","count":4},{"survey_id":"%s","count":6}]`)
	srv.RunJobs()

	stopped := c.get(path)
	assert.Equal(t, `"2026-01-10T12:00:00Z"`, stopped.raw("end_date"), "7 job (a) end_date is now")
	assert.Equal(t, "null", stopped.raw("responses_limit"), "7 job (a) responses_limit is null")
	assert.Equal(t, "true", stopped.flag("internal_targeting_flag", "active"), "7 job (a) flags stay until the next update")
	assert.Equal(t, "null", c.get(unanswered).raw("end_date"), "7 job (a) no answers, whatever the limit")

	c.patch(path, `{"responses_limit":5}`).is(http.StatusOK)
	srv.RunJobs()
	assert.Equal(t, "5", c.get(path).raw("responses_limit"), "7 job (a) a stopped survey is left alone")
}

func TestHostedJobAdvancesIterations(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	_, path := c.make(`"start_date":"2026-01-02T10:00:00Z","iteration_count":2,"iteration_frequency_days":7,"conditions":{"seenSurveyWaitPeriodInDays":5}`)
	_, draft := c.makeNamed("Draft", `"iteration_count":2,"iteration_frequency_days":7`)
	_, once := c.makeNamed("Once", `"start_date":"2026-01-02T10:00:00Z"`)
	untouched := c.get(draft).body + c.get(once).body

	for _, row := range []struct {
		name         string
		day          int
		current, end string
	}{
		{"7 job (c) first", 2, "1", "null"},
		{"7 job (c) the last day counts for the first", 9, "1", "null"},
		{"7 job (c) second", 10, "2", "null"},
		{"7 job (b) last day", 16, "2", "null"},
		{"7 job (b) over", 17, "2", `"2026-01-17T01:00:00Z"`},
		{"7 job (b) stopped", 18, "2", `"2026-01-17T01:00:00Z"`},
	} {
		// Setting the clock runs the jobs.
		srv.SetClock(time.Date(2026, 1, row.day, 1, 0, 0, 0, time.UTC))
		read := c.get(path)
		assert.Equal(t, row.current, read.raw("current_iteration"), row.name)
		assert.Equal(t, row.end, read.raw("end_date"), row.name)
	}

	assert.Equal(t, `"2026-01-09T10:00:00Z"`, c.get(path).raw("current_iteration_start_date"), "7 job (c) current_iteration_start_date")
	flag := c.get(path).flag("internal_targeting_flag", "filters")
	assert.Contains(t, flag, `/2","type"`, "7 job (c) internal flag filters")
	assert.NotContains(t, flag, "$last_seen", "7 job (c) internal flag filters")
	assert.Equal(t, "2", c.get(path).flag("internal_targeting_flag", "version"), "7 job (c) internal flag version")
	assert.Equal(t, untouched, c.get(draft).body+c.get(once).body, "7 jobs leave others alone")
}
