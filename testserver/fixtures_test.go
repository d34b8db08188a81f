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

// A snapshot of a newer service, with everything nested: it loads, is served with
// the keys nobody knows, and dumps what it was.
func TestSnapshotOfANewerService(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("testdata/newer_service.json")
	require.NoError(t, err)

	srv := testserver.Start(t)
	srv.SetFixtures(string(document))
	c := call(t, srv).undocumentedAnswers()

	read := c.get(surveys + "019b0000-0000-7000-8000-00000000000a/").is(http.StatusOK)
	assert.Equal(t, `"full_screen"`, read.raw("type"), "what a service returned is accepted")
	assert.Equal(t, `{"deep":[1.50,9007199254740993]}`, read.raw("brand_new"))
	assert.Equal(t, "", read.raw("schedule")+read.raw("feature_flag_keys"), "hosted fields are not in documented answers")
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
		assert.Contains(t, dump, kept, "nothing is lost")
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

	// Over HTTP it is the same document.
	assert.Equal(t, dump, d.get(control+"fixtures").is(http.StatusOK).body)
	d.put(control+"fixtures", dump).is(http.StatusNoContent)
	assert.Equal(t, dump, other.Dump())
}

// Every list is optional; what is there replaces the default of its own list alone.
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
	assert.Equal(t, "3", srv.ProjectID, "the first project is the one with the smallest id")
	c.get("/api/projects/@current/surveys/").is(http.StatusOK)

	srv.SetFixtures(`{"users":[],"feature_flags":[]}`)
	assert.Empty(t, srv.APIKey, "without a user there is no key")

	srv.SetFixtures(`{"clock":"2024-02-03T04:05:06Z","api_keys":[{"key":"phx_a"},{"key":"phx_b"}]}`)
	assert.Equal(t, "phx_a", srv.APIKey)
	created := c.as("phx_b").post(surveys, `{"name":"N","type":"api"}`).is(http.StatusCreated)
	assert.Equal(t, `"2024-02-03T04:05:06Z"`, created.raw("created_at"))
	assert.Contains(t, srv.Dump(), `{"clock":"2024-02-03T04:05:06Z",`)
}

