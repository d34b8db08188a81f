package snapshot_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/snapshot"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const organization = "0190d6a4-0000-7000-8000-00000000000a"

func surveyOf(t require.TestingT, text string) api.Survey {
	var survey api.Survey
	require.NoError(t, json.Unmarshal([]byte(text), &survey))
	return survey
}

func appOf(t require.TestingT, text string) api.PipelineImportApp {
	var app api.PipelineImportApp
	require.NoError(t, json.Unmarshal([]byte(text), &app))
	return app
}

// surveyID returns the ID of the survey with a number.
func surveyID(n int) string { return fmt.Sprintf("0190d6a4-0000-7000-8000-%012d", n) }

// written returns a builder's document.
func written(t require.TestingT, b *snapshot.Builder) string {
	document, err := b.Document()
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, document.Write(&text))
	return text.String()
}

// Objects in any order produce the same bytes. Parsing the document returns the objects.
func TestDocumentsAreSortedAndReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var add []func(*snapshot.Builder) error
		names, counts := map[string]string{}, map[string]int64{}
		for n := range rapid.IntRange(0, 5).Draw(t, "surveys") {
			id, name := surveyID(n), rapid.String().Draw(t, "name")
			raw, err := json.Marshal(map[string]any{
				"id": id, "name": name, "type": "popover", "created_by": map[string]any{"id": n % 2, "email": fmt.Sprintf("p%d@x.org", n%2)},
				"linked_flag": map[string]any{"id": 1 + n%2, "key": fmt.Sprint("flag-", n%2), "team_id": 1},
			})
			require.NoError(t, err)
			wire := surveyOf(t, string(raw))
			names[id] = wire.Name.MustGet()
			if count := rapid.Int64Range(0, 3).Draw(t, "responses"); count > 0 {
				counts[id] = count
			}
			add = append(add, func(b *snapshot.Builder) error { return b.AddSurvey(wire) })
		}
		for n := range rapid.IntRange(0, 3).Draw(t, "apps") {
			wire := appOf(t, fmt.Sprintf(`{"id": %d, "name": "App", "organization_id": %q}`, 8+n, organization))
			add = append(add, func(b *snapshot.Builder) error { return b.AddApp(wire) })
		}

		build := func(add []func(*snapshot.Builder) error) string {
			b := &snapshot.Builder{ProjectID: "1", OrganizationID: organization}
			for _, one := range add {
				require.NoError(t, one(b))
			}
			b.SetResponses(counts)
			return written(t, b)
		}
		text := build(add)
		require.Equal(t, text, build(rapid.Permutation(add).Draw(t, "order")))

		contents, err := snapshot.Parse([]byte(text))
		require.NoError(t, err)
		require.True(t, contents.HasSurveys)
		require.True(t, contents.HasApps)
		require.Len(t, contents.Surveys, len(names))
		for _, survey := range contents.Surveys {
			require.Equal(t, "1", survey.ProjectID)
			require.Equal(t, names[*survey.ID], survey.Name.MustGet())
		}
		var document snapshot.Document
		require.NoError(t, json.Unmarshal([]byte(text), &document))
		require.Len(t, document.Responses, len(counts))
		for _, responses := range document.Responses {
			require.Equal(t, counts[responses.SurveyID], responses.Count)
		}
	})
}

// A server that loads a snapshot contains everything to which the surveys refer. A snapshot of that server is equal.
func TestAServerLoadsASnapshot(t *testing.T) {
	t.Parallel()
	b := &snapshot.Builder{ProjectID: "1", OrganizationID: organization}
	require.NoError(t, b.AddSurvey(surveyOf(t, fmt.Sprintf(`{"id": %q, "name": "NPS", "type": "popover", "linked_insight_id": 7,
	  "linked_flag": {"id": 3, "key": "beta", "team_id": 1, "active": true}, "linked_flag_id": 3,
	  "conditions": {"actions": {"values": [{"id": 5, "name": "signed up", "steps": [{"event": "joined"}], "tags": []}]}},
	  "targeting_flag": {"id": 4, "key": "survey-targeting-x", "team_id": 1,
	    "filters": {"groups": [{"properties": [{"key": "id", "type": "cohort", "value": 6}]}]}}}`, surveyID(1)))))
	text := written(t, b)

	var document snapshot.Document
	require.NoError(t, json.Unmarshal([]byte(text), &document))
	assert.Equal(t, []snapshot.Named{{ID: 5, ProjectID: 1, Name: "signed up", Steps: []any{map[string]any{"event": "joined"}}}}, document.Actions,
		"the snapshot must contain the steps of an action, because without them no event matches it")
	assert.Equal(t, []snapshot.Named{{ID: 6, ProjectID: 1}}, document.Cohorts)
	assert.Equal(t, []snapshot.Named{{ID: 7, ProjectID: 1}}, document.Insights)
	assert.Len(t, document.FeatureFlags, 2)

	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(text)})
	contents, err := snapshot.Parse([]byte(srv.Dump()))
	require.NoError(t, err)
	require.Len(t, contents.Surveys, 1)
	again := &snapshot.Builder{ProjectID: "1", OrganizationID: organization}
	require.NoError(t, again.AddSurvey(contents.Surveys[0].Survey))
	var reloaded snapshot.Document
	require.NoError(t, json.Unmarshal([]byte(written(t, again)), &reloaded))
	assert.Equal(t, document.Actions, reloaded.Actions)
	assert.Equal(t, document.Cohorts, reloaded.Cohorts)
	assert.Equal(t, document.Insights, reloaded.Insights)
}

