package testserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

func TestControlPeople(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := call(t, srv).undocumentedAnswers()
		put := func(body string) string { return c.post(control+"people", body).is(http.StatusOK).body }
		assert.JSONEq(t, `{"project_id":1,"distinct_ids":["ann"],"properties":{}}`, put(`{"distinct_ids":["ann"]}`))
		put(`{"project_id":1,"distinct_ids":["bob"],"properties":{"plan":"pro","n":1},"is_identified":true}`)
		assert.JSONEq(t, `{"project_id":1,"distinct_ids":["ann","new","bob"],"properties":{"plan":"free","n":1},"is_identified":true}`,
			put(`{"project_id":1,"distinct_ids":["ann","new","bob"],"properties":{"plan":"free"}}`))
		assert.Len(t, persons(t, srv), 3)

		for body, want := range map[string]string{
			`[]`:                                     `people: the body must be JSON, such as {"project_id": 1, "distinct_ids": ["ann"], "properties": {}}`,
			`{`:                                      `people: the body must be JSON, such as {"project_id": 1, "distinct_ids": ["ann"], "properties": {}}`,
			`{}`:                                     `people: person: the key "distinct_ids" is missing`,
			`{"distinct_ids":[]}`:                    `people: person.distinct_ids: must not be empty`,
			`{"distinct_ids":[1]}`:                   `people: person.distinct_ids[0]: must be a string, not a number`,
			`{"distinct_ids":["a"],"project_id":9}`:  `people: person.project_id: project 9 does not exist`,
			`{"distinct_ids":["a"],"x":1}`:           `people: person.x: unknown key`,
			`{"distinct_ids":["a"],"properties":[]}`: `people: person.properties: must be an object, not an array`,
			`{"distinct_ids":["a"],"properties":{"x":"` + strings.Repeat("x", 600<<10) + `"}}`: `people: person a: the properties are too large`,
			`{"distinct_ids":["a"],"properties":{"x":` + strings.Repeat("[", 1000):             `people: JSON is nested more than 900 levels deep`,
		} {
			a := c.post(control+"people", body).is(http.StatusBadRequest)
			assert.True(t, strings.HasPrefix(a.detail(), want), "%s\n%s", a.detail(), want)
		}
		c.post(control+"people", strings.Repeat(" ", 1<<20)+"{}").is(http.StatusRequestEntityTooLarge)
		c.get(control + "people").is(http.StatusMethodNotAllowed)
	}
}

// detail returns the error message of the control interface.
func (a answer) detail() string {
	text, _ := a.object()["detail"].(string)
	return text
}

// eventsOf returns the events from the control interface.
func eventsOf(t *testing.T, c caller, query string) []string {
	t.Helper()
	var events []struct {
		Event      string `json:"event"`
		DistinctID string `json:"distinct_id"`
	}
	require.NoError(t, json.Unmarshal([]byte(c.get(control+"events?"+query).is(http.StatusOK).body), &events))
	names := []string{}
	for _, e := range events {
		names = append(names, e.Event+" by "+e.DistinctID)
	}
	return names
}

func TestControlEvents(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, fmt.Sprintf(captureFixtures, "null")) {
		c := call(t, srv).undocumentedAnswers()
		assert.Empty(t, eventsOf(t, c, ""))
		assert.Empty(t, eventsOf(t, c, "wait=1ms"))
		for i, name := range []string{"survey shown", "survey sent", "survey shown"} {
			app(t, srv).capture(ofSurvey(name, fmt.Sprintf("p%d", i), ""))
		}
		assert.Equal(t, []string{"survey shown by p0", "survey sent by p1", "survey shown by p2"}, eventsOf(t, c, "wait=60s"))
		assert.Equal(t, []string{"survey shown by p0", "survey shown by p2"}, eventsOf(t, c, "event=survey+shown&survey_id="+shownToApps))
		assert.Equal(t, []string{"survey sent by p1"}, eventsOf(t, c, "distinct_id=p1"))
		assert.Empty(t, eventsOf(t, c, "survey_id=x"))

		for query, want := range map[string]string{
			"wait=soon": `events: wait must be a duration of at most 1m0s, such as 5s, not "soon"`, "wait=-1s": "events: wait must be", "wait=2m": "events: wait must be",
			"survey=x": `events: unknown parameter "survey". Use one of distinct_id, event, survey_id, wait, world`,
		} {
			assert.Contains(t, c.get(control+"events?"+query).is(http.StatusBadRequest).detail(), want)
		}
		app(t, srv).get(control + "events").is(http.StatusForbidden)
	}
}

