package service_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	ran      = "019b0000-0000-7000-8000-000000000001"
	archived = "019b0000-0000-7000-8000-000000000002"
)

// event returns an entry of the list events. rest contains further keys.
func event(survey, name, at, rest string) string {
	return `{"survey_id":"` + survey + `","event":"` + name + `","at":"` + at + `",` + rest + `}`
}

// by returns the keys of an event that identify the person and contain the properties.
func by(distinctID, properties string) string {
	return `"distinct_id":"` + distinctID + `","properties":{` + properties + `}`
}

// observed returns fixtures with events, a survey that ran in February, and an archived survey.
func observed(questions string, events ...string) string {
	return `{"clock":"2026-03-01T00:00:00Z","surveys":[
{"project_id":1,"id":"` + ran + `","name":"Ran","type":"popover","created_at":"2026-01-01T00:00:00Z","start_date":"2026-02-01T00:00:00Z","end_date":"2026-02-20T00:00:00Z","questions":` + questions + `},
{"project_id":1,"id":"` + archived + `","name":"Archived","type":"popover","created_at":"2026-01-01T00:00:00Z","start_date":"2026-02-01T00:00:00Z","archived":true}],
"persons":[{"project_id":1,"distinct_ids":["ann","ann-phone"],"properties":{"plan":"pro"}}],
"events":[` + strings.Join(events, ",") + `]}`
}

// eventStats are the counts of an event in a response.
type eventStats struct {
	Total       int64   `json:"total_count"`
	Persons     int64   `json:"unique_persons"`
	First       *string `json:"first_seen"`
	Last        *string `json:"last_seen"`
	PersonsSeen int64   `json:"unique_persons_only_seen"`
	Seen        int64   `json:"total_count_only_seen"`
}

// statsOf returns the counts in a stats response.
func (c caller) statsOf(path string) map[string]eventStats {
	c.t.Helper()
	var body struct{ Stats map[string]eventStats }
	require.NoError(c.t, json.Unmarshal([]byte(c.get(path).is(http.StatusOK).body), &body))
	return body.Stats
}

func TestHostedStatsInFull(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, observed(`null`,
		event(ran, "survey shown", "2026-02-02T00:00:00Z", by("ann", ``)),
		event(ran, "survey shown", "2026-02-03T00:00:00.5Z", by("ann-phone", ``)),
		event(ran, "survey shown", "2026-02-04T00:00:00Z", by("bob", ``)),
		event(ran, "survey shown", "2026-02-05T00:00:00+01:00", `"count":4`),
		event(ran, "survey dismissed", "2026-02-06T00:00:00Z", by("bob", ``)),
		event(ran, "survey dismissed", "2026-02-06T00:00:00Z", by("ann", ``)),
		event(ran, "survey sent", "2026-02-07T00:00:00Z", by("ann-phone", ``)),
	))

	assert.JSONEq(t, `{"survey_id":"`+ran+`","start_date":"2026-02-01T00:00:00Z","end_date":"2026-02-20T00:00:00Z","stats":{
		"survey shown":{"total_count":7,"unique_persons":6,"first_seen":"2026-02-02T00:00:00Z","last_seen":"2026-02-04T23:00:00Z","unique_persons_only_seen":4,"total_count_only_seen":4},
		"survey dismissed":{"total_count":2,"unique_persons":1,"first_seen":"2026-02-06T00:00:00Z","last_seen":"2026-02-06T00:00:00Z","unique_persons_only_seen":0,"total_count_only_seen":0},
		"survey sent":{"total_count":1,"unique_persons":1,"first_seen":"2026-02-07T00:00:00Z","last_seen":"2026-02-07T00:00:00Z","unique_persons_only_seen":0,"total_count_only_seen":0}},
		"rates":{"response_rate":14.29,"dismissal_rate":28.57,"unique_users_response_rate":16.67,"unique_users_dismissal_rate":16.67}}`,
		c.get(surveys+ran+"/stats/").body, "D13, D14, D17: keys, times, who only saw it, rates; one person under two ids; who dismissed and sent")

	none := c.get(surveys + archived + "/stats/")
	assert.JSONEq(t, `{"response_rate":0.0,"dismissal_rate":0.0,"unique_users_response_rate":0.0,"unique_users_dismissal_rate":0.0}`, none.raw("rates"))
	assert.Contains(t, none.raw("rates"), `"response_rate":0.0`, "D14 a float without events, too")
	assert.Contains(t, none.raw("stats"), `"survey dismissed":{"total_count":0,"unique_persons":0,"first_seen":null,"last_seen":null,"unique_persons_only_seen":0,"total_count_only_seen":0}`, "D13 all three, always")
	assert.NotContains(t, c.get(surveys+"stats/").body, "survey_id", "D13 for one survey only")
}

