package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// personOf is a person of a dump.
type personOf struct {
	IDs        []string                   `json:"distinct_ids"`
	Properties map[string]json.RawMessage `json:"properties"`
	Identified bool                       `json:"is_identified"`
}

// persons are the persons of a dump by each of their distinct ids.
func persons(t *testing.T, srv *testserver.Instance) map[string]personOf {
	t.Helper()
	var dump struct{ Persons []personOf }
	require.NoError(t, json.Unmarshal([]byte(srv.Dump()), &dump))
	byID := map[string]personOf{}
	for _, p := range dump.Persons {
		for _, id := range p.IDs {
			_, twice := byID[id]
			assert.False(t, twice, "%s is an id of two persons", id)
			byID[id] = p
		}
	}
	return byID
}

// has are the properties of a person in one line.
func has(t *testing.T, srv *testserver.Instance, id string) string {
	t.Helper()
	raw, err := json.Marshal(persons(t, srv)[id].Properties)
	require.NoError(t, err)
	return string(raw)
}

// What events say about their person is kept: in the order of the service, and only of persons
// who may be known.
func TestCaptureProperties(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		c.capture(captured("$set", "ann", `,"$set":{"plan":"pro","n":1},"$set_once":{"n":2,"first":true}`))
		assert.JSONEq(t, `{"plan":"pro","n":1,"first":true}`, has(t, srv, "ann"))
		c.capture(captured("any", "ann", `,"$set":{"plan":{"name":"free"}},"$set_once":{"n":3},"$unset":["first","none",7]`))
		assert.JSONEq(t, `{"plan":{"name":"free"},"n":1}`, has(t, srv, "ann"))
		c.capture(`{"event":"any","distinct_id":"ann","api_key":"phc_test","$set":{"top":1},"properties":{"$set":{"top":0},"$unset":{"n":1}}}`)
		assert.JSONEq(t, `{"plan":{"name":"free"},"top":1}`, has(t, srv, "ann"))

		c.capture(captured("$pageview", "bob", `,"$browser":"Firefox","$os_name":"iOS","utm_source":"mail","$lib":"web"`))
		c.capture(captured("$pageview", "bob", `,"$browser":"Chrome"`))
		assert.JSONEq(t, `{"$browser":"Chrome","$initial_browser":"Firefox","$os":"iOS","$initial_os":"iOS","utm_source":"mail","$initial_utm_source":"mail"}`, has(t, srv, "bob"))

		for _, event := range []string{
			captured("any", "cy", `,"$process_person_profile":false,"$set":{"a":1}`),
			captured("$identify", "cy", `,"$process_person_profile":false,"$anon_distinct_id":"dan"`),
		} {
			c.capture(event)
		}
		assert.NotContains(t, persons(t, srv), "cy")
		assert.NotContains(t, persons(t, srv), "dan")
		for _, event := range []string{
			captured("$exception", "cy", `,"$set":{"a":1}`), captured("$groupidentify", "cy", `,"$set":{"a":1}`),
			captured("any", "cy", `,"$set":[1],"$set_once":"x","$unset":5`), captured("any", "cy", `,"$unset":["a"]`),
		} {
			c.capture(event)
		}
		assert.JSONEq(t, `{}`, has(t, srv, "cy"))
	}
}

// Anonymous and identified ids become one person. Persons who are identified stay apart, ids that
// many apps send by mistake merge nobody, and chains and loops of aliases end.
func TestCaptureMerges(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		identified := func(id, anonymous string) string {
			return captured("$identify", id, fmt.Sprintf(`,"$anon_distinct_id":%q`, anonymous))
		}
		c.capture(captured("any", "anon", `,"$set":{"a":"anonymous","b":"anonymous"}`))
		c.capture(captured("any", "ann", `,"$set":{"b":"ann","c":"ann"}`))
		c.capture(strings.Replace(identified("ann", "anon"), `"$anon`, `"$set":{"c":"now"},"$anon`, 1))
		assert.JSONEq(t, `{"a":"anonymous","b":"ann","c":"now"}`, has(t, srv, "anon"))
		assert.Equal(t, persons(t, srv)["ann"], persons(t, srv)["anon"])
		assert.True(t, persons(t, srv)["ann"].Identified)

		c.capture(identified("bob", "bob-anon"))
		c.capture(identified("ann", "bob"))
		assert.NotContains(t, persons(t, srv)["ann"].IDs, "bob", "bob has been identified")
		c.capture(captured("$pageview", "eve", ""))
		c.capture(identified("eve", "bob"))
		assert.NotContains(t, persons(t, srv)["bob"].IDs, "eve", "eve is somebody already")
		c.capture(captured("$merge_dangerously", "ann", `,"alias":"bob"`))
		assert.ElementsMatch(t, []string{"ann", "anon", "bob", "bob-anon"}, persons(t, srv)["ann"].IDs)

		for _, odd := range []string{"", "null", "Undefined", "0", " ", `'guest'`, "[object Object]", "zoe"} {
			c.capture(identified("zoe", odd))
			c.capture(captured("$create_alias", odd+"?", fmt.Sprintf(`,"alias":%q`, odd)))
		}
		c.capture(captured("$identify", "zoe", `,"$anon_distinct_id":null`))
		assert.ElementsMatch(t, []string{"zoe", "zoe?"}, persons(t, srv)["zoe"].IDs)

		alias := func(id, other string) string { return captured("$create_alias", id, fmt.Sprintf(`,"alias":%q`, other)) }
		c.capture("[" + alias("x", "y") + "," + alias("y", "z") + "," + alias("z", "x") + "," + alias("x", "y") + "]")
		assert.ElementsMatch(t, []string{"x", "y", "z"}, persons(t, srv)["y"].IDs)
		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump())
	}
}

