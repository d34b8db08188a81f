package testserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// flagsReply is the response to a request for flags.
type flagsReply struct {
	Flags map[string]struct {
		Key     string
		Enabled bool
		Variant *string
		Reason  struct {
			Code           string
			ConditionIndex *int `json:"condition_index"`
			Description    string
		}
		Metadata map[string]json.RawMessage
	}
	ErrorsWhileComputingFlags *bool
	RequestID                 string
	EvaluatedAt               int64
}

// flags requests a person's flags as the browser SDK does. request is an object without the token.
func (c caller) flags(token, request string) flagsReply {
	c.t.Helper()
	body := `{"token":"` + token + `",` + strings.TrimPrefix(request, "{")
	var reply flagsReply
	require.NoError(c.t, json.Unmarshal([]byte(c.post("/flags/?v=2", body).is(http.StatusOK).body), &reply))
	return reply
}

// values returns each flag's variant, or on or off, followed by the reason.
func (r flagsReply) values() map[string]string {
	values := map[string]string{}
	for key, flag := range r.Flags {
		value := "off"
		switch {
		case flag.Variant != nil:
			value = *flag.Variant
		case flag.Enabled:
			value = "on"
		}
		values[key] = value + " " + flag.Reason.Code
	}
	return values
}

const flagsFixtures = `{"clock":"2026-01-02T03:04:05Z","projects":[{"id":1,"group_types":["team","company"]},{"id":2,"api_token":"phc_two"}],
	"feature_flags":[
	{"id":1,"project_id":1,"key":"pro","version":7,"filters":{"groups":[{"properties":[{"key":"plan","value":"pro","type":"person"}]}]}},
	{"id":2,"project_id":1,"key":"colours","filters":{"groups":[{"variant":"red"}],"multivariate":{"variants":[{"key":"red","rollout_percentage":50},{"key":"blue","rollout_percentage":50}]},"payloads":{"red":"{\"a\":1}"}}},
	{"id":3,"project_id":1,"key":"off","active":false,"filters":{"groups":[{}]}},
	{"id":4,"project_id":1,"key":"gone","deleted":true,"filters":{"groups":[{}]}},
	{"id":5,"project_id":1,"key":"again","deleted":true,"filters":{"groups":[{}]}},
	{"id":6,"project_id":1,"key":"again","filters":{"groups":[{}]}},
	{"id":7,"project_id":1,"key":"lately","filters":{"groups":[{"properties":[{"key":"joined","operator":"is_date_after","value":"7d","type":"person"}]}]}},
	{"id":8,"project_id":1,"key":"listed","filters":{"groups":[{"properties":[{"key":"id","type":"cohort","value":1}]}]}},
	{"id":9,"project_id":1,"key":"chosen","filters":{"groups":[{"properties":[{"key":"id","type":"cohort","value":2}]}]}},
	{"id":10,"project_id":1,"key":"acme","filters":{"aggregation_group_type_index":1,"groups":[{"properties":[{"key":"size","type":"group","group_type_index":1,"operator":"gt","value":"10"}]}]}},
	{"id":11,"project_id":1,"key":"survey-targeting-x","filters":{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}]}]}},
	{"id":12,"project_id":2,"key":"elsewhere","filters":{"groups":[{}]}}],
	"cohorts":[{"id":1,"project_id":1,"members":["anna@example.com","nobody"]},
	{"id":2,"project_id":1,"filters":{"properties":{"type":"OR","values":[{"type":"AND","values":[{"key":"plan","type":"person","value":"pro"}]}]}}}],
	"persons":[{"project_id":1,"distinct_ids":["anna","anna@example.com"],"properties":{"plan":"pro","joined":"2026-01-01"}}]}`

