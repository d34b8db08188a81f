package testserver_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Two servers that get the same requests give the same bytes, headers included.
func TestRepeatableToTheByte(t *testing.T) {
	t.Parallel()
	run := func() string {
		srv := testserver.Start(t)
		c := call(t, srv)
		transcript := ""
		say := func(a answer) answer {
			// The port is the system's.
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

// Requests from many clients at once lose nothing and mix nothing up. The race
// detector looks on.
func TestManyClientsAtOnce(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	clients, rounds := 8, 15
	if testing.Short() {
		rounds = 6 // every third deletes what it made
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
