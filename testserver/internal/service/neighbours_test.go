package service_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
)

const flags = "/api/projects/" + fixtures.DefaultProjectID + "/feature_flags/"

// The documented profile has no further routes: it does not know their paths, or refuses their methods.
func TestNeighboursAreOfTheHostedProfileAlone(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
	survey := c.newSurvey(`{"name":"S","type":"api"}`)
	c.post(apps, `{"plugin_type":"source","name":"A"}`).is(http.StatusCreated)
	for _, op := range api.AllOperations() {
		if !op.Neighbour {
			continue
		}
		path := strings.NewReplacer("{project_id}", "1", "{organization_id}", fixtures.DefaultOrganizationID).Replace(op.Path)
		if strings.Contains(path, "pipeline") {
			path = apps + "1/"
		}
		path = strings.Replace(path, surveys+"{id}/", survey, 1)
		a := c.do(op.Method, path, "{}")
		assert.Contains(t, []int{http.StatusNotFound, http.StatusMethodNotAllowed}, a.status, "%s %s: %s", op.Method, path, a.body)
	}
}

// The test sends the requests of a feature flag resource of PostHog's own provider while a survey uses the
// flag.
func TestHostedFeatureFlags(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	const filters = `{"groups":[{"properties":[{"key":"email","type":"person","value":"@example.com","operator":"icontains"}],"rollout_percentage":40}]}`
	created := c.post(flags, `{"key":"beta-users","name":"Beta users","active":true,"filters":`+filters+`,"tags":["terraform"]}`).is(http.StatusCreated).object()
	path := flags + created["id"].(json.Number).String() + "/"
	survey := c.newSurvey(`{"name":"S","type":"popover","linked_flag_id":` + created["id"].(json.Number).String() + `}`)

	c.step(t, "C57 flags: created as it is read", func(t *testing.T, c caller) {
		assert.Equal(t, created, c.get(path).is(http.StatusOK).object())
		assert.Equal(t, `["terraform"]`, c.get(path).raw("tags"))
		assert.JSONEq(t, `{"groups":[{"properties":[{"key":"email","type":"person","value":"@example.com","operator":"icontains"}],
			"rollout_percentage":40,"aggregation_group_type_index":null}],"aggregation_group_type_index":null}`, c.get(path).raw("filters"))
		assert.Equal(t, "null", c.get(path).raw("rollout_percentage"))
	})
	c.step(t, "C57 flags: updated", func(t *testing.T, c caller) {
		a := c.patch(path, `{"key":"beta-users","name":"Renamed","active":false,"filters":{"groups":[{"properties":[],"rollout_percentage":20}]},"tags":[]}`).is(http.StatusOK)
		assert.Equal(t, `"Renamed"`, a.raw("name"))
		assert.Equal(t, "20", a.raw("rollout_percentage"))
		assert.Equal(t, "2", a.raw("version"))
		assert.Equal(t, "false", c.get(survey).flag("linked_flag", "active"))
		assert.Empty(t, c.get(survey).flag("linked_flag", "tags"), "a nested flag has none")
	})
	c.step(t, "C57 flags: filters without groups change nothing", func(t *testing.T, c caller) {
		assert.Equal(t, "20", c.patch(path, `{"filters":{}}`).is(http.StatusOK).raw("rollout_percentage"))
	})
	c.step(t, "C57 flags: listed and searched", func(t *testing.T, c caller) {
		assert.Contains(t, c.get(flags).names(), "Renamed")
		assert.Equal(t, []string{"Renamed"}, c.get(flags+"?search=BETA-").names())
		assert.Empty(t, c.get(flags+"?search=nothing").names())
		assert.Len(t, c.get(flags+"?limit=1").names(), 1)
	})
	c.step(t, "C57 flags: a dump keeps them", func(t *testing.T, c caller) {
		before, dump := c.get(path).body, srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump())
		assert.Equal(t, before, c.get(path).body)
	})
	c.step(t, "C57 flags: refused", func(t *testing.T, c caller) {
		c.post(flags, `{"name":"n"}`).fails(http.StatusBadRequest, "required", "key", "This field is required.")
		c.post(flags, `{"key":"beta-users"}`).fails(http.StatusBadRequest, "unique", "key", "There is already a feature flag with this key.")
		c.post(flags, `{"key":"a b"}`).fails(http.StatusBadRequest, "invalid_key", "key", "Only letters, numbers, hyphens (-) & underscores (_) are allowed.")
		c.get(flags+"999/").fails(http.StatusNotFound, "not_found", "", "Not found.")
		c.delete(path).fails(http.StatusForbidden, "permission_denied", "", noKeys)
	})
	c.step(t, "C57 flags: deleted by an update", func(t *testing.T, c caller) {
		assert.Equal(t, "true", c.patch(path, `{"key":"beta-users","deleted":true}`).is(http.StatusOK).raw("deleted"))
		assert.Equal(t, "true", c.get(path).is(http.StatusOK).raw("deleted"))
		assert.NotContains(t, c.get(flags).names(), "Renamed")
		assert.Equal(t, "true", c.get(survey).flag("linked_flag", "deleted"))
		c.post(flags, `{"key":"beta-users"}`).is(http.StatusCreated)
	})
}