// The latest event of a submission counts in all response counts. A dismissed survey with answers is a
// response, not a dismissal.
func TestHostedStatsOfPartialResponses(t *testing.T) {
	t.Parallel()
	const part = `,"$survey_partially_completed":true`
	submission := func(id string) string { return `"$survey_submission_id":"` + id + `"` }
	srv, c := startHosted(t, observed(`null`,
		event(ran, "survey sent", "2026-02-02T00:00:00Z", by("ann", submission("one"))),
		event(ran, "survey sent", "2026-02-03T00:00:00Z", by("ann", submission("one"))),
		event(ran, "survey dismissed", "2026-02-04T00:00:00Z", by("ann", submission("one")+part)),
		event(ran, "survey dismissed", "2026-02-05T00:00:00Z", by("bob", submission("two")+`,"$survey_partially_completed":"true"`)),
		event(ran, "survey dismissed", "2026-02-05T00:00:00Z", by("cem", submission("three")+`,"$survey_partially_completed":false`)),
		event(ran, "survey abandoned", "2026-02-06T00:00:00Z", by("dee", submission("four")+part)),
		event(ran, "survey abandoned", "2026-02-06T00:00:00Z", by("eve", submission("five"))),
		event(ran, "survey sent", "2026-02-07T00:00:00Z", by("fay", ``)),
		event(ran, "survey sent", "2026-02-07T00:00:00Z", by("fay", ``)),
		event(archived, "survey sent", "2026-02-08T00:00:00Z", by("ann", submission("one"))),
	))

	stats := c.statsOf(surveys + ran + "/stats/")
	assert.Equal(t, int64(5), stats["survey sent"].Total, "D17 three submissions, and two without an id")
	assert.Equal(t, int64(4), stats["survey sent"].Persons, "D17")
	assert.Equal(t, "2026-02-04T00:00:00Z", *stats["survey sent"].First, "D17 the latest event of the submission")
	assert.Equal(t, int64(1), stats["survey dismissed"].Total, "D17 partly filled in is no dismissal")
	assert.Equal(t, int64(2), c.statsOf(surveys + ran + "/stats/?date_to=2026-02-05T00:00:00Z")["survey sent"].Total, "D17 within the window")
	assert.Equal(t, int64(1), c.statsOf(surveys + ran + "/stats/?date_to=2026-02-02T12:00:00Z")["survey sent"].Total, "D17 the latest within the window")
	assert.JSONEq(t, `{"`+ran+`":5,"`+archived+`":1}`, c.get(surveys+"responses_count/").body, "D17 the same definition, per survey")

	srv.PatchSurvey(ran, object{"end_date": nil, "responses_limit": 4})
	srv.RunJobs()
	assert.Equal(t, "null", c.get(surveys+ran+"/").raw("end_date"), "only what was sent counts for the limit: one and fay's two")
	srv.PatchSurvey(ran, object{"responses_limit": 3})
	srv.RunJobs()
	assert.NotEqual(t, "null", c.get(surveys+ran+"/").raw("end_date"))
}

// If two events have the same time, their IDs determine which is the latest.
func TestHostedStatsOfEventsAtOneTime(t *testing.T) {
	t.Parallel()
	first := `"uuid":"019b0000-0000-7000-8000-0000000000a1",`
	second := `"uuid":"019b0000-0000-7000-8000-0000000000a2",`
	at, same := "2026-02-02T00:00:00Z", `"$survey_submission_id":"one"`
	for _, events := range [][]string{
		{event(ran, "survey sent", at, first+by("ann", same)), event(ran, "survey sent", at, second+`"archived":true,`+by("bob", same))},
		{event(ran, "survey sent", at, second+`"archived":true,`+by("bob", same)), event(ran, "survey sent", at, first+by("ann", same))},
	} {
		_, c := startHosted(t, observed(`null`, events...))
		assert.Equal(t, int64(1), c.statsOf(surveys + ran + "/stats/")["survey sent"].Total, "D17")
		assert.Equal(t, int64(0), c.statsOf(surveys + ran + "/stats/?exclude_archived=true")["survey sent"].Total, "D17 the archived one hides the other")
		assert.JSONEq(t, `{}`, c.get(surveys+"responses_count/?exclude_archived=True").body, "D17")
	}
}