// Any website can put text into a store. Control output escapes it for terminals, and remains the same JSON.
func TestControlEscapes(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	const hostile = "\u009b31m\x7f\u202e"
	app(t, srv).capture(strings.ReplaceAll(ofSurvey("survey sent", "HOSTILE", ""), `"HOSTILE"`, quoted(hostile)))
	c := call(t, srv).undocumentedAnswers()
	shown := c.get(control+"events").body + c.get(control+"surveys/"+shownToApps+"/people?distinct_id="+url.QueryEscape(hostile)).body +
		c.post(control+"people", `{"distinct_ids":[`+quoted(hostile)+`]}`).body + c.get(control+"requests").body
	assert.NotContains(t, shown, "\u009b")
	assert.NotContains(t, shown, "\x7f")
	assert.NotContains(t, shown, "\u202e")
	assert.Equal(t, []string{"survey sent by " + hostile}, eventsOf(t, c, ""))
}

// A request that waits for an event returns when the event arrives in its world.
func TestControlWaitsForEvents(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	_, err := srv.Server.World("w")
	require.NoError(t, err)
	c := call(t, srv).undocumentedAnswers()

	got := make(chan []string)
	go func() { got <- eventsOf(t, c, "event=survey+sent&wait=60s&world=w") }()
	app(t, srv).capture(ofSurvey("survey sent", "elsewhere", ""))
	app(t, srv).capture(strings.Replace(ofSurvey("survey shown", "ann", ""), "phc_test", "phc_test_w", 1))
	app(t, srv).capture(strings.Replace(ofSurvey("survey sent", "ann", ""), "phc_test", "phc_test_w", 1))
	assert.Equal(t, []string{"survey sent by ann"}, <-got)

	// Loading a document that contains the event also ends the wait.
	go func() { got <- eventsOf(t, c, "distinct_id=loaded&wait=60s") }()
	srv.SetFixtures(strings.TrimSuffix(fmt.Sprintf(captureFixtures, "null"), "}") + `,"events":[{"survey_id":"` + shownToApps + `","event":"survey sent","distinct_id":"loaded"}]}`)
	assert.Equal(t, []string{"survey sent by loaded"}, <-got)
}

// The Go methods behave like the control interface.
func TestEventsAndPersonsInGo(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	person := srv.Person(testserver.Object{"distinct_ids": []string{"ann"}, "properties": testserver.Object{"plan": "pro"}})
	assert.Equal(t, testserver.Object{"plan": "pro"}, person["properties"])
	_, err := srv.Server.Person(testserver.Object{"project_id": 9, "distinct_ids": []string{"ann"}})
	require.EqualError(t, err, "person.project_id: project 9 does not exist")

	c := app(t, srv)
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		c.capture(ofSurvey("survey sent", "ann", `,"$survey_response_q":["a","b"],"n":1.50`))
	}()
	filter := testserver.EventFilter{Event: "survey sent", SurveyID: shownToApps, DistinctID: "ann"}
	event := srv.WaitEvent(t.Context(), filter)
	<-sent
	assert.Equal(t, []any{"a", "b"}, event.Answer("q"))
	assert.Nil(t, event.Answer("other"))
	assert.Equal(t, json.Number("1.50"), event.Properties["n"])
	assert.Equal(t, []testserver.Event{event}, srv.Events(testserver.EventFilter{}))

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	filter.DistinctID = "bob"
	_, err = srv.Server.WaitEvent(ended, filter)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "no event \"survey sent\" of survey "+shownToApps+" by bob arrived: context canceled. 1 other events arrived")
}

// A read does not create a world. Otherwise, a test that misspells the name of its world would see an empty
// journal.
func TestWorldIsNotMadeByReading(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Worlds: true})
	c := call(t, srv).undocumentedAnswers()
	paths := []string{"requests", "fixtures", "faults", "report", "health", "openapi.yaml", "worlds/typo", "nothing", "reset"}

	for _, path := range paths {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			a := c.do(method, control+path+separator+"world=typo", "").is(http.StatusNotFound)
			assert.Equal(t, method == http.MethodHead, a.body == "", path)
		}
	}
	c.get(control+"requests?world=typo").fails(http.StatusNotFound, "not_found", "",
		`There is no world "typo": the first request with the key phx_test_typo, or the first change to it, creates it.`)
	c.get("/?world=typo").is(http.StatusNotFound)
	assert.Empty(t, srv.Server.Worlds())

	// A change creates the world, as does a request with its key.
	c.put(control+"clock?world=prepared", `{"clock":null}`).is(http.StatusNoContent)
	c.with("Authorization", "Bearer phx_test_used").get(surveys).is(http.StatusOK)
	for _, world := range []string{"prepared", "used"} {
		c.get(control + "requests?world=" + world).is(http.StatusOK)
		c.do(http.MethodHead, control+"requests?world="+world, "").is(http.StatusOK)
	}
	c.delete(control + "worlds/used").is(http.StatusNoContent)
	c.get(control + "requests?world=used").is(http.StatusNotFound)
}