// The test sends the requests of an action and of project settings of PostHog's own provider. An action
// without steps shows its survey to no one.
func TestHostedActionsAreWritten(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, `{"clock":"2026-01-02T00:00:00Z"}`)
	const actions = "/api/projects/1/actions/"
	created := c.post(actions, `{"name":"Paid","description":"d","tags":["terraform"],"deleted":false}`).is(http.StatusCreated)
	path := actions + created.raw("id") + "/"
	c.newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-02T00:00:00Z","conditions":{"actions":{"values":[{"id":` + created.raw("id") + `}]}}}`)
	assert.Equal(t, created.object(), c.get(path).is(http.StatusOK).object())

	updated := c.patch(path, `{"steps":[{"event":"paid"}],"deleted":false}`).is(http.StatusOK)
	assert.Equal(t, []string{`"d"`, `["terraform"]`, `"2026-01-02T00:00:00Z"`, `[{"event":"paid"}]`},
		[]string{updated.raw("description"), updated.raw("tags"), updated.raw("created_at"), updated.raw("steps")})

	c.post(actions, `{"name":"Paid"}`).fails(http.StatusBadRequest, "unique", "name", "This project already has an action with this name, ID 1")
	c.post(actions, `{"name":"A","tags":"x"}`).fails(http.StatusBadRequest, "not_a_list", "tags", `Expected a list of items but got type "str".`)
	c.patch(path, `{"steps":["paid"]}`).fails(http.StatusBadRequest, "invalid_input", "steps", "Steps must be a list of objects.")
	c.get(actions+"99/").fails(http.StatusNotFound, "not_found", "", "Not found.")
	assert.Equal(t, "true", c.patch(path, `{"deleted":true}`).is(http.StatusOK).raw("deleted"))
	assert.Equal(t, "2", c.post(actions, `{"name":"Paid"}`).is(http.StatusCreated).raw("id"))
	dump := srv.Dump()
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())

	assert.Equal(t, "false", c.patch("/api/projects/1/", `{"surveys_opt_in":false}`).is(http.StatusOK).raw("surveys_opt_in"))
	assert.Equal(t, "true", c.patch("/api/projects/1/", `{"surveys_opt_in":true}`).is(http.StatusOK).raw("surveys_opt_in"))
	assert.Equal(t, "true", c.patch("/api/projects/1/", `{}`).is(http.StatusOK).raw("surveys_opt_in"))
	c.patch("/api/projects/1/", `{"surveys_opt_in":7}`).is(http.StatusBadRequest)
}

