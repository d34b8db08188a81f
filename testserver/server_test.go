package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

func TestObserve(t *testing.T) {
	t.Parallel()
	type seen struct {
		method, path, operation string
		status                  int
		body                    string
		fault                   bool
	}
	var all []seen
	srv := testserver.Start(t, testserver.Options{Observe: func(e testserver.Exchange) {
		assert.Equal(t, "application/json", e.Header.Get("Content-Type"))
		all = append(all, seen{e.Method, e.Path, e.Operation, e.Status, string(e.Body), e.Fault})
	}})
	c := call(t, srv).undocumentedAnswers()

	created := c.post(surveys, `{"name":"S","type":"api"}`).is(http.StatusCreated)
	elsewhere := c.get("/api/nothing/").is(http.StatusNotFound)
	srv.SetFaults(testserver.Fault{Status: http.StatusServiceUnavailable})
	failed := c.get(surveys).is(http.StatusServiceUnavailable)

	assert.Equal(t, []seen{
		{http.MethodPost, surveys, "surveys_create", http.StatusCreated, created.body, false},
		{http.MethodGet, "/api/nothing/", "", http.StatusNotFound, elsewhere.body, false},
		{http.MethodGet, surveys, "surveys_list", http.StatusServiceUnavailable, failed.body, true},
	}, all)
}

// Two servers that receive the same requests return the same bytes, including headers.
func TestRepeatableToTheByte(t *testing.T) {
	t.Parallel()
	run := func() string {
		srv := testserver.Start(t)
		c := call(t, srv)
		transcript := ""
		say := func(a answer) answer {
			// The system chooses the port.
			transcript += fmt.Sprintln(a.status, a.header, a.body)
			return a
		}

		path := surveys + say(c.post(surveys, conformingSurvey)).object()["id"].(string) + "/"
		say(c.patch(path, `{"name":"Renamed","targeting_flag_filters":{"groups":[]}}`))
		say(c.post(surveys, `{"name":"Other","type":"api"}`))
		say(c.post(apps, conformingApp))
		say(c.get(surveys))
		say(c.get(path))
		say(c.patch(path, `{"type":1}`))
		say(c.delete(path))
		say(c.get(path))
		say(c.get(control + "requests"))

		return transcript + srv.Dump()
	}

	assert.Equal(t, run(), run())
}

// Concurrent requests from many clients are neither lost nor mixed up. Run this test with the race detector.
func TestManyClientsAtOnce(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	clients, rounds := 8, 15
	if testing.Short() {
		rounds = 6 // each client deletes every third survey
	}
	var wait sync.WaitGroup

	for n := range clients {
		wait.Go(func() {
			for i := range rounds {
				name := fmt.Sprintf("%d-%d", n, i)
				a, err := c.try(http.MethodPost, surveys, `{"name":"`+name+`","type":"api","targeting_flag_filters":{"groups":[]}}`)
				if !assert.NoError(t, err) || !assert.Equal(t, http.StatusCreated, a.status, a.body) {
					return
				}

				var created struct{ ID string }
				assert.NoError(t, json.Unmarshal([]byte(a.body), &created))
				path := surveys + created.ID + "/"

				for _, step := range []struct{ method, path, body string }{
					{http.MethodPatch, path, `{"description":"` + name + `"}`},
					{http.MethodGet, surveys + "?limit=5", ""},
					{http.MethodGet, path, ""},
					{http.MethodPost, apps, `{"name":"` + name + `"}`},
					{http.MethodGet, apps, ""},
					{http.MethodGet, control + "fixtures", ""},
					{http.MethodGet, control + "requests", ""},
					{http.MethodPut, control + "faults", `{"rules":[{"path":"/nowhere","status":500}]}`},
				} {
					a, err := c.try(step.method, step.path, step.body)
					assert.NoError(t, err)
					assert.Less(t, a.status, 300, a.body)
					if step.path == path {
						assert.Contains(t, a.body, `"description":"`+name+`"`)
					}
				}

				if i%3 == 0 {
					_, err = c.try(http.MethodDelete, path, "")
					assert.NoError(t, err)
				}
			}
		})
	}

	wait.Wait()
	var p page
	require.NoError(t, json.Unmarshal([]byte(c.get(surveys).body), &p))
	assert.Equal(t, clients*rounds*2/3, p.Count)

	dump := srv.Dump()
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())

	for _, r := range srv.Journal() {
		assert.NotZero(t, r.Status)
	}
	assert.Len(t, srv.Journal(), clients*rounds*6+clients*rounds/3+1)
}

