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

// hostileTargeting is a project whose flags and cohorts ask for each other in circles, and whose
// regular expressions take for ever.
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
			own = asks(id - 9) // a circle of ten
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

// Ten thousand flags of the worst kind, asked for with the worst text that is short enough, have an
// answer for each; a circle is off.
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

// Requests of any form are answered or refused, and none is a failure of the server.
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

// Flags are asked for while others change them: every response is of one state of the store.
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
				t.Fatalf("%d: %s", w.Code, w.Body)
			}
		}
	})
}