func TestHostedStatsOfTheProject(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, observed(`null`,
		event(ran, "survey shown", "2025-01-01T00:00:00Z", by("ann", ``)),
		event(ran, "survey sent", "2026-02-02T00:00:00Z", `"archived":true,`+by("ann", ``)),
		event(archived, "survey sent", "2026-02-02T00:00:00Z", by("ann", ``)),
		strings.Replace(event("019b0000-0000-7000-8000-000000000009", "survey sent", "2026-02-02T00:00:00Z", by("ann", ``)), `{`, `{"project_id":1,`, 1),
	))

	stats := c.statsOf(surveys + "stats/?exclude_archived=true")
	assert.Equal(t, int64(1), stats["survey sent"].Total, "D15 not those of archived and deleted surveys; exclude_archived is not read")
	assert.Equal(t, int64(1), stats["survey shown"].Total, "D15 no window of a survey")
	assert.Equal(t, int64(0), c.statsOf(surveys + "stats/?date_from=2026-01-01")["survey shown"].Total, "D15 the dates of the request")

	srv.PatchSurvey(ran, object{"archived": true})
	assert.JSONEq(t, `{"stats":{},"rates":{"response_rate":0.0,"dismissal_rate":0.0,"unique_users_response_rate":0.0,"unique_users_dismissal_rate":0.0}}`,
		c.get(surveys+"stats/").body, "D15 no survey that counts")
	srv.DeleteSurvey(ran)
	srv.DeleteSurvey(archived)
	assert.Equal(t, `{}`, c.get(surveys+"stats/").raw("stats"), "D15 no survey")
}

// PostHog counts the events of a survey from its start, or from the creation of a draft, to its end.
func TestHostedStatsWindow(t *testing.T) {
	t.Parallel()
	var events []string
	for _, at := range []string{"2025-12-31T00:00:00Z", "2026-01-15T00:00:00Z", "2026-02-10T00:00:00Z", "2026-02-20T00:00:00Z", "2026-02-25T00:00:00Z"} {
		events = append(events, event(ran, "survey shown", at, by("ann", ``)))
	}
	srv, c := startHosted(t, observed(`null`, events...))
	shown := func(query string) int64 { return c.statsOf(surveys + ran + "/stats/" + query)["survey shown"].Total }

	assert.Equal(t, int64(2), shown(""), "D16 from start to end, both included")
	assert.Equal(t, int64(2), shown("?date_from=2020-01-01&date_to=2030-01-01"), "D16 wider dates")
	assert.Equal(t, int64(1), shown("?date_from=2026-02-11T00:00:00Z"), "D16 a later date_from")
	assert.Equal(t, int64(1), shown("?date_to=2026-02-11T00:00:00Z"), "D16 an earlier date_to")

	srv.PatchSurvey(ran, object{"start_date": nil, "end_date": nil})
	assert.Equal(t, int64(4), shown(""), "D16 a draft since its creation")
}

func TestHostedStatsDates(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, observed(`null`))
	const bad = "Invalid date format. Please use ISO 8601 format with timezone info (e.g. 2024-01-01T00:00:00Z or 2024-01-01T00:00:00+00:00)"
	for _, path := range []string{surveys + "stats/", surveys + ran + "/stats/"} {
		for _, at := range []string{"soon", "2024-13-01", "2024-1-1", "1704067200", "2024-01-01T00:00:00 00:00"} {
			for _, name := range []string{"date_from", "date_to"} {
				c.get(path+"?"+url.Values{name: {at}}.Encode()).fails(http.StatusBadRequest, "invalid_input", "", bad)
			}
		}
		for _, at := range []string{"2024-01-01", "2024-01-01T00:00:00Z", "2024-01-01 00:00", "2024-01-01T00:00:00.123456+05:30", ""} {
			assert.Equal(t, http.StatusOK, c.get(path+"?"+url.Values{"date_from": {at}}.Encode()).status, "D18 %s", at)
		}
		c.get(path+"?date_from=2024-01-02&date_to=2024-01-01").fails(http.StatusBadRequest, "invalid_input", "", "date_from must be before date_to")
		c.get(path + "?date_from=2024-01-01&date_to=2024-01-01").is(http.StatusOK)
	}
	c.get(surveys+"019b0000-0000-7000-8000-000000000009/stats/?date_from=soon").fails(http.StatusNotFound, "not_found", "", "Not found.")
}

