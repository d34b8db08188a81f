package terraform_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const draft, running, stopped = "0190d6a4-7e1c-7b52-a3f0-000000000001", "0190d6a4-7e1c-7b52-a3f0-000000000002", "0190d6a4-7e1c-7b52-a3f0-000000000003"

// threeSurveys returns a draft, a running survey with 7 responses, and a stopped one.
func threeSurveys() acctest.Option {
	return acctest.Fixtures(fmt.Sprintf(`{"surveys": [
		{"project_id": "1", "id": %q, "name": "Draft", "type": "popover", "created_at": "2025-01-01T00:00:01Z"},
		{"project_id": "1", "id": %q, "name": "Running", "type": "widget", "start_date": "2025-01-01T00:00:00Z", "created_at": "2025-01-01T00:00:02Z"},
		{"project_id": "1", "id": %q, "name": "Stopped", "type": "popover", "start_date": "2025-01-01T00:00:00Z", "end_date": "2025-02-01T00:00:00Z",
		 "archived": true, "created_at": "2025-01-01T00:00:03Z"}],
		"responses": [{"survey_id": %q, "count": 7, "at": "2025-01-02T00:00:00Z"}]}`, draft, running, stopped, running))
}

func TestActivityDataSources(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Apply(map[string]any{"name": "NPS", "type": "popover"}).Errors())
	require.Empty(t, survey.Apply(map[string]any{"name": "Quarterly NPS", "type": "popover"}).Errors())
	id := survey.State("id")

	for name, read := range map[string]func() (map[string]any, acctest.Diagnostics){
		"one": func() (map[string]any, acctest.Diagnostics) {
			return env.ReadDataSource(t, "posthog_survey_activity", map[string]any{"survey_id": id})
		},
		"all": func() (map[string]any, acctest.Diagnostics) {
			return env.ReadDataSource(t, "posthog_surveys_activity", map[string]any{})
		},
	} {
		values, diags := read()
		require.Empty(t, diags.Text(), name)
		require.True(t, json.Valid([]byte(values["json"].(string))), name)

		entries, ok := values["entries"].([]any)
		require.True(t, ok, name)
		require.Len(t, entries, 2, "%s: %v", name, entries)
		update, _ := entries[0].(map[string]any)
		assert.Equal(t, "updated", update["activity"], name)
		assert.Equal(t, "name", update["field"], name)
		assert.Equal(t, `"NPS"`, update["before"], name)
		assert.Equal(t, `"Quarterly NPS"`, update["after"], name)
		assert.Equal(t, id, update["id"], name)
		assert.NotEmpty(t, update["user"], name)
		assert.NotEmpty(t, update["at"], name)
	}

	one, diags := env.ReadDataSource(t, "posthog_surveys_activity", map[string]any{"limit": 1})
	require.Empty(t, diags.Text())
	assert.Len(t, one["entries"], 1)
}

// The API documents no body, so every attribute from the response is null.
func TestActivityDataSourcesWithoutBody(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, threeSurveys())
	values, diags := env.ReadDataSource(t, "posthog_survey_activity", map[string]any{"survey_id": draft})
	require.Empty(t, diags.Text())
	assert.Nil(t, values["json"])
	assert.Nil(t, values["entries"])
	assert.Equal(t, "1", values["project_id"])
}

func TestActivityDataSourceErrors(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	_, diags := env.ReadDataSource(t, "posthog_survey_activity", map[string]any{"survey_id": draft})
	assert.Contains(t, diags.Text(), "Could not read activity of survey "+draft)
	assert.Contains(t, diags.Text(), "404")

	for operation, typeName := range map[string]string{
		"surveys_activity_retrieve": "posthog_survey_activity", "surveys_all_activity_retrieve": "posthog_surveys_activity",
	} {
		config := map[string]any{}
		if typeName == "posthog_survey_activity" {
			config["survey_id"] = draft
		}

		env.SetFaults(testserver.Fault{Operation: operation, Status: 200, Body: map[string]any{"results": "none"}})
		values, diags := env.ReadDataSource(t, typeName, config)
		require.Empty(t, diags.Errors().Text(), typeName)
		assert.Contains(t, diags.Text(), "results is a JSON string", typeName)
		assert.JSONEq(t, `{"results": "none"}`, fmt.Sprint(values["json"]), typeName)
		assert.Nil(t, values["entries"], typeName)
	}
}

func TestResponsesCountDataSource(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, threeSurveys())
	values, diags := env.ReadDataSource(t, "posthog_survey_responses_count", map[string]any{})
	require.Empty(t, diags.Text())
	assert.JSONEq(t, `{"`+running+`": 7}`, values["json"].(string))

	counts, ok := values["counts"].(map[string]any)
	require.True(t, ok)
	assert.Len(t, counts, 1)
	assert.Equal(t, "7", fmt.Sprint(counts[running]))
}