// A backend with local evaluation receives flags, group types, and cohorts if its key may read flags, and
// only if they changed. The definitions omit flags of surveys.
func TestFlagDefinitions(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, strings.Replace(flagsFixtures, `"cohorts"`, `"api_keys":[{"key":"phx_test"},{"key":"phx_surveys","scopes":["survey:read"]}],"cohorts"`, 1)) {
		c := call(t, srv).undocumentedAnswers()
		c.newSurvey(`{"name":"S","type":"popover","targeting_flag_filters":{"groups":[{"properties":[],"rollout_percentage":10}]}}`)
		const path = "/flags/definitions?send_cohorts&token="
		read := c.get(path + "phc_test").is(http.StatusOK)
		var got struct {
			Flags   []struct{ Key string }
			Types   json.RawMessage `json:"group_type_mapping"`
			Cohorts json.RawMessage
		}
		require.NoError(t, json.Unmarshal([]byte(read.body), &got))
		keys := ""
		for _, flag := range got.Flags {
			keys += flag.Key + " "
		}
		assert.Equal(t, "pro colours off again lately listed chosen acme survey-targeting-x ", keys, profile)
		assert.Contains(t, read.body, `{"id":1,"team_id":1,"name":"","key":"pro","filters":{"groups":[{"properties":[{"key":"plan","value":"pro","type":"person"}]}]},`+
			`"deleted":false,"active":true,"ensure_experience_continuity":false,"version":7,"evaluation_runtime":"all","bucketing_identifier":"distinct_id"}`)
		assert.JSONEq(t, `{"0":"team","1":"company"}`, string(got.Types))
		assert.JSONEq(t, `{"2":{"type":"OR","values":[{"type":"AND","values":[{"key":"plan","type":"person","value":"pro"}]}]}}`, string(got.Cohorts))

		for _, same := range []string{"/api/feature_flag/local_evaluation/?token=phc_test", "/api/feature_flag/local_evaluation"} {
			assert.Equal(t, read.body, c.get(same).is(http.StatusOK).body, same)
		}
		c.with("If-None-Match", read.header.Get("Etag")).get(path + "phc_test").is(http.StatusNotModified)
		c.with("Authorization", "").get(path + "phc_test").is(http.StatusUnauthorized)
		c.get(path + "phc_none").is(http.StatusUnauthorized)
		c.as("phx_surveys").get(path + "phc_test").is(http.StatusForbidden)
	}
}

// A change to a flag affects the next request, no matter who made the change. Each world has its own flags.
func TestFlagsFollowTheStore(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Worlds: true, Fixtures: strings.NewReader(flagsFixtures)})
	c, api := app(t, srv), call(t, srv)
	value := func(token string) string { return c.flags(token, `{"distinct_id":"b"}`).values()["pro"] }
	world, err := srv.Server.World("w")
	require.NoError(t, err)

	assert.Equal(t, "off no_condition_match", value("phc_test"))
	api.patch("/api/projects/1/feature_flags/1/", `{"filters":{"groups":[{}]}}`).is(http.StatusOK)
	assert.Equal(t, "on condition_match", value("phc_test"))
	assert.Equal(t, "off no_condition_match", value("phc_test_w"))
	api.patch("/api/projects/1/feature_flags/1/", `{"active":false}`).is(http.StatusOK)
	assert.Equal(t, "off flag_disabled", value("phc_test"))

	require.NoError(t, world.SetFixtures(strings.NewReader(`{"feature_flags":[{"id":1,"project_id":1,"key":"pro","filters":{"groups":[{}]}}]}`)))
	assert.Equal(t, "on condition_match", value("phc_test_w"))
	srv.Reset()
	assert.Equal(t, "off no_condition_match", value("phc_test"))
	api.post("/api/projects/1/feature_flags/", `{"key":"new"}`).is(http.StatusCreated)
	assert.Contains(t, c.flags("phc_test", `{"distinct_id":"b"}`).Flags, "new")
}