func TestWhatIsWrongWithADocument(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)

	c.newSurvey(`{"name":"Kept","type":"api"}`)
	before := srv.Dump()
	survey := `"project_id":1,"id":"019b0000-0000-7000-8000-00000000000a","name":"S","type":"api"`

	for document, complaint := range map[string]string{
		``:                            "the document is empty; an empty object is the least",
		`[]`:                          "the document must be an object",
		`{"surveys":[}`:               "the document: not valid JSON at byte 13: invalid character '}' looking for beginning of value",
		`{"surveys":[`:                "the document: not valid JSON at byte 12: unexpected end of JSON input",
		`{"surveys":[{"id`:            "the document: not valid JSON at byte 16: unexpected end of JSON input",
		`{} {}`:                       "the document: not valid JSON at byte 4: invalid character '{' after top-level value",
		`{} x`:                        "the document: not valid JSON at byte 4: invalid character 'x' after top-level value",
		`{"survey":[]}`:               `survey: unknown key, did you mean "surveys"?`,
		`{"surveys":[],"surveys":[]}`: "surveys: is there twice",
		`{"surveys":{}}`:              "surveys: must be an array",
		`{"surveys":null}`:            "surveys: must be an array",
		`{"surveys":["x"]}`:           "surveys[0]: must be an object, is a string",
		`{"clock":"noon"}`:            `clock: must be a date-time of RFC 3339 as 2026-01-31T12:00:00Z, is "noon"`,
		`{"api_keys":[{"key":"phx_a"},{"key":"phx_b"},{"key":"phx_secret","scope":["*"]}]}`: `api_keys[2].scope: unknown key, did you mean "scopes"?`,
		`{"api_keys":[{"key":"phx_secret","zzzzzzzz":1}]}`:                                  "api_keys[0].zzzzzzzz: unknown key; there are key, user_id, scopes, project_ids, organization_ids",
		`{"api_keys":[{"key":"phx_secret"},{"key":"phx_secret"}]}`:                          "api_keys[1].key: another entry has it too",
		`{"api_keys":[{}]}`:                                                                                                   `api_keys[0]: needs the key "key"`,
		`{"api_keys":[{"key":""}]}`:                                                                                           "api_keys[0].key: must not be empty",
		`{"api_keys":[{"key":"phx_secret","user_id":5}]}`:                                                                     "api_keys[0].user_id: there is no user 5",
		`{"api_keys":[{"key":"phx_secret","project_ids":[1,9]}]}`:                                                             "api_keys[0].project_ids[1]: there is no project 9",
		`{"api_keys":[{"key":"phx_secret","scopes":["*",5]}]}`:                                                                "api_keys[0].scopes[1]: must be a string, is a number",
		`{"api_keys":[{"key":"phx_secret","scopes":"*"}]}`:                                                                    "api_keys[0].scopes: must be an array, is a string",
		`{"users":[{"id":1,"email":5}]}`:                                                                                      "users[0].email: must be a string, is a number",
		`{"users":[{"id":"x"}]}`:                                                                                              `users[0].id: must be an integer above 0, is "x"`,
		`{"users":[{"id":1},{"id":1}]}`:                                                                                       "users[1].id: another user has it too",
		`{"users":[{"id":1,"organization_ids":["` + otherOrganization + `"]}]}`:                                               "users[0].organization_ids[0]: there is no organization " + otherOrganization,
		`{"organizations":[{"id":"mine"}]}`:                                                                                   `organizations[0].id: must be a UUID, is "mine"`,
		`{"projects":[{"id":1,"organization_id":"` + otherOrganization + `"}]}`:                                               "projects[0].organization_id: there is no organization " + otherOrganization,
		`{"feature_flags":[{"id":1,"project_id":4,"key":"k"}]}`:                                                               "feature_flags[0].project_id: there is no project 4",
		`{"feature_flags":[{"id":1,"project_id":1}]}`:                                                                         `feature_flags[0]: needs the key "key"`,
		`{"feature_flags":[{"id":1,"project_id":1,"key":"k","filters":[]}]}`:                                                  "feature_flags[0].filters: must be an object, is an array",
		`{"feature_flags":[{"id":1,"project_id":1,"key":"k","team_id":1}]}`:                                                   "feature_flags[0].team_id: unknown key; there are active, bucketing_identifier, deleted, ensure_experience_continuity, evaluation_contexts, evaluation_runtime, filters, id, key, name, version, tags, created_at, created_by_id, used_by, project_id",
		`{"actions":[{"id":1,"project_id":4}]}`:                                                                               "actions[0].project_id: there is no project 4",
		`{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-00000000000a","name":"S"}]}`:                               `surveys[0]: needs the key "type"`,
		`{"surveys":[{` + strings.Replace(survey, `:1,`, `:4,`, 1) + `}]}`:                                                    "surveys[0].project_id: there is no project 4",
		`{"surveys":[{` + strings.Replace(survey, `019b`, `zzzz`, 1) + `}]}`:                                                  `surveys[0].id: must be a UUID, is "zzzz0000-0000-7000-8000-00000000000a"`,
		`{"surveys":[{` + survey + `,"questions":["x"]}]}`:                                                                    "surveys[0].questions: must be an array of objects, is an array",
		`{"surveys":[{` + survey + `,"start_date":"soon"}]}`:                                                                  "surveys[0].start_date: must be a date-time, is a string",
		`{"surveys":[{` + survey + `,"archived":null}]}`:                                                                      "surveys[0].archived: cannot be null",
		`{"surveys":[{` + survey + `,"responses_limit":"5"}]}`:                                                                "surveys[0].responses_limit: must be an integer, is a string",
		`{"surveys":[{` + survey + `},{` + survey + `}]}`:                                                                     "surveys[1].id: another survey has it too",
		`{"surveys":[{` + survey + `},{` + strings.Replace(survey, "000a", "000b", 1) + `}]}`:                                 "surveys[1].name: another survey of project 1 has it too",
		`{"surveys":[{` + survey + `,"linked_flag_id":9}]}`:                                                                   "surveys[0].linked_flag: project 1 has no feature flag 9",
		`{"surveys":[{` + survey + `,"linked_flag_id":1,"linked_flag":{"id":2,"key":"k"}}]}`:                                  "surveys[0].linked_flag.id: differs from linked_flag_id",
		`{"surveys":[{` + survey + `,"targeting_flag":{"key":"k"}}]}`:                                                         `surveys[0].targeting_flag: needs the key "id"`,
		`{"surveys":[{` + survey + `,"targeting_flag":{"id":9}}]}`:                                                            `surveys[0].targeting_flag: needs the key "key"`,
		`{"surveys":[{` + survey + `,"targeting_flag":[]}]}`:                                                                  "surveys[0].targeting_flag: must be an object, is an array",
		`{"surveys":[{` + survey + `,"targeting_flag":{"id":9,"key":"k","active":"no"}}]}`:                                    "surveys[0].targeting_flag.active: must be a boolean, is a string",
		`{"surveys":[{` + survey + `,"targeting_flag_filters":{"groups":[]}}]}`:                                               "surveys[0].targeting_flag_filters: is for requests only; a flag goes into targeting_flag",
		`{"surveys":[{` + survey + `,"linked_flag":{"id":5,"key":"b"}}],"feature_flags":[{"id":5,"project_id":1,"key":"a"}]}`: "surveys[0].linked_flag.key: differs from what feature_flags or an earlier survey says about the same id",
		`{"projects":[{"id":1},{"id":2}],"surveys":[{` + survey + `,"linked_flag":{"id":5,"key":"a"}}],"feature_flags":[{"id":5,"project_id":2,"key":"a"}]}`: "surveys[0].linked_flag.id: flag 5 belongs to project 2",
		`{"pipeline_import_apps":[{"id":1,"name":"a"}]}`:                                                                      `pipeline_import_apps[0]: needs the key "organization_id"`,
		`{"pipeline_import_apps":[{"organization_id":"` + otherOrganization + `","id":1,"name":"a"}]}`:                        "pipeline_import_apps[0].organization_id: there is no organization " + otherOrganization,
		`{"pipeline_import_apps":[{"organization_id":"` + testserver.DefaultOrganizationID + `","id":1,"name":"a","tag":1}]}`: "pipeline_import_apps[0].tag: must be a string, is a number",
		`{"responses":[{"survey_id":"019b0000-0000-7000-8000-00000000000c","count":1}]}`:                                      "responses[0].survey_id: there is no survey 019b0000-0000-7000-8000-00000000000c; answers to a deleted one need a project_id",
		`{"responses":[{"survey_id":"019b0000-0000-7000-8000-00000000000c","count":-1,"project_id":1}]}`:                      "responses[0].count: must not be below 0, is -1",
		"{\"projects\":[{\"id\":1,\"name\":\"\xff\"}]}":                                                                       "projects[0]: is not UTF-8",
	} {
		err := srv.Server.SetFixtures(strings.NewReader(document))
		if assert.Error(t, err, document) {
			assert.Equal(t, "fixtures: "+complaint, err.Error(), document)
			assert.NotContains(t, err.Error(), "phx_secret")
		}

		c.put(control+"fixtures", document).fails(http.StatusBadRequest, "invalid_input", "", "fixtures: "+complaint)
		require.Equal(t, before, srv.Dump(), "a wrong document leaves the store as it is: %s", document)

		_, err = testserver.New(testserver.Options{Fixtures: strings.NewReader(document)})
		assert.Error(t, err)
	}
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
	assert.Equal(t, start, srv.Dump(), "the first reset handed out the store of the start itself")

	srv.SetFixtures(`{}`)
	srv.Reset()
	assert.Equal(t, start, srv.Dump())
}