// Who answers before being identified is one person with who answers after it.
func TestCaptureEventBeforeIdentify(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fmt.Sprintf(captureFixtures, "null"))})
	c := app(t, srv)
	c.capture(ofSurvey("survey shown", "anon", ""))
	c.capture(ofSurvey("survey shown", "ann", ""))
	stats := func() int64 { return call(t, srv).statsOf(surveys + shownToApps + "/stats/")["survey shown"].Persons }
	assert.Equal(t, int64(2), stats())
	c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"anon"`))
	assert.Equal(t, int64(1), stats())
}

// Whatever is sent, the memory for persons is bounded, and a change without room leaves what
// there is.
func TestCapturedPersonsAreBounded(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c := app(t, srv)
	half := `"` + strings.Repeat("x", 300<<10) + `"`
	c.capture(captured("$set", "ann", `,"$set":{"a":`+half+`}`))
	c.capture(captured("$set", "ann", `,"$set":{"a":1,"b":`+half+`,"c":`+half+`}`))
	assert.Len(t, has(t, srv, "ann"), len(half)+len(`{"a":}`), "all of a change or nothing")
	c.capture(captured("$set", "ann", `,"$set":{"a":1,"b":`+half+`}`))
	assert.Contains(t, has(t, srv, "ann"), `"a":1`)

	c.capture(captured("$set", "bob", `,"$set":{"a":`+half+`,"z":1}`))
	c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"bob"`))
	assert.Less(t, len(has(t, srv, "bob")), 600<<10)
	assert.Contains(t, has(t, srv, "bob"), `"z":1`)

	// Events of so many persons would have more JSON than most tests together.
	srv.Server.KnowPersons(300, half)
	for i := range 3 {
		c.capture(captured("$set", fmt.Sprintf("late%d", i), `,"$set":{"a":`+half+`}`))
	}
	dump := srv.Dump()
	assert.Less(t, len(dump), 70<<20)
	assert.Greater(t, len(dump), 60<<20)
	assert.Contains(t, dump, `"distinct_ids":["ann"`)
	assert.Contains(t, dump, `"distinct_ids":["late2"],"properties":{}`)
}

// Who has answered is not asked again: the next request for flags knows it, under each id of the
// person.
func TestCapturedAnswersEndTheSurvey(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, "{}") {
		c, api := app(t, srv), call(t, srv)
		path := api.newSurvey(`{"name":"S","type":"popover","questions":[{"type":"open","question":"Why?"}]}`)
		api.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		survey := c.feed("phc_test")[`"S"`]
		var id, key string
		require.NoError(t, json.Unmarshal(survey["id"], &id))
		require.NoError(t, json.Unmarshal(survey["internal_targeting_flag_key"], &key))
		offered := func(person string) bool {
			var reply struct {
				Flags map[string]struct{ Enabled bool }
			}
			body := c.post("/flags/?v=2", fmt.Sprintf(`{"token":"phc_test","distinct_id":%q}`, person)).is(http.StatusOK).body
			require.NoError(t, json.Unmarshal([]byte(body), &reply))
			require.Contains(t, reply.Flags, key)
			return reply.Flags[key].Enabled
		}

		assert.True(t, offered("ann"), profile)
		c.capture(captured("survey sent", "anon", fmt.Sprintf(`,"$survey_id":%q,"$set":{"$survey_responded/%s":true}`, id, id)))
		assert.Equal(t, []bool{true, false, true}, []bool{offered("ann"), offered("anon"), offered("bob")}, profile)
		c.capture(captured("$identify", "ann", `,"$anon_distinct_id":"anon"`))
		c.capture(captured("survey dismissed", "bob", fmt.Sprintf(`,"$survey_id":%q,"$set":{"$survey_dismissed/%s":true}`, id, id)))
		assert.Equal(t, []bool{false, false, false}, []bool{offered("ann"), offered("anon"), offered("bob")}, profile)
	}
}