func TestLaunchAndStopActions(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		action, survey string
		patch          string
		progress       string
		fails          string
	}{
		{action: "posthog_survey_launch", survey: draft, patch: `{"start_date":"2026-01-02T03:04:05Z"}`, progress: `Survey "Draft" is launched.`},
		{action: "posthog_survey_launch", survey: running, progress: `Survey "Running" is already running.`},
		{action: "posthog_survey_launch", survey: stopped, fails: "archived = false"},
		{action: "posthog_survey_stop", survey: running, patch: `{"end_date":"2026-01-02T03:04:05Z"}`, progress: `Survey "Running" is stopped.`},
		{action: "posthog_survey_stop", survey: draft, progress: `Survey "Draft" is not running: its status is draft.`},
		{action: "posthog_survey_stop", survey: stopped, progress: `Survey "Stopped" is not running: its status is completed.`},
		{action: "posthog_survey_stop", survey: "0190d6a4-7e1c-7b52-a3f0-00000000000f", fails: "404"},
	} {
		for _, profile := range profiles {
			env := acctest.Start(t, threeSurveys(), acctest.Profile(profile))
			progress, diags := env.Invoke(t, c.action, map[string]any{"survey_id": c.survey})

			if c.fails != "" {
				assert.Contains(t, diags.Errors().Text(), c.fails)
				assert.Empty(t, env.RequestBodies(t, "PATCH"))
				continue
			}
			require.Empty(t, diags.Text(), "%s %s", c.action, c.survey)
			assert.Equal(t, []string{c.progress}, progress)
			if c.patch == "" {
				assert.Empty(t, env.RequestBodies(t, "PATCH"))
			} else {
				assert.Equal(t, []string{c.patch}, env.RequestBodies(t, "PATCH"))
			}
		}
	}
}

// A request without conditions unlinks a survey's actions, and a request with a variant requires its flag, so the
// request with the date includes both.
func TestLaunchAndStopKeepLinkedActions(t *testing.T) {
	t.Parallel()

	const conditions = `{"url":"/a","linkedFlagVariant":"control","actions":{"values":[{"id":1}]}}`
	for action, date := range map[string]string{"posthog_survey_launch": "start_date", "posthog_survey_stop": "end_date"} {
		start := ""
		if date == "end_date" {
			start = `"start_date":"2025-01-01T00:00:00Z",`
		}
		linked := strings.TrimSuffix(targets, "}") + `,"surveys":[{"project_id":"1","id":"` + surveyID + `","name":"NPS","type":"popover",` + start +
			`"linked_flag_id":1,"conditions":` + conditions + `}]}`

		for _, profile := range profiles {
			env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(linked))
			_, diags := env.Invoke(t, action, map[string]any{"survey_id": surveyID})
			require.Empty(t, diags.Text(), action)

			sent := env.RequestBodies(t, http.MethodPatch)
			require.Len(t, sent, 1, action)
			assert.JSONEq(t, `{"`+date+`":"2026-01-02T03:04:05Z","linked_flag_id":1,"conditions":`+conditions+`}`, sent[0], "%s %s", action, profile)

			if profile == testserver.Hosted {
				// PostHog returns the name only for an action that is still linked.
				survey := env.Resource(t, "posthog_survey")
				require.Empty(t, survey.Import(surveyID).Text())
				assert.Contains(t, survey.State("conditions"), "Signed up", action)
			}
		}
	}
}

func TestListResource(t *testing.T) {
	t.Parallel()

	for _, profile := range profiles {
		env := acctest.Start(t, threeSurveys(), acctest.Profile(profile))
		for _, c := range []struct {
			config map[string]any
			limit  int64
			want   []string
		}{
			{nil, 100, []string{"Stopped", "Running", "Draft"}},
			{map[string]any{"name": "r"}, 100, []string{"Running", "Draft"}},
			{map[string]any{"type": "widget"}, 100, []string{"Running"}},
			{map[string]any{"archived": true}, 100, []string{"Stopped"}},
			{map[string]any{"archived": false, "status": "draft"}, 100, []string{"Draft"}},
			{map[string]any{"project_id": "1"}, 2, []string{"Stopped", "Running"}},
		} {
			found, diags := env.List(t, "posthog_survey", c.config, true, c.limit)
			require.Empty(t, diags.Text())

			var names []string
			for _, one := range found {
				names = append(names, one.DisplayName)
				assert.Equal(t, one.Resource["id"], one.Identity["id"])
				assert.Equal(t, "1", one.Identity["project_id"])
				assert.Equal(t, one.DisplayName, one.Resource["name"])
				assert.Equal(t, "delete", one.Resource["deletion_policy"])
			}
			assert.Equal(t, c.want, names, "%v", c.config)
		}
	}
}

// Errors are sent in the stream, and no unnecessary page is read.
func TestListResourceErrors(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, manySurveys(250))
	_, diags := env.List(t, "posthog_survey", map[string]any{"type": "modal"}, false, 10)
	assert.Contains(t, diags.Text(), `"modal"`)

	before := env.Operations()["surveys_list"]
	found, diags := env.List(t, "posthog_survey", nil, false, 10)
	require.Empty(t, diags.Errors().Text())
	assert.Equal(t, 10, len(found)) //nolint:testifylint // the elements say nothing
	assert.Equal(t, 1, env.Operations()["surveys_list"]-before, "ten surveys must be listed with one request")

	env.SetFaults(testserver.Fault{Operation: "surveys_list", Status: 403})
	_, diags = env.List(t, "posthog_survey", nil, false, 10)
	assert.Contains(t, diags.Errors().Text(), "Could not list surveys")

	env.SetFaults(testserver.Fault{Operation: "surveys_list", To: 1, RetryAfter: "90"})
	found, diags = env.List(t, "posthog_survey", nil, false, 1000)
	assert.Len(t, found, 250)
	assert.Empty(t, diags.Text())
}
