package service_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// logged is an entry of an activity feed.
type logged struct {
	ID       string
	User     json.RawMessage
	Activity string
	Scope    string
	ItemID   string `json:"item_id"`
	Detail   struct {
		Changes json.RawMessage
		Name    string
	}
	CreatedAt string `json:"created_at"`
}

type feed struct {
	Results        []logged
	Next, Previous *string
	TotalCount     int `json:"total_count"`
}

func (a answer) feed() feed {
	a.t.Helper()
	var f feed
	require.NoError(a.t, json.Unmarshal([]byte(a.is(http.StatusOK).body), &f), a.body)
	return f
}

// latest returns the changes in the newest entry.
func (c caller) latest(path string) string {
	c.t.Helper()
	entries := c.get(path + "activity/").feed().Results
	require.NotEmpty(c.t, entries)
	assert.Equal(c.t, "updated", entries[0].Activity)
	return string(entries[0].Detail.Changes)
}

func TestHostedActivity(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "{}")
	path := c.newSurvey(`{"name":"First","type":"api"}`)

	c.step(t, "0 activity: a page object with its entries", func(t *testing.T, c caller) {
		a := c.get(path + "activity/").is(http.StatusOK)
		id := path[len(surveys) : len(path)-1]
		entry := a.feed().Results[0]
		assert.Regexp(t, `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, entry.ID)
		assert.Equal(t, `{"results":[{"id":"`+entry.ID+`","user":{"first_name":"Test","email":"test@example.com"},"activity":"created",`+
			`"scope":"Survey","item_id":"`+id+`","detail":{"changes":null,"trigger":null,"name":"First","short_id":null,"type":null},`+
			`"created_at":"2026-01-02T03:04:05.678901Z","is_system":false,"was_impersonated":false,"client":null}],"next":null,"previous":null,"total_count":1}`, a.body)
	})

	c.step(t, "4 activity: an update is one entry", func(t *testing.T, c caller) {
		c.patch(path, `{"name":"Renamed","archived":true,"start_date":"2026-02-01T01:00:00+01:00"}`).is(http.StatusOK)
		assert.JSONEq(t, `[
			{"type":"Survey","action":"changed","field":"name","before":"First","after":"Renamed"},
			{"type":"Survey","action":"created","field":"start_date","before":null,"after":"2026-02-01T00:00:00+00:00"},
			{"type":"Survey","action":"changed","field":"archived","before":false,"after":true}]`, c.latest(path))
		assert.Equal(t, "Renamed", c.get(path + "activity/").feed().Results[0].Detail.Name)
	})

	c.step(t, "4 activity: an update of nothing is none", func(t *testing.T, c caller) {
		c.patch(path, `{}`).is(http.StatusOK)
		c.patch(path, `{"name":"Renamed","questions":[],"description":""}`).is(http.StatusOK)
		assert.Equal(t, 2, c.get(path+"activity/").feed().TotalCount)
	})

	c.step(t, "4 activity: a refused update is none", func(t *testing.T, c caller) {
		c.patch(path, `{"name":""}`).is(http.StatusBadRequest)
		assert.Equal(t, 2, c.get(path+"activity/").feed().TotalCount)
	})

	c.step(t, "4 activity: entries of a deleted survey stay in the collection", func(t *testing.T, c caller) {
		c.delete(path).is(http.StatusNoContent)
		var activities []string
		for _, entry := range c.get(surveys + "activity/").feed().Results {
			activities = append(activities, entry.Activity+" "+entry.Detail.Name)
		}
		assert.Equal(t, []string{"deleted Renamed", "updated Renamed", "created First"}, activities)
	})

	c.step(t, "4 activity: of an unknown or deleted survey", func(t *testing.T, c caller) {
		c.get(path+"activity/").fails(http.StatusNotFound, "not_found", "", "Not found.")
		c.get(surveys+"nothing/activity/").fails(http.StatusNotFound, "not_found", "", "Not found.")
	})

	c.step(t, "4 activity: of the web interface too", func(t *testing.T, c caller) {
		created := srv.CreateSurvey(object{"name": "By hand", "type": "api"})
		id := created["id"].(string)
		srv.PatchSurvey(id, object{"description": "d"})
		assert.JSONEq(t, `[{"type":"Survey","action":"created","field":"description","before":null,"after":"d"}]`, c.latest(surveys+id+"/"))
		srv.DeleteSurvey(id)
		assert.Equal(t, "deleted", c.get(surveys + "activity/").feed().Results[0].Activity)
	})

	c.step(t, "4 activity: a new store has no past", func(t *testing.T, c caller) {
		srv.Reset()
		assert.Equal(t, 0, c.get(surveys+"activity/").feed().TotalCount)
	})
}

func TestHostedActivityOfTargeting(t *testing.T) {
	t.Parallel()
	const one = `{"groups":[{"properties":[],"rollout_percentage":10}]}`
	const two = `{"groups":[{"properties":[],"rollout_percentage":20}]}`

	_, c := startHosted(t, "{}")
	path := c.newSurvey(`{"name":"S","type":"api"}`)

	change := func(t *testing.T, body string) []map[string]any {
		t.Helper()
		c.patch(path, body).is(http.StatusOK)
		var changes []map[string]any
		require.NoError(t, json.Unmarshal([]byte(c.latest(path)), &changes))
		return changes
	}

	c.step(t, "4 activity: targeting filters made", func(t *testing.T, c caller) {
		changes := change(t, `{"targeting_flag_filters":`+one+`}`)
		require.Len(t, changes, 2)
		assert.Equal(t, "targeting_flag_filters", changes[0]["field"])
		assert.Equal(t, "created", changes[0]["action"])
		assert.Nil(t, changes[0]["before"])
		assert.Equal(t, "targeting_flag", changes[1]["field"])
		assert.Equal(t, "created", changes[1]["action"])
		assert.Equal(t, "Targeting flag for survey S", changes[1]["after"].(map[string]any)["name"])
	})

	c.step(t, "4 activity: targeting filters changed", func(t *testing.T, c caller) {
		changes := change(t, `{"targeting_flag_filters":`+two+`}`)
		require.Len(t, changes, 1)
		assert.Equal(t, "changed", changes[0]["action"])
		rollout := func(filters any) any {
			return filters.(map[string]any)["groups"].([]any)[0].(map[string]any)["rollout_percentage"]
		}
		assert.InDelta(t, 10, rollout(changes[0]["before"]), 0)
		assert.InDelta(t, 20, rollout(changes[0]["after"]), 0)
	})

	c.step(t, "4 activity: targeting removed", func(t *testing.T, c caller) {
		changes := change(t, `{"remove_targeting_flag":true}`)
		require.Len(t, changes, 1)
		assert.Equal(t, "targeting_flag", changes[0]["field"])
		assert.Equal(t, "deleted", changes[0]["action"])
		assert.Nil(t, changes[0]["after"])
	})

	c.step(t, "4 activity: linked flag", func(t *testing.T, c caller) {
		changes := change(t, `{"linked_flag_id":1}`)
		require.Len(t, changes, 1)
		assert.Equal(t, "linked_flag", changes[0]["field"])
		assert.Equal(t, map[string]any{
			"id": 1.0, "key": "test-flag", "name": "Test flag", "team_id": 1.0, "deleted": false, "active": true,
			"filters": map[string]any{"groups": []any{map[string]any{"properties": []any{}, "rollout_percentage": 100.0}}},
		}, changes[0]["after"])
	})
}

func TestHostedActivityPages(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "{}")
	for i := range 23 {
		c.newSurvey(fmt.Sprintf(`{"name":"Survey %d","type":"api"}`, i))
	}

	base := siteURL + surveys + "activity/"

	for _, row := range []struct {
		name, query    string
		count          int
		first          string
		next, previous string
	}{
		{"4 activity pages: ten unless told", "", 10, "Survey 22", base + "?page=2&limit=10", "null"},
		{"4 activity pages: page", "?page=2", 10, "Survey 12", base + "?page=3&limit=10", base + "?page=1&limit=10"},
		{"4 activity pages: the last", "?page=3", 3, "Survey 2", "null", base + "?page=2&limit=10"},
		{"4 activity pages: limit", "?limit=20", 20, "Survey 22", base + "?limit=20&page=2", "null"},
		{"4 activity pages: the rest of the query stays", "?x=a+b&limit=20&page=2", 3, "Survey 2", "null", base + "?x=a+b&limit=20&page=1"},
		{"4 activity pages: all of them", "?limit=500", 23, "Survey 22", "null", "null"},
		{"4 activity pages: there is no offset", "?offset=5", 10, "Survey 22", base + "?offset=5&page=2&limit=10", "null"},
	} {
		c.step(t, row.name, func(t *testing.T, c caller) {
			f := c.get(surveys + "activity/" + row.query).feed()
			assert.Equal(t, 23, f.TotalCount)
			require.Len(t, f.Results, row.count)
			assert.Equal(t, row.first, f.Results[0].Detail.Name)
			assert.Equal(t, row.next, link(f.Next))
			assert.Equal(t, row.previous, link(f.Previous))
		})
	}

	c.step(t, "C54 limit and page are checked", func(t *testing.T, c caller) {
		for _, path := range []string{surveys, surveys + "nothing/"} {
			for _, name := range []string{"limit", "page"} {
				for _, value := range []string{"x", "", "1.5"} {
					c.get(path+"activity/?"+name+"="+value).fails(http.StatusBadRequest, "invalid_input", name, "A valid integer is required.")
				}
				for _, value := range []string{"0", "-1"} {
					c.get(path+"activity/?"+name+"="+value).fails(http.StatusBadRequest, "min_value", name, "Ensure this value is greater than or equal to 1.")
				}
			}
		}
	})

	for _, query := range []string{"page=4", "limit=23&page=2", "page=99999999999999999999"} {
		c.step(t, "4 activity pages: unhandled "+query, func(t *testing.T, c caller) {
			c.get(surveys+"activity/?"+query).fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
		})
	}

	t.Run("4 activity pages: nothing there", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, "{}")
		assert.JSONEq(t, `{"results":[],"next":null,"previous":null,"total_count":0}`, c.get(surveys+"activity/").is(http.StatusOK).body)
		c.get(surveys + "activity/?page=2").is(http.StatusInternalServerError)
		assert.Empty(t, srv.Store.Surveys(1).Items)
	})
}

// The log shows PostHog's jobs as the system, and deleted users without a name.
func TestHostedActivityAuthors(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, `{"clock":"2026-01-01T00:00:00Z"}`)
	c.step(t, "4 activity: the system", func(t *testing.T, c caller) {
		path := c.newSurvey(`{"name":"S","type":"api","schedule":"recurring","start_date":"2026-01-01T00:00:00Z","iteration_count":1,"iteration_frequency_days":1}`)
		srv.SetClock(time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
		srv.RunJobs()
		entry := c.get(path + "activity/").feed().Results[0]
		assert.JSONEq(t, `{"first_name":"System","email":null,"is_system":true}`, string(entry.User))
		assert.JSONEq(t, `[{"type":"Survey","action":"created","field":"end_date","before":null,"after":"2026-02-01T00:00:00+00:00"}]`, string(entry.Detail.Changes))
		assert.Equal(t, "2026-02-01T00:00:00Z", entry.CreatedAt)
	})
}
