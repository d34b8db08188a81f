package testserver_test

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const control = "/_testserver/"

func TestDefaultFixtures(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	assert.Equal(t, testserver.DefaultAPIKey, srv.APIKey)
	assert.Equal(t, testserver.DefaultProjectID, srv.ProjectID)
	assert.Equal(t, testserver.DefaultOrganizationID, srv.OrganizationID)
	c := call(t, srv)
	assert.Equal(t, `{"count":0,"next":null,"previous":null,"results":[]}`, c.get(surveys).is(http.StatusOK).body)
	c.newSurvey(`{"name":"S","type":"api","linked_flag_id":1}`)
}

// The server loads a snapshot of a newer PostHog with all nested objects. It serves unknown keys, and its
// dump equals the snapshot.
func TestSnapshotOfANewerService(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("testdata/newer_service.json")
	require.NoError(t, err)

	srv := testserver.Start(t)
	srv.SetFixtures(string(document))
	c := call(t, srv).undocumentedAnswers()

	read := c.get(surveys + "019b0000-0000-7000-8000-00000000000a/").is(http.StatusOK)
	assert.Equal(t, `"full_screen"`, read.raw("type"), "fixtures must accept values that PostHog returned")
	assert.Equal(t, `{"deep":[1.50,9007199254740993]}`, read.raw("brand_new"))
	assert.Equal(t, "", read.raw("schedule")+read.raw("feature_flag_keys"), "responses in the documented profile must not contain hosted fields")
	assert.Equal(t, `"{\"url\":\"https://example.com\"}"`, read.raw("conditions"))
	assert.Equal(t, `41`, read.flag("linked_flag", "id"))
	assert.Equal(t, `{"x":1}`, read.flag("linked_flag", "unheard_of"))
	assert.Equal(t, "", read.flag("linked_flag", "version"))
	assert.Equal(t, `77`, read.flag("created_by", "id"))
	assert.Equal(t, `"2025-06-01T10:00:00Z"`, read.raw("created_at"))
	assert.Equal(t, `{"count":2}`, c.get(apps+"12/").raw("usage"))
	assert.Equal(t, `false`, c.get(apps+"12/").raw("hog_function_migration_available"))

	dump := srv.Dump()
	for _, kept := range []string{`"schedule":"always"`, `"feature_flag_keys":[`, `"version":3`, `"brand_new":`, `"usage":`, `"role_at_organization":"admin"`} {
		assert.Contains(t, dump, kept, "the dump must contain each fixture")
	}

	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())

	// An unknown key survives an update.
	c.patch(surveys+"019b0000-0000-7000-8000-00000000000a/", `{"description":"x"}`).is(http.StatusOK)
	assert.Contains(t, srv.Dump(), `"brand_new":{"deep":[1.50,9007199254740993]}`)
}

func TestDumpLoadsToTheSameDump(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)

	path := c.newSurvey(strings.ReplaceAll(conformingSurvey, "Conforming", `<b>Ünï \"quoted\" & \u2028`))
	c.patch(path, `{"remove_targeting_flag":true,"conditions":"{\"as\": 1}"}`).is(http.StatusOK)
	c.newSurvey(`{"name":"Second","type":"api"}`)
	c.post(apps, conformingApp).is(http.StatusCreated)
	c.post(apps, `{"url":"https://example.com/?token=1"}`).is(http.StatusCreated)

	dump := srv.Dump()
	list, app := c.get(surveys).body, c.get(apps).body

	other := testserver.Start(t)
	other.SetFixtures(dump)
	assert.Equal(t, dump, other.Dump())

	d := call(t, other)
	assert.Equal(t, list, d.get(surveys).body)
	assert.Equal(t, app, d.get(apps).body)

	// The control interface returns the same document.
	assert.Equal(t, dump, d.get(control+"fixtures").is(http.StatusOK).body)
	d.put(control+"fixtures", dump).is(http.StatusNoContent)
	assert.Equal(t, dump, other.Dump())
}