// A fixture is refused, with the path, when the id of a nested object has a wrong type.
func TestFixturesRefuseNestedIDsOfAWrongType(t *testing.T) {
	t.Parallel()
	const survey = `{"surveys":[{"project_id":1,"id":"019b0000-0000-7000-8000-000000000001","name":"S","type":"api",`
	for document, complaint := range map[string]string{
		survey + `"targeting_flag":{"id":"7","key":"k"}}]}`:                           `surveys[0].targeting_flag.id: must be an integer, is a string`,
		survey + `"internal_targeting_flag":{"id":[7],"key":"k"}}]}`:                  `surveys[0].internal_targeting_flag.id: must be an integer above 0, is [7]`,
		survey + `"linked_flag":{"id":7,"key":"k","team_id":"x"}}]}`:                  `surveys[0].linked_flag.team_id: must be an integer, is a string`,
		survey + `"linked_flag":{"id":7,"key":"k","team_id":1.5}}]}`:                  `surveys[0].linked_flag.team_id: must be an integer, is a number`,
		survey + `"created_by":{"id":"7"}}]}`:                                         `surveys[0].created_by.id: must be an integer, is a string`,
		`{"feature_flags":[{"id":1,"project_id":1,"key":"k","created_by_id":"one"}]}`: `feature_flags[0].created_by_id: must be an integer, is a string`,
	} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			_, err := testserver.New(testserver.Options{Profile: profile, Fixtures: strings.NewReader(document)})
			require.EqualError(t, err, "fixtures: "+complaint, profile)
		}
	}
}

