package testserver_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// deliveringServers returns a server for each profile. Each server serves surveys to apps.
func deliveringServers(t *testing.T, fixtures string) map[testserver.Profile]*testserver.Instance {
	t.Helper()
	servers := map[testserver.Profile]*testserver.Instance{}
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		servers[profile] = testserver.Start(t, testserver.Options{Profile: profile, Worlds: true, Delivery: true, Fixtures: strings.NewReader(fixtures)})
	}
	return servers
}

// app returns a caller that behaves like an app's page: it has another origin and no API key.
func app(t *testing.T, srv *testserver.Instance) caller {
	t.Helper()
	c := call(t, srv).undocumentedAnswers()
	c.header = http.Header{"Origin": {"http://localhost:3000"}, "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"cors"}, "Content-Type": {"text/plain"}}
	return c
}

// feed returns the surveys that an app receives, by name.
func (c caller) feed(token string) map[string]map[string]json.RawMessage {
	c.t.Helper()
	var feed struct{ Surveys []map[string]json.RawMessage }
	require.NoError(c.t, json.Unmarshal([]byte(c.get("/api/surveys/?token="+token+"&_=1").is(http.StatusOK).body), &feed))
	byName := map[string]map[string]json.RawMessage{}
	for _, s := range feed.Surveys {
		byName[string(s["name"])] = s
	}
	return byName
}

// The feed follows changes through the API: a launched survey is in it, and a stopped survey is not.
func TestFeedFollowsTheAPI(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, "{}") {
		c, api := app(t, srv), call(t, srv)
		path := api.newSurvey(`{"name":"S","type":"popover","questions":[{"type":"open","question":"Why?"}]}`)
		assert.Empty(t, c.feed("phc_test"), profile)
		api.patch(path, `{"start_date":"2026-01-01T00:00:00Z"}`).is(http.StatusOK)
		assert.Contains(t, c.feed("phc_test"), `"S"`, profile)
		assert.Contains(t, c.feed("phc_test")[`"S"`], "internal_targeting_flag_key", profile)
		api.patch(path, `{"end_date":"2026-01-02T00:00:00Z"}`).is(http.StatusOK)
		assert.Empty(t, c.feed("phc_test"), profile)
	}
}

// Pages of other origins can read every response for SDKs, but cannot use other paths.
func TestOriginsOfApps(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for _, path := range []string{"/api/surveys/?token=phc_test", "/api/surveys/", "/array/phc_test/config", "/array/a.b/config.js", "/array/none/config"} {
			a := c.get(path)
			assert.Equal(t, []string{"http://localhost:3000"}, a.header["Access-Control-Allow-Origin"], path)
			assert.Equal(t, "true", a.header.Get("Access-Control-Allow-Credentials"), path)

			a = c.with("Access-Control-Request-Headers", "content-type, x-a").do(http.MethodOptions, path, "").is(http.StatusNoContent)
			assert.Equal(t, "content-type, x-a", a.header.Get("Access-Control-Allow-Headers"), path)
			assert.Equal(t, "GET, POST, OPTIONS, HEAD", a.header.Get("Access-Control-Allow-Methods"), path)
		}
		for _, path := range []string{surveys, "/api/schema/", "/_testserver/fixtures", "/_testserver/requests", "/elsewhere", "/array/phc_test", "/api/surveys/x/"} {
			a := c.get(path)
			assert.Equal(t, http.StatusForbidden, a.status, "%s %s", profile, path)
			assert.Empty(t, a.header.Get("Access-Control-Allow-Origin"), path)
		}
		c.named("evil.example", http.MethodGet, "/api/surveys/?token=phc_test", "").is(http.StatusMisdirectedRequest)
	}
}

// A fault can select SDK requests. The journal contains these requests, but the report does not count them as
// operations.
func TestDeliveryIsJournalled(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		call(t, srv).put(control+"faults", `{"rules":[{"operation":"sdk_surveys","from":2,"to":2,"status":503}]}`).is(http.StatusNoContent)
		c.get("/api/surveys/?token=phc_test").is(http.StatusOK)
		broken := c.get("/api/surveys/?token=phc_test").is(http.StatusServiceUnavailable)
		assert.NotEmpty(t, broken.header.Get("Access-Control-Allow-Origin"))
		c.get("/array/phc_test/config").is(http.StatusOK)

		var operations []string
		for _, r := range srv.Journal() {
			operations = append(operations, r.Operation)
		}
		assert.Equal(t, []string{"sdk_surveys", "sdk_surveys", "sdk_config"}, operations)
	}
}

// A world has its own tokens. A token never creates a world, because any website can send one.
func TestTokensOfWorlds(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, `{"projects":[{"id":1},{"id":2,"api_token":"phc_two"}],"surveys":[{"id":"019b0000-0000-7000-8000-000000000011","name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z","project_id":2}]}`) {
		c := app(t, srv)
		assert.Empty(t, c.feed("phc_two_w_1"))
		assert.Empty(t, srv.Server.Worlds())

		world, err := srv.Server.World("w_1")
		require.NoError(t, err)
		assert.Equal(t, []string{"phc_test_w_1", "phc_two_w_1"}, []string{world.ProjectToken("1"), world.ProjectToken("2")})
		_, err = world.CreateSurvey(testserver.Object{"name": "own", "type": "popover", "start_date": "2025-01-01T00:00:00Z", "project_id": 1})
		require.NoError(t, err)

		assert.Contains(t, c.feed("phc_two_w_1"), `"S"`)
		assert.Contains(t, c.feed("phc_test_w_1"), `"own"`)
		assert.Empty(t, c.feed("phc_test"))
		c.get("/array/phc_two_w_1/config").is(http.StatusOK)
		assert.Len(t, world.Journal(), 3)
	}
}

