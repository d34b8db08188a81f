package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

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
		srv.SetClock(time.Date(2026, 1, 10, 12, 0, 0, 0, time.UTC))
	}

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
		srv.SetClock(time.Date(2026, 1, row.day, 1, 0, 0, 0, time.UTC))
		srv.RunJobs()
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

// The jobs of the documented profile change what that profile has.
func TestDocumentedJobs(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFixtures(`{"surveys":[
{"project_id":1,"id":"019b0000-0000-7000-8000-0000000000aa","name":"A","type":"api","responses_limit":3},
{"project_id":1,"id":"019b0000-0000-7000-8000-0000000000bb","name":"B","type":"api","start_date":"2026-01-01","iteration_count":2,
 "iteration_frequency_days":7,"iteration_start_dates":["2026-01-01","2026-01-09"]}],
"responses":[{"survey_id":"019b0000-0000-7000-8000-0000000000aa","count":3}]}`)
	c := call(t, srv).undocumentedAnswers()
	srv.SetClock(time.Date(2026, 1, 10, 0, 0, 0, 0, time.UTC))
	srv.RunJobs()
	read := c.get(surveys + "019b0000-0000-7000-8000-0000000000aa/")
	assert.Equal(t, `"2026-01-10T00:00:00Z"`, read.raw("end_date"))
	assert.Equal(t, "null", read.raw("responses_limit"))
	other := c.get(surveys + "019b0000-0000-7000-8000-0000000000bb/")
	assert.Equal(t, "2", other.raw("current_iteration"))
	assert.Equal(t, "null", other.raw("end_date"))
}