// TestProjectSettingsAreKept writes further project settings together with surveys_opt_in, and expects them
// unchanged when read.
func TestProjectSettingsAreKept(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	const project = "/api/projects/1/"
	sent := map[string]string{
		"heatmaps_opt_in": "true", "session_recording_opt_in": "false", "autocapture_exceptions_opt_in": "true", "autocapture_web_vitals_opt_in": "false",
		"capture_performance_opt_in": "true", "anonymize_ips": "true", "cookieless_server_hash_mode": "2",
		"app_urls": `["https://b.example.com","https://a.example.com"]`, "recording_domains": `[]`,
	}
	before := c.get(project).is(http.StatusOK)
	body := `{"surveys_opt_in":true`
	for name, value := range sent {
		assert.Equal(t, "null", before.raw(name), name)
		body += `,"` + name + `":` + value
	}
	for _, got := range []answer{c.patch(project, body+"}").is(http.StatusOK), c.patch(project, `{}`).is(http.StatusOK), c.get(project)} {
		for name, value := range sent {
			assert.Equal(t, value, got.raw(name), name)
		}
	}
	assert.Equal(t, "null", c.patch(project, `{"heatmaps_opt_in":null}`).is(http.StatusOK).raw("heatmaps_opt_in"))

	dump := srv.Dump()
	assert.Contains(t, dump, `"recording_domains":[]`)
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())

	for body, want := range map[string][3]string{
		`{"heatmaps_opt_in":"maybe"}`:          {"invalid_input", "heatmaps_opt_in", "Must be a valid boolean."},
		`{"anonymize_ips":null}`:               {"null", "anonymize_ips", "This field may not be null."},
		`{"cookieless_server_hash_mode":"x"}`:  {"invalid_input", "cookieless_server_hash_mode", "A valid integer is required."},
		`{"cookieless_server_hash_mode":-1}`:   {"min_value", "cookieless_server_hash_mode", "Ensure this value is greater than or equal to 0."},
		`{"app_urls":"https://a.example.com"}`: {"not_a_list", "app_urls", `Expected a list of items but got type "str".`},
		`{"recording_domains":["a",7]}`:        {"invalid_input", "recording_domains__1", "Not a valid string."},
	} {
		c.patch(project, body).fails(http.StatusBadRequest, want[0], want[1], want[2])
	}
	assert.Equal(t, dump, srv.Dump(), "a refused request changes nothing")
}

// TestHostedProjectWaitPeriodByPatch changes the wait period of all surveys, and expects it in their internal
// flags.
func TestHostedProjectWaitPeriodByPatch(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, "")
	const project = "/api/projects/1/"
	path := c.newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-02T00:00:00Z","conditions":{"seenSurveyWaitPeriodInDays":7}}`)
	flag := func() string { return c.get(path).is(http.StatusOK).raw("internal_targeting_flag") }
	assert.Contains(t, flag(), `"7d"`)

	config := `{"appearance":{"theme":"dark"},"seenSurveyWaitPeriodInDays":30}`
	assert.JSONEq(t, config, c.patch(project, `{"survey_config":`+config+`}`).is(http.StatusOK).raw("survey_config"))
	assert.Contains(t, flag(), `"30d"`)
	assert.Equal(t, `{"seenSurveyWaitPeriodInDays":7}`, c.get(path).raw("conditions"), "what the survey has stays as it is written")
	dump := srv.Dump()
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())

	const wrong = "Must be a whole number from 0 to 365."
	for value, complaint := range map[string]string{
		`{"seenSurveyWaitPeriodInDays":-1}`: wrong, `{"seenSurveyWaitPeriodInDays":366}`: wrong, `{"seenSurveyWaitPeriodInDays":"7"}`: wrong,
		`{"seenSurveyWaitPeriodInDays":true}`: wrong, `{"seenSurveyWaitPeriodInDays":1.5}`: wrong, `[]`: "Must be an object.", `7`: "Must be an object.",
	} {
		c.patch(project, `{"survey_config":`+value+`}`).fails(http.StatusBadRequest, "invalid_input", "survey_config", complaint)
	}
	assert.Equal(t, dump, srv.Dump(), "a refused request changes nothing")

	c.patch(project, `{"survey_config":{"seenSurveyWaitPeriodInDays":0}}`).is(http.StatusOK)
	assert.Contains(t, flag(), `"7d"`)
	assert.Equal(t, "null", c.patch(project, `{"survey_config":null}`).is(http.StatusOK).raw("survey_config"))
}