// A stalled client does not block other clients.
func TestOriginStalls(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]string{
		"PUT " + control + "fixtures":         "{",
		"PUT " + control + "faults":           "{",
		"PUT " + control + "clock":            "{",
		"PUT " + control + "fixtures?world=a": "{",
		"POST " + control + "page/faults":     "rule=",
		"POST " + surveys:                     "{",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Worlds: true})
			stalled, err := net.Dial("tcp", strings.TrimPrefix(srv.URL, "http://"))
			require.NoError(t, err)
			t.Cleanup(func() { _ = stalled.Close() })
			_, err = fmt.Fprintf(stalled, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\n%s", path, body)
			require.NoError(t, err)

			c := call(t, srv)
			for range 20 {
				c.post(apps, `{"name":"A","plugin_type":"source"}`).is(http.StatusCreated)
				c.with("Authorization", "Bearer phx_test_a").get(surveys).is(http.StatusOK)
				c.get("/").is(http.StatusOK)
				c.get(control + "fixtures").is(http.StatusOK)
			}
		})
	}
}

// spaces is a document of spaces. It can have any size without using memory.
type spaces struct{ left int64 }

func (s *spaces) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), s.left))
	for i := range p[:n] {
		p[i] = ' '
	}
	s.left -= int64(n)
	return n, nil
}

// Documents have a maximum size.
func TestWorldDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	put := func(path string, body io.Reader, announced int64) (int, string) {
		r := httptest.NewRequest(http.MethodPut, control+path, body)
		r.ContentLength = announced
		w := httptest.NewRecorder()
		srv.Server.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}

	for path, size := range map[string]int64{"faults": 4 << 20, "clock": 1 << 10} {
		status, body := put(path, io.MultiReader(&spaces{size}, strings.NewReader("{}")), -1)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status, path)
		assert.Contains(t, body, fmt.Sprintf("The document is larger than %d bytes.", size), path)
	}

	unread := &spaces{1 << 40}
	status, body := put("fixtures", unread, unread.left)
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	assert.Contains(t, body, "The document is larger than 268435456 bytes.")
	assert.Equal(t, int64(1<<40), unread.left, "a body whose declared size exceeds the limit must not be read")
}

// Surveys can be created at the earliest and the latest time of the clock.
func TestWorldClockIsBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c := call(t, srv).undocumentedAnswers()
	for _, clock := range []string{"9999-12-31T23:59:59-12:00", "0000-01-01T00:00:00+12:00", "9500-01-01T00:00:00Z"} {
		c.put(control+"clock", `{"clock":"`+clock+`"}`).fails(http.StatusBadRequest, "invalid_input", "", "clock: clock: must be between the years 1000 and 9000")
		require.ErrorContains(t, srv.Server.SetFixtures(strings.NewReader(`{"clock":"`+clock+`"}`)), "between the years")
	}

	form := c.with("Content-Type", "application/x-www-form-urlencoded")
	for _, set := range []string{"set=2562047h", "set=-2562047h"} {
		for range 40 {
			form.post(control+"page/clock", set).is(http.StatusOK)
		}
		c.post(surveys, `{"name":"`+set+`","type":"popover","iteration_count":3,"iteration_frequency_days":30}`).is(http.StatusCreated)
		for _, path := range []string{"requests", "fixtures", "report?format=json"} {
			c.get(control + path).is(http.StatusOK)
		}
		c.get("/").is(http.StatusOK)
		c.get(surveys).is(http.StatusOK)
	}
}

// The server returns the contract byte for byte, even at PostHog's path.
func TestDocumentIsServed(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv).with("Authorization", "")
	for _, path := range []string{control + "openapi.yaml", "/api/schema/"} {
		a := c.get(path).is(http.StatusOK)
		assert.Equal(t, string(api.Document()), a.body, path)
		assert.Equal(t, "application/vnd.oai.openapi", a.header.Get("Content-Type"))
	}

	assert.Equal(t, "GET, HEAD", c.post("/api/schema/", `{}`).is(http.StatusMethodNotAllowed).header.Get("Allow"))
	assert.Empty(t, srv.Journal())
}

// The health check succeeds while the server loads a document, which locks the store.
func TestHealth(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true})
	c := call(t, srv)
	c.get(surveys).is(http.StatusOK)
	c.with("Authorization", "Bearer phx_test_a").get(surveys).is(http.StatusOK)

	reader, writer := io.Pipe()
	loaded := make(chan error, 1)
	go func() { loaded <- srv.Server.SetFixtures(reader) }()
	_, err := io.WriteString(writer, "{")
	require.NoError(t, err)

	assert.Equal(t, `{"status":"ok","profile":"hosted","worlds":1,"requests":1}`+"\n", c.get(control+"health").is(http.StatusOK).body)
	_, err = io.WriteString(writer, "}")
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	require.NoError(t, <-loaded)
}