// A dump with persons and events gives the same dump again, in both profiles, and in a world.
func TestDumpOfEvents(t *testing.T) {
	t.Parallel()
	fixtures := observed(`null`,
		event(ran, "survey shown", "2026-02-02T01:00:00+01:00", by("ann", `"$survey_id":"`+ran+`","nested":{"a":[1]}`)),
		event(ran, "survey sent", "2026-02-02T00:00:00.123456Z", `"uuid":"019b0000-0000-7000-8000-0000000000a1","archived":true,`+by("ann", ``)),
		event(archived, "survey dismissed", "2026-02-02T00:00:00Z", `"count":3`),
		`{"survey_id":"`+ran+`","event":"survey abandoned","distinct_id":"now"}`,
		`{"survey_id":"019b0000-0000-7000-8000-000000000009","project_id":1,"event":"survey sent","distinct_id":"gone","at":null}`,
	)
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		srv := testserver.Start(t, testserver.Options{Profile: profile, Fixtures: strings.NewReader(fixtures), Worlds: true})
		dump := srv.Dump()
		for _, line := range []string{
			`{"project_id":1,"distinct_ids":["ann","ann-phone"],"properties":{"plan":"pro"}}`,
			`"survey_id":"` + ran + `","event":"survey shown","at":"2026-02-02T00:00:00Z","distinct_id":"ann","properties":{"$survey_id":"` + ran + `","nested":{"a":[1]}}}`,
			`{"uuid":"019b0000-0000-7000-8000-0000000000a1","project_id":1,"survey_id":"` + ran + `","event":"survey sent","at":"2026-02-02T00:00:00.123456Z","distinct_id":"ann","properties":{},"archived":true}`,
			`"event":"survey dismissed","at":"2026-02-02T00:00:00Z","count":3,"properties":{}}`,
			`"event":"survey abandoned","at":"2026-03-01T00:00:00Z","distinct_id":"now"`,
		} {
			assert.Contains(t, dump, line, profile)
		}

		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump(), profile)
		world, err := srv.Server.World("a")
		require.NoError(t, err)
		var copied strings.Builder
		require.NoError(t, world.Dump(&copied))
		assert.Equal(t, dump, copied.String(), profile)

		counts := call(t, srv).get(surveys + "responses_count/").is(http.StatusOK).body
		assert.JSONEq(t, `{"`+ran+`":1,"019b0000-0000-7000-8000-000000000009":1}`, counts, profile)
	}
}