func TestHostedPut(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	path := c.newSurvey(`{"name":"S","type":"api","description":"d","questions":[{"type":"open","question":"q"}],"conditions":{"url":"x"}}`)

	c.step(t, "C1 PUT needs name and type", func(t *testing.T, c caller) {
		c.put(path, `{"type":"api"}`).fails(http.StatusBadRequest, "required", "name", "This field is required.")
		c.put(path, `{"name":"S"}`).fails(http.StatusBadRequest, "required", "type", "This field is required.")
	})

	c.step(t, "C1 PUT keeps what is absent, and answers as POST does", func(t *testing.T, c caller) {
		a := c.put(path, `{"name":"S","type":"popover"}`).is(http.StatusOK)
		assert.Equal(t, keysOf(c.patch(path, `{}`).object()), keysOf(a.object()))
		assert.Equal(t, `"popover"`, a.raw("type"))
		assert.Equal(t, `"d"`, a.raw("description"))
		assert.Equal(t, `{"url":"x"}`, a.raw("conditions"))
	})

	c.step(t, "C1 PUT needs survey:write", func(t *testing.T, c caller) {
		_, people := startHosted(t, hostedPeople)
		people.t = t
		people.as("phx_survey_read").put(surveys+"019b0000-0000-7000-8000-0000000000aa/", `{"name":"S","type":"api"}`).
			fails(http.StatusForbidden, "permission_denied", "", "API key missing required scope 'survey:write'")
	})

	c.step(t, "C63 PUT on an app requires nothing", func(t *testing.T, c caller) {
		c.post(apps, `{"plugin_type":"source","name":"A",`+importing+`}`).is(http.StatusCreated)
		a := c.put(apps+"1/", `{"description":"d"}`).is(http.StatusOK)
		assert.Equal(t, `"A"`, a.raw("name"))
		assert.Equal(t, `"d"`, a.raw("description"))
	})
}

func TestHostedLaunchAndStop(t *testing.T) {
	t.Parallel()
	const now, past, future = `"2026-01-02T03:04:05.678901Z"`, `"2025-01-01T00:00:00Z"`, `"2027-01-01T00:00:00Z"`

	for _, row := range []struct{ name, survey, action, start, end, refusal string }{
		{"C57 launch a draft", ``, "launch", now, "null", ""},
		{"C57 launch what starts later", `,"start_date":` + future, "launch", now, "null", ""},
		{"C57 launch what has started", `,"start_date":` + past, "launch", past, "null", ""},
		{"C57 launch an archived one", `,"archived":true`, "launch", "null", "null", "Cannot launch an archived survey. Unarchive it first."},
		{"C57 launch what is over", `,"end_date":` + past, "launch", "null", past, "Cannot launch a survey with end_date in the past. Extend the end_date first."},
		{"C57 stop a running one", `,"start_date":` + past, "stop", past, now, ""},
		{"C57 stop a draft", ``, "stop", "null", now, ""},
		{"C57 stop what ends later", `,"end_date":` + future, "stop", "null", now, ""},
		{"C57 stop what is over", `,"end_date":` + past, "stop", "null", past, ""},
		{"C57 stop an archived one", `,"archived":true`, "stop", "null", "null", "Cannot stop an archived survey. Unarchive it first if needed."},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := startHosted(t, "")
			path := c.newSurvey(`{"name":"S","type":"popover"` + row.survey + `}`)
			before := c.get(path)

			a := c.post(path+row.action+"/", "")
			if row.refusal != "" {
				a.fails(http.StatusBadRequest, "invalid_input", "", row.refusal)
			} else {
				assert.Equal(t, keysOf(before.object()), keysOf(a.is(http.StatusOK).object()), "in the shape of GET")
			}

			after := c.get(path)
			assert.Equal(t, row.start, after.raw("start_date"))
			assert.Equal(t, row.end, after.raw("end_date"))
			assert.Equal(t, before.raw("internal_targeting_flag"), after.raw("internal_targeting_flag"), "flags change with the next update")

			if before.body != after.body {
				activity := map[string]string{"launch": "launched", "stop": "stopped"}[row.action]
				assert.Equal(t, activity, c.get(path + "activity/").feed().Results[0].Activity)
			}
		})
	}
}

