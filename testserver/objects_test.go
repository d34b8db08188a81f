package testserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// startHosted starts a server with the hosted profile. fixtures may be empty.
func startHosted(t *testing.T, fixtures string) (*testserver.Instance, caller) {
	t.Helper()
	if fixtures == "" {
		fixtures = "{}"
	}
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(fixtures)})
	return srv, call(t, srv)
}

func (c caller) as(key string) caller { return c.with("Authorization", "Bearer "+key) }

// flag returns the JSON of one member of a flag nested in a survey, or "null" if the flag is missing.
func (a answer) flag(name, key string) string {
	a.t.Helper()
	var o map[string]map[string]json.RawMessage
	raw := a.raw(name)
	if raw == "null" {
		return raw
	}
	if err := json.Unmarshal([]byte(`{"flag":`+raw+`}`), &o); err != nil {
		a.t.Fatal(err)
	}
	return string(o["flag"][key])
}

func (a answer) throttled(wait string) {
	a.t.Helper()
	a.fails(http.StatusTooManyRequests, "throttled", "", "Request was throttled. Expected available in "+wait+".")
	assert.Equal(a.t, "throttled_error", a.object()["type"])
	seconds, _, _ := strings.Cut(wait, " ")
	assert.Equal(a.t, seconds, a.header.Get("Retry-After"), "C38 the seconds of the text")
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

const otherOrganization = "0192d3a4-0000-7000-8000-000000000002"

// importing contains capabilities that make an app an import app.
const importing = `"capabilities":{"scheduled_tasks":["runEveryMinute"]}`

const tenPercent = `{"groups":[{"properties":[],"rollout_percentage":10}]}`

// people is a fixtures document with two organizations and keys with different scopes and limits.
const people = `{
"organizations": [{"id":"` + testserver.DefaultOrganizationID + `"}, {"id":"` + otherOrganization + `","name":"Other"}],
"projects": [{"id":1}, {"id":2}, {"id":7,"organization_id":"` + otherOrganization + `"}],
"users": [
  {"id":1,"organization_ids":["` + testserver.DefaultOrganizationID + `"]},
  {"id":2,"organization_ids":["` + testserver.DefaultOrganizationID + `"],"is_active":false}],
"api_keys": [
  {"key":"phx_all"},
  {"key":"phx_asleep","user_id":2},
  {"key":"phx_none","scopes":[]},
  {"key":"phx_survey_read","scopes":["survey:read"]},
  {"key":"phx_survey_write","scopes":["survey:write"]},
  {"key":"phx_activity","scopes":["activity_log:read"]},
  {"key":"phx_plugin_read","scopes":["plugin:read"]},
  {"key":"phx_plugin_write","scopes":["plugin:write"]},
  {"key":"phx_project_2","project_ids":[2]},
  {"key":"phx_other_org","organization_ids":["` + otherOrganization + `"]}],
"surveys": [{"project_id":1,"id":"019b0000-0000-7000-8000-0000000000aa","name":"S","type":"popover"}],
"pipeline_import_apps": [{"organization_id":"` + testserver.DefaultOrganizationID + `","id":3,"name":"A"}]
}`

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

// statsOf returns the counts in a stats response.
func (c caller) statsOf(path string) map[string]eventStats {
	c.t.Helper()
	var body struct{ Stats map[string]eventStats }
	require.NoError(c.t, json.Unmarshal([]byte(c.get(path).is(http.StatusOK).body), &body))
	return body.Stats
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