func TestFixturesRefuseEvents(t *testing.T) {
	t.Parallel()
	const in = `"survey_id":"` + ran + `","event":"survey sent"`
	for events, complaint := range map[string]string{
		`{"event":"survey sent","distinct_id":"a"}`:              `events[0]: needs a survey_id, or a project_id, a distinct_id and an event that are not empty`,
		`{"project_id":9,"event":"$pageview","distinct_id":"a"}`: `events[0].project_id: there is no project 9`,
		`{"project_id":1,"event":"$pageview","count":2}`:         `events[0]: needs a survey_id, or a project_id, a distinct_id and an event that are not empty`,
		`{` + in + `}`: `events[0]: needs one of the keys "distinct_id" and "count"`,
		`{` + in + `,"distinct_id":"a","count":2}`:                                                            `events[0]: needs one of the keys "distinct_id" and "count"`,
		`{` + in + `,"distinct_id":""}`:                                                                       `events[0].distinct_id: must not be empty`,
		`{` + in + `,"count":0}`:                                                                              `events[0].count: must be above 0, is 0`,
		`{` + in + `,"distinct_id":"a","at":"soon"}`:                                                          `events[0].at: must be a date-time, is "soon"`,
		`{` + in + `,"distinct_id":"a","properties":[]}`:                                                      `events[0].properties: must be an object, is an array`,
		`{` + in + `,"distinct_id":"a","properties":{"$survey_id":"x"}}`:                                      `events[0].properties.$survey_id: differs from survey_id`,
		`{` + in + `,"distinct_id":"a","time":"x"}`:                                                           `events[0].time: unknown key; there are uuid, project_id, survey_id, event, at, distinct_id, count, properties, archived`,
		`{"survey_id":"` + ran + `","event":"survey seen","distinct_id":"a"}`:                                 `events[0].event: must be one of ["survey shown" "survey dismissed" "survey sent" "survey abandoned"], is "survey seen"`,
		`{` + in + `,"distinct_id":"a"},{` + in + `,"distinct_id":"a","project_id":2}`:                        `events[1].project_id: survey ` + ran + ` belongs to project 1`,
		`{"survey_id":"019b0000-0000-7000-8000-00000000000c","event":"survey sent","distinct_id":"a"}`:        `events[0].survey_id: there is no survey 019b0000-0000-7000-8000-00000000000c; events of a deleted one need a project_id`,
		`{"survey_id":"019b0000-0000-7000-8000-00000000000c","event":"survey sent","count":1,"project_id":9}`: `events[0].project_id: there is no project 9`,
	} {
		_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(observed(`null`, events))})
		require.EqualError(t, err, "fixtures: "+complaint, events)
	}

	for persons, complaint := range map[string]string{
		`{"distinct_ids":["a"]}`:                                                          `persons[0]: needs the key "project_id"`,
		`{"project_id":1,"distinct_ids":[]}`:                                              `persons[0].distinct_ids: must not be empty`,
		`{"project_id":1,"distinct_ids":["a",""]}`:                                        `persons[0].distinct_ids[1]: must not be empty`,
		`{"project_id":1,"distinct_ids":["a","a"]}`:                                       `persons[0].distinct_ids[1]: is there twice`,
		`{"project_id":1,"distinct_ids":[1]}`:                                             `persons[0].distinct_ids[0]: must be a string, is a number`,
		`{"project_id":1,"distinct_ids":["a"],"properties":1}`:                            `persons[0].properties: must be an object, is a number`,
		`{"project_id":9,"distinct_ids":["a"]}`:                                           `persons[0].project_id: there is no project 9`,
		`{"project_id":1,"distinct_ids":["a"]},{"project_id":1,"distinct_ids":["b","a"]}`: `persons[1].distinct_ids[1]: another person of project 1 has it too`,
	} {
		_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(`{"persons":[` + persons + `]}`)})
		require.EqualError(t, err, "fixtures: "+complaint, persons)
	}
}