// A document contains no default of a secret field at any depth, and reports each omission. It also omits values that
// depend on the caller, and the user who created a survey. It keeps all texts.
func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	b := &snapshot.Builder{ProjectID: "1", OrganizationID: organization}
	require.NoError(t, b.AddApp(appOf(t, fmt.Sprintf(`{"id": 8, "name": "Tickets", "organization_id": %q,
	  "config_schema": [{"key": "password", "secret": true, "default": "hunter2"}, {"key": "host", "default": "example.com"}]}`, organization))))
	require.NoError(t, b.AddSurvey(surveyOf(t, fmt.Sprintf(`{"id": %q, "name": "NPS", "user_access_level": "editor",
	  "description": "Ask b@x.org", "created_by": {"id": 1, "email": "a@x.org", "password_hint": "confidential"}}`, surveyID(1)))))

	text := written(t, b)
	assert.NotContains(t, text, "hunter2")
	assert.Contains(t, text, "example.com")
	assert.Equal(t, []snapshot.Withheld{{App: "Tickets", Field: "password"}}, b.Withheld())
	assert.NotContains(t, text, "user_access_level")
	assert.NotContains(t, text, "created_by")
	assert.NotContains(t, text, "a@x.org")
	assert.Contains(t, text, "Ask b@x.org")
}

// The ID of the project "@current" comes from the flags. Without flags, the ID is unknown.
func TestTheCurrentProject(t *testing.T) {
	t.Parallel()
	b := &snapshot.Builder{ProjectID: "@current"}
	require.NoError(t, b.AddSurvey(surveyOf(t, fmt.Sprintf(`{"id": %q, "linked_flag": {"id": 3, "key": "beta", "team_id": 42}}`, surveyID(1)))))
	assert.Contains(t, written(t, b), `"project_id": 42`)

	b = &snapshot.Builder{ProjectID: "@current"}
	require.NoError(t, b.AddSurvey(surveyOf(t, fmt.Sprintf(`{"id": %q}`, surveyID(1)))))
	_, err := b.Document()
	assert.ErrorContains(t, err, "A snapshot requires the ID of the project")
}

// A builder refuses objects that could not be distinguished later.
func TestObjectsWithoutIDsAreRefused(t *testing.T) {
	t.Parallel()
	b := &snapshot.Builder{ProjectID: "1", OrganizationID: organization}
	require.Error(t, b.AddSurvey(surveyOf(t, `{"name": "NPS"}`)))
	require.Error(t, b.AddApp(appOf(t, `{"id": 8, "name": "Tickets"}`)))
	require.Error(t, b.AddApp(appOf(t, fmt.Sprintf(`{"name": "Tickets", "organization_id": %q}`, organization))))

	contents, err := snapshot.Parse([]byte(written(t, b)))
	require.NoError(t, err)
	assert.Empty(t, contents.Surveys)
}

// Parse refuses a partial document, which a sync could confuse with a smaller project.
func TestReadRefusesHalfDocuments(t *testing.T) {
	t.Parallel()
	for text, complaint := range map[string]string{
		`{"surveys": []} {"surveys": []}`:                                                         "text after the JSON value",
		`{"surveys": [{"id": "x", "project_id": 1}]}`:                                             "is not a UUID",
		fmt.Sprintf(`{"surveys": [{"id": %q}]}`, surveyID(1)):                                     "surveys[0]: needs id and project_id",
		fmt.Sprintf(`{"surveys": [{"id": %q, "project_id": 1}, {"project_id": 1}]}`, surveyID(1)): "surveys[1]: needs id and project_id",
		`{"pipeline_import_apps": [{"id": 8}]}`:                                                   "pipeline_import_apps[0]: needs id and organization_id",
		`{`:                                                                                       "not a snapshot",
	} {
		_, err := snapshot.Parse([]byte(text))
		assert.ErrorContains(t, err, complaint, text)
	}
}