// Every list is optional. A list in the document replaces only the default of that list.
func TestPartialDocuments(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)

	one := `{"project_id":"1","id":"019B0000-0000-7000-8000-00000000000A","name":"S","type":"popover","conditions":"{\"url\":\"x\"}"}`
	for name, document := range map[string]string{
		"only a survey": `{"surveys":[` + one + `]}`,
		"people later":  `{"surveys":[` + one + `],"api_keys":[{"key":"phx_test"}],"users":[{"id":9}],"projects":[{"id":1}],"organizations":[{"id":"` + testserver.DefaultOrganizationID + `"}]}`,
		"null is unset": `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-00000000000a","name":"S","type":"popover","questions":null,"linked_flag":null,"created_at":null,"conditions":{"url":"x"}}]}`,
	} {
		srv.SetFixtures(document)
		read := c.get(surveys + "019b0000-0000-7000-8000-00000000000a/").is(http.StatusOK)
		assert.Equal(t, `""`, read.raw("description"), name)
		assert.Equal(t, `"{\"url\":\"x\"}"`, read.raw("conditions"), name)
		assert.Equal(t, `"2026-01-02T03:04:05.678901Z"`, read.raw("created_at"), name)
		assert.NotEqual(t, "null", read.raw("internal_targeting_flag"), name)
		assert.NotEqual(t, "null", read.raw("created_by"), name)
	}

	srv.SetFixtures(`{"projects":[{"id":9},{"id":8},{"id":7},{"id":6},{"id":5},{"id":4},{"id":3}]}`)
	assert.Equal(t, "3", srv.ProjectID, "the first project must be the one with the lowest ID")
	c.get("/api/projects/@current/surveys/").is(http.StatusOK)

	srv.SetFixtures(`{"users":[],"feature_flags":[]}`)
	assert.Empty(t, srv.APIKey, "the server must not have a default key without a user")

	srv.SetFixtures(`{"clock":"2024-02-03T04:05:06Z","api_keys":[{"key":"phx_a"},{"key":"phx_b"}]}`)
	assert.Equal(t, "phx_a", srv.APIKey)
	created := c.as("phx_b").post(surveys, `{"name":"N","type":"api"}`).is(http.StatusCreated)
	assert.Equal(t, `"2024-02-03T04:05:06Z"`, created.raw("created_at"))
	assert.Contains(t, srv.Dump(), `{"clock":"2024-02-03T04:05:06Z",`)
}

// TestWrongDocumentChangesNothing loads one invalid document. The tests of package fixtures cover the others.
func TestWrongDocumentChangesNothing(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
	c.newSurvey(`{"name":"Kept","type":"api"}`)
	before := srv.Dump()

	const document, message = `{"survey":[]}`, `fixtures: survey: unknown key, did you mean "surveys"?`
	require.EqualError(t, srv.Server.SetFixtures(strings.NewReader(document)), message)
	c.put(control+"fixtures", document).fails(http.StatusBadRequest, "invalid_input", "", message)
	assert.Equal(t, before, srv.Dump())
	_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(document)})
	require.EqualError(t, err, message)
}

func TestReset(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(
		`{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-00000000000a","name":"S","type":"api"}],
"pipeline_import_apps":[{"organization_id":"` + testserver.DefaultOrganizationID + `","id":1,"name":"A"}]}`)})

	c := call(t, srv)
	start := srv.Dump()

	change := func() {
		c.patch(surveys+"019b0000-0000-7000-8000-00000000000a/", `{"name":"T","targeting_flag_filters":{"groups":[]}}`).is(http.StatusOK)
		c.newSurvey(`{"name":"S","type":"api"}`)
		c.patch(apps+"1/", `{"name":"B"}`).is(http.StatusOK)
		c.delete(apps + "1/").is(http.StatusNoContent)
		c.put(control+"clock", `{"clock":"2020-01-01T00:00:00Z"}`).is(http.StatusNoContent)
		require.NotEqual(t, start, srv.Dump())
	}

	change()
	c.post(control+"reset", "").is(http.StatusNoContent)
	assert.Equal(t, start, srv.Dump())

	change()
	srv.Reset()
	assert.Equal(t, start, srv.Dump(), "changes after a reset must not change the initial store")

	srv.SetFixtures(`{}`)
	srv.Reset()
	assert.Equal(t, start, srv.Dump())
}