func TestHostedStatsSwitches(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, observed(`[]`, event(ran, "survey sent", "2026-02-02T00:00:00Z", `"archived":true,`+by("ann", ``))))
	path := surveys + ran + "/stats/"
	for value, on := range map[string]bool{"true": true, "True": true, "TRUE": true, "1": false, "yes": false, "": false, "false": false, " true": false} {
		query := url.Values{"exclude_archived": {value}, "include_per_question_stats": {value}}.Encode()
		a := c.get(path + "?" + query)
		assert.Equal(t, on, c.statsOf(path + "?" + query)["survey sent"].Total == 0, "D19 exclude_archived=%q", value)
		assert.Equal(t, on, a.raw("per_question_stats") == `[]`, "D19 include_per_question_stats=%q", value)
	}
}

const statsQuestions = `[
{"id":"rate","type":"rating","question":"How?","scale":5},
{"id":"pick","type":"single_choice","question":"Which?","choices":["yes","no","maybe"],"translations":{
	"de":{"choices":["ja","no","vielleicht"]},"fr":{"choices":["oui","non"]},"it":{"choices":["si"," ","[Translation needed]"]}}},
{"id":"text","type":"open","question":"Why?"},
{"id":"go","type":"link","question":"Go"},
{"id":"many","type":"multiple_choice","question":"All?","choices":["a","b"]},
{"id":"never","type":"rating","question":"Unanswered","scale":5}]`

func TestHostedStatsPerQuestion(t *testing.T) {
	t.Parallel()
	answers := []string{
		`"$survey_response_rate":"5","$survey_response_pick":"ja","$survey_response_text":"good","$survey_response_go":"link clicked","$survey_response_many":["a","b"]`,
		`"$survey_response_rate":4,"$survey_response_pick":"oui","$survey_response_text":"  "`,
		`"$survey_response":"4","$survey_response_1":"no","$survey_response_2":"older SDK"`,
		`"$survey_response_rate":"great","$survey_response_pick":"[Translation needed]"`,
		`"$survey_response_pick":"si","$survey_response_rate":null`,
		`"$survey_response_pick":"my own words"`,
	}
	var events []string
	for i, answer := range answers {
		events = append(events, event(ran, "survey sent", "2026-02-02T00:00:00Z", by(fmt.Sprint("p", i), answer)))
	}
	events = append(events,
		event(ran, "survey sent", "2026-02-03T00:00:00Z", by("merged", `"$survey_submission_id":"m","$survey_response_rate":"1"`)),
		event(ran, "survey abandoned", "2026-02-04T00:00:00Z", by("merged", `"$survey_submission_id":"m","$survey_partially_completed":true,"$survey_response_text":"late"`)),
		event(ran, "survey shown", "2026-02-04T00:00:00Z", by("shown", `"$survey_response_text":"not a response"`)),
	)
	_, c := startHosted(t, observed(statsQuestions, events...))

	assert.JSONEq(t, `[
		{"question_id":"rate","question_index":0,"question_text":"How?","question_type":"rating","response_count":5,"distribution":{"4":2,"1":1,"5":1,"great":1},"average":3.5},
		{"question_id":"pick","question_index":1,"question_text":"Which?","question_type":"single_choice","response_count":6,"distribution":{"yes":2,"no":1,"<other>":3},"average":null},
		{"question_id":"text","question_index":2,"question_text":"Why?","question_type":"open","response_count":3,"distribution":{},"average":null},
		{"question_id":"go","question_index":3,"question_text":"Go","question_type":"link","response_count":1,"distribution":{},"average":null},
		{"question_id":"many","question_index":4,"question_text":"All?","question_type":"multiple_choice","response_count":0,"distribution":{},"average":null},
		{"question_id":"never","question_index":5,"question_text":"Unanswered","question_type":"rating","response_count":0,"distribution":{},"average":null}]`,
		c.get(surveys+ran+"/stats/?include_per_question_stats=true").raw("per_question_stats"), "D20")
	assert.Empty(t, c.get(surveys+ran+"/stats/").raw("per_question_stats"), "D20 on request only")
	assert.Contains(t, c.get(surveys+ran+"/stats/?include_per_question_stats=true&date_from=2026-02-03").raw("per_question_stats"),
		`"response_count":1,"distribution":{"1":1},"average":1.0}`, "D20 between dates")
	assert.Contains(t, c.get(surveys+archived+"/stats/?include_per_question_stats=true").body, `"per_question_stats":[]`, "D20 without questions")
}
