package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A person who answered or dismissed a survey does not see it again on any device. Other persons see it.
func TestAppOffersOnce(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S",`+oneQuestion)+`]}`)
	page := host.open(t, appView{Person: "ann"})
	page.write("textarea", "x")
	page.submit()
	srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent", DistinctID: "ann"})
	dismissing := host.open(t, appView{Person: "bob"})
	dismissing.press(".form-cancel")
	srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey dismissed", DistinctID: "bob"})

	for person, want := range map[string][]string{"ann": {}, "bob": {}, "eve": {"S"}} {
		assert.Equal(t, want, host.open(t, appView{Person: person}).offered(), person)
	}
	stats := call(t, srv).statsOf(surveys + firstSurvey + "/stats/")
	assert.Equal(t, int64(1), stats["survey dismissed"].Total)
	assert.Equal(t, 1, responsesOf(t, srv, firstSurvey))
}

// A survey is offered to persons who match its filters, according to the server's data, and to no one after
// it stops.
func TestAppOffersToWhomItIsFor(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(secondSurvey, `"name":"for all","type":"api",`+oneQuestion)+`]}`)
	c := call(t, srv)
	path := c.newSurvey(`{"name":"for pros","type":"popover",` + oneQuestion + `,
		"targeting_flag_filters":{"groups":[{"properties":[{"key":"plan","type":"person","operator":"exact","value":["pro"]}],"rollout_percentage":100}]}}`)
	c.patch(path, `{"start_date":"2025-01-01T00:00:00Z"}`).is(http.StatusOK)
	srv.Person(testserver.Object{"distinct_ids": []string{"ann"}, "properties": testserver.Object{"plan": "pro"}})
	srv.Person(testserver.Object{"distinct_ids": []string{"bob"}, "properties": testserver.Object{"plan": "free"}})

	page := host.open(t, appView{Person: "ann"})
	page.shows("textarea")
	assert.ElementsMatch(t, []string{"for all", "for pros"}, page.offered())
	assert.Equal(t, []string{"for all"}, host.open(t, appView{Person: "bob"}).offered())
	// Person properties from the app take effect immediately.
	upgraded := host.open(t, appView{Person: "eve"})
	assert.Equal(t, []string{"for all"}, upgraded.offered())
	upgraded.Evaluate(t, `new Promise((done) => { app.setPersonProperties({ plan: "pro" }); app.onFeatureFlags(() => done(true)); })`, new(bool))
	waitFor(t, upgraded.Page, `window.inSurvey("textarea")`)

	c.patch(path, `{"end_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
	page.again(appView{Person: "ann"})
	assert.Equal(t, []string{"for all"}, page.offered())
}

// A slow feed delays surveys, and a failing feed shows none. The app continues to work.
func TestAppWithoutFeed(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S",`+oneQuestion)+`]}`)
	srv.SetFaults(testserver.Fault{Operation: "sdk_surveys", To: 1, DelayMS: 50}, testserver.Fault{Operation: "sdk_surveys", From: 2, Status: http.StatusServiceUnavailable})
	host.open(t, appView{Person: "ann"}).shows("textarea")
	page := host.open(t, appView{Person: "bob"})
	assert.Empty(t, page.offered())
	assert.Equal(t, "App", page.Text(t, "h1"))
}

// With all features on, the server responds to every request of posthog-js, and pages of the app can read
// the response.
func TestAppAsksForNothingUnknown(t *testing.T) {
	t.Parallel()
	srv, host := hosting(t, `{"surveys":[`+running(firstSurvey, `"name":"S",`+oneQuestion)+`]}`)
	page := host.open(t, appView{Person: "ann", Script: "/static/array.js", Options: `{
		autocapture: true, capture_dead_clicks: true, capture_heatmaps: true, capture_exceptions: true, capture_performance: true,
		disable_session_recording: false, disable_web_experiments: false, disable_product_tours: false, capture_pageleave: true,
		logs: { captureConsoleLogs: true }, strict_script_versioning: true}`})
	page.write("textarea", "x")
	page.Evaluate(t, `new Promise((done) => app.getEarlyAccessFeatures((features) => done(features), true))`, &[]any{})
	page.Evaluate(t, `new Promise((done) => { app.productTours?.getProductTours((tours) => done(tours), true) ?? done([]); })`, new(any))
	page.Evaluate(t, `app.captureLog?.({ body: "x" }), app.captureException(new Error("x")), console.log("x"), app.startSessionRecording(), true`, new(bool))
	page.submit()
	srv.WaitEvent(patient(t), testserver.EventFilter{Event: "survey sent"})
	page.leave()

	for _, request := range srv.Journal() {
		assert.NotEmpty(t, request.Operation, request.Path)
		assert.True(t, strings.HasPrefix(request.Operation, "sdk_"), request.Path)
		assert.Less(t, request.Status, 400, request.Path)
	}
	for _, problem := range page.Errors() {
		assert.NotContains(t, problem, "CORS")
		assert.NotContains(t, problem, "status of 4")
	}
}

// A survey waits for an event of the app, or for a click that posthog-js captures.
func TestAppOffersAfterAnEvent(t *testing.T) {
	t.Parallel()
	_, host := hosting(t, `{"surveys":[
		`+running(firstSurvey, `"name":"bought","conditions":{"events":{"values":[{"name":"bought"}]}},`+oneQuestion)+`,
		`+running(secondSurvey, `"name":"clicked","conditions":{"events":{"values":[{"name":"$autocapture"}]}},`+oneQuestion)+`]}`)
	for name, act := range map[string]string{
		"bought":  `app.capture("bought"), true`,
		"clicked": `document.getElementById("feedback").click(), true`,
	} {
		page := host.open(t, appView{Person: name, Options: `{"autocapture":true}`})
		assert.Empty(t, page.offered())
		page.Evaluate(t, act, new(bool))
		page.shows("textarea")
		assert.Equal(t, []string{name}, page.offered())
	}
}