// The jobs in the documented profile change only fields of that profile.
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

// surveyWith returns the body of a survey request with one field.
func surveyWith(name, value string) string {
	return `{"name":"S","type":"popover","questions":[],"` + name + `":` + value + `}`
}

// A number with a huge exponent causes no work in the server.
func TestHugeNumbers(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			c := call(t, testserver.Start(t, testserver.Options{Profile: profile}))
			c.post(surveys, surveyWith("responses_limit", strings.Repeat("9", 900))).is(http.StatusBadRequest)
			c.post(surveys, surveyWith("responses_limit", "1."+strings.Repeat("0", 5000))).is(http.StatusBadRequest)

			// Computing one of these numbers takes gigabytes, and longer than the test's timeout.
			for _, field := range []string{"responses_limit", "name", "appearance", "archived", "start_date"} {
				for _, value := range []string{"1e999999999", "-1e999999999", "1e-999999999"} {
					assert.Less(t, c.post(surveys, surveyWith(field, value)).status, 501, "%s: %s", field, value)
				}
			}
			c.post(surveys, surveyWith("responses_limit", strings.Repeat("9", 8<<20))).is(http.StatusBadRequest)
		})
	}
}

// PostHog fails for nesting that Python cannot read. Below this limit, the work on nested values is bounded.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	nested := func(depth int, inside string) string {
		return strings.Repeat("[", depth) + inside + strings.Repeat("]", depth)
	}
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: profile})
			c := call(t, srv).undocumentedAnswers()
			large := `"` + strings.Repeat("x", 19<<20) + `"`

			for _, depth := range []int{900, 1000, 9000, 1 << 20} {
				c.post(surveys, surveyWith("conditions", `{"a":`+nested(depth, "1")+`}`)).is(http.StatusInternalServerError)
			}
			c.post(surveys, surveyWith("type", nested(800, large))).is(http.StatusRequestEntityTooLarge)
			c.post(surveys, surveyWith("type", nested(40, large))).is(http.StatusBadRequest)
			c.post(surveys, surveyWith("type", nested(800, "1"))).is(http.StatusBadRequest)

			for _, deep := range []string{nested(1000, "")} {
				require.Error(t, srv.Server.SetFixtures(strings.NewReader(`{"surveys":[{"project_id":1,"name":"S","type":"api","conditions":{"a":`+deep+`}}]}`)))
				c.put(control+"faults", `{"rules":[{"status":500,"body":`+deep+`}]}`).is(http.StatusBadRequest)
			}
		})
	}
}

// The control interface and the page limit the number of rules.
func TestFaultRulesAreBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).undocumentedAnswers()
	rules := func(n int) string { return `{"rules":[` + strings.Repeat(`{"status":500},`, n-1) + `{"status":500}]}` }
	c.put(control+"faults", rules(1001)).fails(http.StatusBadRequest, "invalid_input", "", "faults: there can be at most 1000 rules")
	c.put(control+"faults", rules(1000)).is(http.StatusNoContent)
	require.Error(t, srv.Server.SetFaults(make([]testserver.Fault, 1001)...))

	form := c.with("Content-Type", "application/x-www-form-urlencoded")
	a := form.post(control+"page/faults", "rule={\"status\":500}").is(http.StatusBadRequest)
	assert.Contains(t, a.body, "at most 1000 rules")
	c.put(control+"faults", `{"rules":[{"status":500,"body":"`+strings.Repeat("x", 1<<20)+`"}]}`).is(http.StatusNoContent)
	assert.Less(t, len(c.get("/").body), 100_000)
	assert.Len(t, srv.Server.Faults(), 1)
}
