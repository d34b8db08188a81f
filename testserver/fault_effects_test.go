package testserver_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A throttle counts the requests of its rule by the server's clock, and a refused request
// is not carried out.
func TestFaultThrottle(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	srv := testserver.Start(t)
	c := call(t, srv)

	srv.SetClock(start)
	srv.SetFaults(testserver.Fault{Method: http.MethodPost, Throttle: &testserver.Throttle{Requests: 2, PerSeconds: 10}})

	create := func(name string) answer { return c.post(surveys, `{"name":"`+name+`","type":"api"}`) }
	create("a").is(http.StatusCreated)

	srv.SetClock(start.Add(7 * time.Second))
	create("b").is(http.StatusCreated)
	create("c").throttled("3 seconds")
	c.get(surveys).is(http.StatusOK)

	srv.SetClock(start.Add(9*time.Second + time.Millisecond))
	create("c").throttled("1 second")

	srv.SetClock(start.Add(10 * time.Second))
	create("c").is(http.StatusCreated)
	create("d").throttled("7 seconds")

	assert.Equal(t, []string{"c", "b", "a"}, c.get(surveys).names())

	srv.SetFaults(testserver.Fault{Throttle: &testserver.Throttle{Requests: 1, PerSeconds: 10}})
	create("d").is(http.StatusCreated)
	c.as("phx_none").get(surveys).throttled("10 seconds")
}

// No more requests pass than allowed, however many come at the same time.
func TestFaultThrottleUnderLoad(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{Throttle: &testserver.Throttle{Requests: 5, PerSeconds: 60}})
	var mu sync.Mutex
	statuses := map[int]int{}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			a, err := c.try(http.MethodGet, surveys, "")
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			statuses[a.status]++
		})
	}
	wg.Wait()
	assert.Equal(t, map[int]int{http.StatusOK: 5, http.StatusTooManyRequests: 15}, statuses)
}

// An edit is made before the request is served, whatever the request does.
func TestFaultEdit(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			srv := testserver.Start(t, testserver.Options{Profile: profile})
			c := call(t, srv)
			edit := func(value any) {
				srv.SetFaults(testserver.Fault{To: 1, Edit: testserver.Object{"description": value}})
			}
			srv.CreateSurvey(testserver.Object{"name": "older", "type": "api", "description": "old"})
			id, _ := srv.CreateSurvey(testserver.Object{"name": "newer", "type": "api", "description": "old"})["id"].(string)
			edit("by hand")
			assert.Equal(t, "by hand", c.get(surveys + id + "/").object()["description"])
			edit("by hand again")
			assert.Contains(t, c.get(surveys).body, "by hand again")
			edit("lost")
			c.patch(surveys+id+"/", `{"description":"sent"}`).is(http.StatusOK)
			assert.Equal(t, "sent", srv.Survey(id)["description"])
			edit(nil)
			assert.Empty(t, c.get(surveys + id + "/").object()["description"], "null takes the value away")
			edit("nobody's")
			c.get(surveys + "019b0000-0000-7000-8000-00000000dead/").is(http.StatusNotFound)
			edit("nobody's")
			c.with("Authorization", "").get(surveys + id + "/").is(http.StatusUnauthorized)
			assert.NotContains(t, srv.Dump(), "nobody's")
			assert.Equal(t, "old", srv.Surveys("1")[1]["description"])

			srv.CreateApp(testserver.Object{"name": "App", "capabilities": testserver.Object{"scheduled_tasks": []any{"runEveryMinute"}}})
			edit("an app")
			assert.Equal(t, "an app", c.get(apps + "1/").object()["description"])
			edit("an app in a list")
			assert.Contains(t, c.get(apps).body, "an app in a list")
			edit("nobody's")
			c.get(apps + "99/").is(http.StatusNotFound)
		})
	}
}

// An edit that cannot be made is an error.
func TestFaultEditThatDoesNotFit(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	srv.CreateSurvey(testserver.Object{"name": "S", "type": "api"})
	srv.CreateApp(testserver.Object{"name": "App"})
	srv.SetFaults(testserver.Fault{Edit: testserver.Object{"name": 5}})
	for _, path := range []string{surveys, apps, apps + "1/"} {
		a := c.get(path).is(http.StatusBadRequest)
		assert.Contains(t, a.object()["detail"], "faults: edit: ")
		assert.Contains(t, a.object()["detail"], "name: must be a string, is a number")
	}
	srv.Reset()
	c.get(surveys).is(http.StatusOK)
	c.post(surveys, newSurvey).is(http.StatusCreated)
}

// Plain texts alone have an empty value, and what clients wrote as JSON is theirs.
func TestFaultEmptyForNull(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	c := call(t, srv)
	srv.SetFaults(testserver.Fault{EmptyForNull: true})
	created := c.post(apps, `{"plugin_type":"source","name":"App","capabilities":{"scheduled_tasks":[null]}}`).is(http.StatusCreated).object()
	for _, a := range []map[string]any{created, c.get(apps).is(http.StatusOK).object()["results"].([]any)[0].(map[string]any)} {
		assert.Empty(t, a["icon"])
		assert.NotNil(t, a["icon"])
		assert.NotNil(t, a["tag"])
		assert.Equal(t, map[string]any{"scheduled_tasks": []any{nil}}, a["capabilities"])
	}
	c.post(surveys, `{"name":"S","type":"api","questions":[{"type":"open","question":"Why?","description":null}]}`).is(http.StatusCreated)
	found := c.get(surveys).object()["results"].([]any)[0].(map[string]any)
	assert.Nil(t, found["start_date"], "a date")
	assert.Contains(t, c.get(surveys).body, `"next":null`)
	c.get(surveys+"nothing/").fails(http.StatusNotFound, "not_found", "", "Not found.")
	srv.SetFaults()
	require.Contains(t, c.get(apps).body, `"icon":null`, "nothing else was stored")
}

func TestFaultReorderKeys(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	const body = `{"name":"S","type":"api","appearance":{"a":9007199254740993,"b":[{"c":1.50,"d":"{\"e\":1}"}],"f":{}}}`
	c.post(surveys, body).is(http.StatusCreated)
	straight := c.get(surveys)
	srv.SetFaults(testserver.Fault{ReorderKeys: true})
	backwards := c.get(surveys)
	assert.JSONEq(t, straight.body, backwards.body)
	assert.Contains(t, straight.body, `{"a":9007199254740993,"b":[{"c":1.50,"d":"{\"e\":1}"}],"f":{}}`)
	assert.Contains(t, backwards.body, `{"f":{},"b":[{"d":"{\"e\":1}","c":1.50}],"a":9007199254740993}`)
	assert.Regexp(t, `^\{"results":\[\{.*,"id":"[^"]*"\}\],"previous":null,"next":null,"count":1\}$`, backwards.body)
	c.get(surveys+"nothing/").fails(http.StatusNotFound, "not_found", "", "Not found.")
	c.delete(surveys + straight.object()["results"].([]any)[0].(map[string]any)["id"].(string) + "/").is(http.StatusNoContent)
}