func TestTargetingFixtures(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFixtures(flagsFixtures)
	dump := srv.Dump()
	for _, kept := range []string{`"group_types":["team","company"]`, `"is_static":true,"members":["anna@example.com","nobody"]`, `"filters":{"properties":{"type":"OR"`} {
		assert.Contains(t, dump, kept)
	}
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())

	for fixtures, want := range map[string]string{
		`{"cohorts":[{"id":1,"project_id":1,"filters":[]}]}`:                      "cohorts[0].filters: must be an object",
		`{"cohorts":[{"id":1,"project_id":1,"members":["a"],"is_static":false}]}`: "cohorts[0].members: is only valid for a static cohort",
		`{"cohorts":[{"id":1,"project_id":1,"members":[1]}]}`:                     "cohorts[0].members[0]: must be a string",
		`{"projects":[{"id":1,"group_types":["a","a"]}]}`:                         "projects[0].group_types[1]: \"a\" occurs twice",
		`{"projects":[{"id":1,"group_types":["a",""]}]}`:                          "projects[0].group_types[1]: must not be empty",
		`{"projects":[{"id":1,"group_types":["a","b","c","d","e","f"]}]}`:         "projects[0].group_types: must have at most 5 items, not 6",
		`{"projects":[{"id":1,"group_types":{"a":1}}]}`:                           "projects[0].group_types: must be an array",
	} {
		_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(fixtures)})
		require.ErrorContains(t, err, want)
	}
}