func TestTokensInFixtures(t *testing.T) {
	t.Parallel()
	for fixtures, want := range map[string]string{
		`{"projects":[{"id":1,"api_token":"a"},{"id":2,"api_token":"a"}]}`: "projects[1].api_token: is already used by another project",
		`{"projects":[{"id":1,"api_token":""}]}`:                           `projects[0].api_token: "" is not valid. Use 1 to 200 letters`,
		`{"projects":[{"id":1,"api_token":"a b"}]}`:                        `projects[0].api_token: "a b" is not valid. Use 1 to 200 letters`,
	} {
		_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(fixtures)})
		require.ErrorContains(t, err, want)
	}
	srv := testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(`{"projects":[{"id":1,"api_token":"phc_one"},{"id":2}]}`)})
	assert.Equal(t, []string{"phc_one", "phc_test", ""}, []string{srv.ProjectToken("1"), srv.ProjectToken("2"), srv.ProjectToken("3")})
	dump := srv.Dump()
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())
}

// Without the option Delivery, the documented profile serves nothing to apps.
func TestDocumentedProfileDeliversOnRequest(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for _, path := range []string{"/api/surveys/?token=phc_test", "/array/phc_test/config", "/flags/?v=2"} {
		refused := app(t, srv).do(map[bool]string{true: http.MethodPost, false: http.MethodGet}[strings.HasPrefix(path, "/flags")], path, "").is(http.StatusNotFound)
		assert.Equal(t, "to serve surveys to apps, start the server with -profile hosted or -delivery", refused.body)
		assert.Equal(t, "http://localhost:3000", refused.header.Get("Access-Control-Allow-Origin"), "the response must have CORS headers, so that the browser shows the error")
	}
	assert.Len(t, srv.Journal(), 3)
	hosted := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	app(t, hosted).get("/array/phc_test/config").is(http.StatusOK)
}

// Any page may send to these paths, so a body of any encoding must not displace other bodies from the journal.
func TestBodiesOfAppsAreBounded(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		large := `{"token":"phc_test","x":"` + strings.Repeat("x", 70<<10) + `"}`
		app(t, srv).post("/api/surveys/", large).is(http.StatusRequestEntityTooLarge)

		var packed bytes.Buffer
		gz := gzip.NewWriter(&packed)
		_, err := gz.Write([]byte(large))
		require.NoError(t, err)
		require.NoError(t, gz.Close())
		app(t, srv).post("/api/surveys/", packed.String()).is(http.StatusRequestEntityTooLarge)
		for _, request := range srv.Journal() {
			assert.Less(t, len(request.Body), 70<<10)
		}
	}
}

// A recording may be large, and the journal does not store it.
func TestRecordingsAreDropped(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		app(t, srv).post("/s/", strings.Repeat("x", 5<<20)).is(http.StatusOK)
		journal := srv.Journal()
		assert.Len(t, journal, 1)
		assert.Equal(t, "sdk_other", journal[0].Operation)
		assert.JSONEq(t, "null", string(journal[0].Body))
	}
}

// The journal shows the decoded body of a compressed request.
func TestPackedBodiesInTheJournal(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		var packed bytes.Buffer
		gz := gzip.NewWriter(&packed)
		_, err := gz.Write([]byte(`{"token":"phc_test","distinct_id":"ann"}`))
		require.NoError(t, err)
		require.NoError(t, gz.Close())
		app(t, srv).post("/flags/?v=2", packed.String()).is(http.StatusOK)
		assert.JSONEq(t, `{"token":"phc_test","distinct_id":"ann"}`, string(srv.Journal()[0].Body))
	}
}

// A respondent cannot answer a question without an ID, so the server assigns an ID if it serves surveys to apps.
func TestDeliveredQuestionsHaveIDs(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, "{}") {
		c := call(t, srv)
		c.newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z","questions":[{"type":"open","question":"?"}]}`)
		assert.Regexp(t, `"id":"[0-9a-f-]{36}"`, string(app(t, srv).feed("phc_test")[`"S"`]["questions"]), profile)
	}
}

// SDKs recognize an action by its steps, so they receive the steps of the fixtures.
func TestDeliveredActionsHaveSteps(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, `{"actions":[{"id":7,"project_id":1,"name":"Bought","steps":[{"event":"paid"}]}]}`) {
		c := call(t, srv)
		conditions := `{"actions":{"values":[{"id":7}]}}`
		c.newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z","conditions":` + conditions + `}`)
		assert.JSONEq(t, `{"actions":{"values":[{"id":7,"name":"Bought","steps":[{"event":"paid"}]}]}}`,
			string(app(t, srv).feed("phc_test")[`"S"`]["conditions"]), profile)
		dump := srv.Dump()
		srv.SetFixtures(dump)
		assert.Equal(t, dump, srv.Dump(), profile)
	}
	_, err := testserver.New(testserver.Options{Fixtures: strings.NewReader(`{"actions":[{"id":7,"project_id":1,"steps":["paid"]}]}`)})
	require.EqualError(t, err, "fixtures: actions[0].steps[0]: must be an object, not a string")
}