func TestHostedStats(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, counted)

	sent := func(path string) string {
		var body struct {
			Stats map[string]struct {
				Total json.Number `json:"total_count"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(c.get(path).is(http.StatusOK).body), &body))
		return body.Stats["survey sent"].Total.String()
	}

	c.step(t, "D15 stats of the project: of surveys that are there and not archived", func(t *testing.T, c caller) {
		assert.Equal(t, "10", sent(surveys+"stats/"))
	})
	c.step(t, "D16 stats of one survey: since its start", func(t *testing.T, c caller) {
		assert.Equal(t, "5", sent(surveys+"019b0000-0000-7000-8000-000000000002/stats/"))
		c.get(surveys+"nothing/stats/").fails(http.StatusNotFound, "not_found", "", "Not found.")
	})

	c.step(t, "C57 stats between dates", func(t *testing.T, c caller) {
		assert.Equal(t, "5", sent(surveys+"019b0000-0000-7000-8000-000000000002/stats/?date_from=2026-02-01T11:00:00Z"))
	})
}

func TestHostedSelf(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, strings.Replace(hostedPeople, `"id":1}`, `"id":1,"surveys_opt_in":true}`, 1))

	c.step(t, "C57 users/@me", func(t *testing.T, c caller) {
		me := c.as("phx_all").get("/api/users/@me/").is(http.StatusOK)
		assert.Equal(t, "1", me.raw("id"))
		assert.Contains(t, me.raw("organization"), fixtures.DefaultOrganizationID)
		c.as("phx_none").get("/api/users/@me/").fails(http.StatusForbidden, "permission_denied", "", "API key missing required scope 'user:read'")
	})

	c.step(t, "C57 personal_api_keys/@current: any key, by itself", func(t *testing.T, c caller) {
		a := c.as("phx_survey_read").get("/api/personal_api_keys/@current/").is(http.StatusOK)
		assert.Equal(t, `["survey:read"]`, a.raw("scopes"))
		assert.NotContains(t, a.body, "phx_survey_read")
		c.as("phx_none").get("/api/personal_api_keys/@current/").is(http.StatusOK)
		c.as("phx_wrong").get("/api/personal_api_keys/@current/").is(http.StatusUnauthorized)
	})

	c.step(t, "C59 surveys_opt_in is told, and no write of a survey changes it", func(t *testing.T, c caller) {
		_, c = startHosted(t, "")
		c.t = t
		path := c.newSurvey(`{"name":"S","type":"popover"}`)
		c.post(path+"launch/", "").is(http.StatusOK)
		c.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		assert.Equal(t, "true", c.get("/api/projects/1/").is(http.StatusOK).raw("surveys_opt_in"), "the default project shows surveys")
		_, c = startHosted(t, `{"projects":[{"id":1}]}`)
		c.t = t
		c.patch(c.newSurvey(`{"name":"S","type":"popover"}`), `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		assert.Equal(t, "null", c.get("/api/projects/1/").is(http.StatusOK).raw("surveys_opt_in"))
		srv, c := startHosted(t, `{"projects":[{"id":1,"surveys_opt_in":true}]}`)
		assert.Equal(t, "true", c.get("/api/projects/@current/").is(http.StatusOK).raw("surveys_opt_in"))
		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump())
	})

	c.step(t, "C59 surveys_opt_in needs project:read", func(t *testing.T, c caller) {
		c.as("phx_survey_read").get("/api/projects/1/").fails(http.StatusForbidden, "permission_denied", "", "API key missing required scope 'project:read'")
	})
}