// hostileTargeting returns a project whose flags and cohorts depend on each other in cycles, and whose regular
// expressions never finish.
func hostileTargeting(flags int) string {
	filters := func(property string) string { return `{"groups":[{"properties":[` + property + `]}]}` }
	asks := func(id int) string {
		return filters(fmt.Sprintf(`{"key":"%d","type":"flag","operator":"flag_evaluates_to","value":true}`, id))
	}
	bomb := filters(`{"key":"k","operator":"regex","value":"^(?=a)(a+)+$"}`)
	var b strings.Builder
	b.WriteString(`{"feature_flags":[`)
	for id := 1; id <= flags; id++ {
		own := bomb
		switch id % 10 {
		case 0:
			own = asks(id - 9) // a cycle of ten
		case 1, 2, 3, 4:
			own = asks(id + 1)
		case 5:
			own = asks(id + 5)
		case 6:
			own = filters(`{"key":"id","type":"cohort","value":1}`)
		case 7:
			own = filters(`{"key":"k","operator":"is_set","value":"is_set"}`)
		}
		if id > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"project_id":1,"key":"f%[1]d","filters":%s}`, id, own)
	}
	b.WriteString(`],"cohorts":[
		{"id":1,"project_id":1,"filters":{"properties":{"type":"AND","values":[{"key":"id","type":"cohort","value":2}]}}},
		{"id":2,"project_id":1,"filters":{"properties":{"type":"OR","values":[{"key":"id","type":"cohort","value":1},{"type":"AND","values":[{"key":"id","type":"cohort","value":2}]}]}}}]}`)
	return b.String()
}

// The server evaluates ten thousand slow flags with the slowest text of the maximum length. Flags in a cycle are off.
func TestHostileFlags(t *testing.T) {
	t.Parallel()
	count := 10_000
	if testing.Short() {
		count = 1000
	}
	srv := testserver.Start(t, testserver.Options{Delivery: true, Fixtures: strings.NewReader(hostileTargeting(count))})
	c := app(t, srv)

	values := c.flags("phc_test", `{"distinct_id":"a","person_properties":{"k":"`+strings.Repeat("a", 60_000)+`!"}}`).values()
	require.Len(t, values, count)
	for key, want := range map[string]string{
		"f1": "off missing_dependency", "f5": "off missing_dependency", "f10": "off missing_dependency", "f6": "off no_condition_match",
		"f7": "on condition_match", "f8": "off no_condition_match", fmt.Sprint("f", count-1): "off no_condition_match",
	} {
		assert.Equal(t, want, values[key], key)
	}
}

// The server answers or refuses requests of any form, and never fails.
func TestHostileRequestsForFlags(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, hostileTargeting(20)) {
		c := app(t, srv)
		for _, fields := range []string{
			"\"distinct_id\":\"\xff\xfe\",\"person_properties\":{\"k\xff\":\"\xff\"}", `"distinct_id":"\ud800","person_properties":{"\ud800":"\udfff"}`,
			`"distinct_id":"","groups":{"":"","company":null,"x":{"y":[1]}},"group_properties":{"company":[],"x":1}`, `"distinct_id":1e400`, `"distinct_id":-0`,
			`"distinct_id":"a","person_properties":{"k":1e999999,"k":[[[[]]]],"k":{"k":"k"}}`, `"distinct_id":"a","distinct_id":null,"$distinct_id":"b"`,
			`"distinct_id":"a","$anon_distinct_id":{},"$device_id":7,"flag_keys_to_evaluate":[1,null,{}],"disable_flags":"yes"`,
			`"distinct_id":"` + strings.Repeat("ä", 10_000) + `"`, `"distinct_id":"a","person_properties":null,"groups":null,"group_properties":null`,
			`"distinct_id":"a","person_properties":{` + strings.Repeat(`"k":1,`, 5000) + `"k":2}`, `"distinct_id":"a","timezone":` + strings.Repeat("[", 500) + strings.Repeat("]", 500),
		} {
			a := c.post("/flags/?v=2", `{"token":"phc_test",`+fields+`}`)
			assert.Equal(t, http.StatusOK, a.status, "%.80q: %s", fields, a.body)
			assert.True(t, json.Valid([]byte(a.body)), "%.80q", fields)
		}
		for _, query := range []string{"?v=99999999999999999999", "?v=-1", "?v=%00", "?v=2&config=%ff", "?v=2;v=3"} {
			assert.Less(t, c.post("/flags/"+query, `{"token":"phc_test","distinct_id":"a"}`).status, http.StatusInternalServerError, query)
		}
		c.post("/flags/?v=2", `{"token":"phc_test","distinct_id":"a","x":"`+strings.Repeat("x", 65<<10)+`"}`).is(http.StatusRequestEntityTooLarge)
	}
}

// While other requests change flags, every response reflects a single state of the store.
func TestFlagsWhileTheyChange(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(`{"feature_flags":[
		{"id":1,"project_id":1,"key":"a","filters":{"groups":[{"properties":[{"key":"n","operator":"is_set","value":"is_set"}]}]}},
		{"id":2,"project_id":1,"key":"b","filters":{"groups":[{"properties":[{"key":"1","type":"flag","operator":"flag_evaluates_to","value":true}]}]}}],
		"surveys":[{"id":"` + shownToApps + `","project_id":1,"name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z"}]}`)})
	var done sync.WaitGroup
	for range 4 {
		done.Go(func() {
			c := app(t, srv)
			for range 25 {
				values := c.flags("phc_test", `{"distinct_id":"d","person_properties":{"n":1}}`).values()
				assert.Equal(t, values["a"] == "on condition_match", values["b"] == "on condition_match", values)
				srv.SurveyPeople(shownToApps)
			}
		})
	}
	done.Go(func() {
		api := call(t, srv)
		for i := range 25 {
			api.patch("/api/projects/1/feature_flags/1/", fmt.Sprintf(`{"active":%t}`, i%2 == 1)).is(http.StatusOK)
			app(t, srv).capture(ofSurvey("survey sent", fmt.Sprint("p", i), `,"$set":{"n":1}`))
		}
	})
	done.Wait()
}

func FuzzFlags(f *testing.F) {
	f.Add([]byte(`{"token":"phc_test","distinct_id":"a","person_properties":{"k":"aaa!"}}`), "v=2")
	f.Add([]byte(`{"api_key":"phc_test","$distinct_id":7,"groups":{"company":"x"},"flag_keys":["f1"]}`), "v=3&config=1")
	f.Add([]byte("data=eyJ0b2tlbiI6InBoY190ZXN0IiwiZGlzdGluY3RfaWQiOiJhIn0%3D"), "compression=base64")
	server, err := testserver.New(testserver.Options{Delivery: true, Fixtures: strings.NewReader(hostileTargeting(20))})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, body []byte, query string) {
		for _, path := range []string{"/flags/", "/decide/"} {
			r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
			r.URL.RawQuery = query
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			if w.Code >= http.StatusInternalServerError || w.Code == http.StatusOK && !json.Valid(w.Body.Bytes()) {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
		}
	})
}
