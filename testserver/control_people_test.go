package testserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
			`[]`:                                     `people: the body must be {"project_id": 1, "distinct_ids": ["ann"], "properties": {}}, it is no JSON object`,
			`{`:                                      `people: the body must be {"project_id": 1, "distinct_ids": ["ann"], "properties": {}}, it is no JSON object`,
			`{}`:                                     `people: person: needs the key "distinct_ids"`,
			`{"distinct_ids":[]}`:                    `people: person.distinct_ids: must not be empty`,
			`{"distinct_ids":[1]}`:                   `people: person.distinct_ids[0]: must be a string, is a number`,
			`{"distinct_ids":["a"],"project_id":9}`:  `people: person.project_id: there is no project 9`,
			`{"distinct_ids":["a"],"x":1}`:           `people: person.x: unknown key`,
			`{"distinct_ids":["a"],"properties":[]}`: `people: person.properties: must be an object, is an array`,
			`{"distinct_ids":["a"],"properties":{"x":"` + strings.Repeat("x", 600<<10) + `"}}`: `people: person a: there is no room for it`,
			`{"distinct_ids":["a"],"properties":{"x":` + strings.Repeat("[", 1000):             `people: JSON is nested more than 900 levels deep`,
		} {
			a := c.post(control+"people", body).is(http.StatusBadRequest)
			assert.True(t, strings.HasPrefix(a.detail(), want), "%s\n%s", a.detail(), want)
		}
		c.post(control+"people", strings.Repeat(" ", 1<<20)+"{}").is(http.StatusRequestEntityTooLarge)
		c.get(control + "people").is(http.StatusMethodNotAllowed)
	}
}

// detail is what the failure of the control interface says.
func (a answer) detail() string {
	text, _ := a.object()["detail"].(string)
	return text
}

// eventsOf are the events that the control interface has.
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
			"wait=soon": `events: wait must be a time as 5s, of at most 1m0s, is "soon"`, "wait=-1s": "events: wait must be", "wait=2m": "events: wait must be",
			"survey=x": `events: unknown parameter "survey"; there are distinct_id, event, survey_id, wait, world`,
		} {
			assert.Contains(t, c.get(control+"events?"+query).is(http.StatusBadRequest).detail(), want)
		}
		app(t, srv).get(control + "events").is(http.StatusForbidden)
	}
}

// What any web site can put into a store commands no terminal, and is the same as JSON.
func TestControlEscapes(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	const hostile = "\u009b31m\x7f\u202e"
	app(t, srv).capture(strings.ReplaceAll(ofSurvey("survey sent", "HOSTILE", ""), `"HOSTILE"`, quoted(hostile)))
	c := call(t, srv).undocumentedAnswers()
	told := c.get(control+"events").body + c.get(control+"surveys/"+shownToApps+"/people?distinct_id="+url.QueryEscape(hostile)).body +
		c.post(control+"people", `{"distinct_ids":[`+quoted(hostile)+`]}`).body + c.get(control+"requests").body
	assert.NotContains(t, told, "\u009b")
	assert.NotContains(t, told, "\x7f")
	assert.NotContains(t, told, "\u202e")
	assert.Equal(t, []string{"survey sent by " + hostile}, eventsOf(t, c, ""))
}

// Who waits for an event gets it when it arrives, in the world that it is sent to.
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

	// A document that has the event ends the wait, too.
	go func() { got <- eventsOf(t, c, "distinct_id=loaded&wait=60s") }()
	srv.SetFixtures(strings.TrimSuffix(fmt.Sprintf(captureFixtures, "null"), "}") + `,"events":[{"survey_id":"` + shownToApps + `","event":"survey sent","distinct_id":"loaded"}]}`)
	assert.Equal(t, []string{"survey sent by loaded"}, <-got)
}

// Requests that wait are bounded, and one whose client goes away waits no longer.
func TestControlBoundsWhoWaits(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	ctx, leave := context.WithCancel(t.Context())
	const more = 6
	statuses := make(chan int, 64+more)
	for range cap(statuses) {
		go func() {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+control+"events?wait=60s", nil)
			if err != nil {
				statuses <- 0
				return
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				statuses <- 0
				return
			}
			statuses <- response.StatusCode
			_ = response.Body.Close()
		}()
	}
	for range more {
		assert.Equal(t, http.StatusServiceUnavailable, <-statuses)
	}

	leave()
	for range 64 {
		assert.Zero(t, <-statuses, "they wait until they leave")
	}
	c := call(t, srv).undocumentedAnswers()
	require.Eventually(t, func() bool { return c.get(control+"events?wait=1ms").status == http.StatusOK }, 50*time.Second, 10*time.Millisecond)
}

// The Go functions do the same.
func TestEventsAndPersonsInGo(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	person := srv.Person(testserver.Object{"distinct_ids": []string{"ann"}, "properties": testserver.Object{"plan": "pro"}})
	assert.Equal(t, testserver.Object{"plan": "pro"}, person["properties"])
	_, err := srv.Server.Person(testserver.Object{"project_id": 9, "distinct_ids": []string{"ann"}})
	require.EqualError(t, err, "person.project_id: there is no project 9")

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
	require.ErrorContains(t, err, "there is no survey sent of survey "+shownToApps+" by bob: context canceled; 1 other events of surveys have arrived")
}
