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

// deliveringServers are a server of each profile that serves surveys to apps.
func deliveringServers(t *testing.T, fixtures string) map[testserver.Profile]*testserver.Instance {
	t.Helper()
	servers := map[testserver.Profile]*testserver.Instance{}
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		servers[profile] = testserver.Start(t, testserver.Options{Profile: profile, Worlds: true, Delivery: true, Fixtures: strings.NewReader(fixtures)})
	}
	return servers
}

// app returns a caller as the page of an app is one: of another origin, without a key.
func app(t *testing.T, srv *testserver.Instance) caller {
	t.Helper()
	c := call(t, srv).undocumentedAnswers()
	c.header = http.Header{"Origin": {"http://localhost:3000"}, "Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"cors"}, "Content-Type": {"text/plain"}}
	return c
}

// feed are the surveys that an app gets, by name.
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

const deliveryFixtures = `{"feature_flags":[{"id":5,"project_id":1,"key":"beta"}],"actions":[{"id":7,"project_id":1,"name":"Bought"}],"surveys":[
	{"id":"019b0000-0000-7000-8000-000000000001","project_id":1,"name":"late","type":"popover","start_date":"2026-01-01T00:00:00Z","linked_flag_id":5,
		"questions":[{"type":"open","question":"<b>Why</b><script>x</script>","isNpsQuestion":true}],
		"conditions":{"url":"shop","actions":{"values":[{"id":7}]}},"description":"inside","base_language":"en",
		"translations":{"de_DE":{"name":"spät","description":"innen"},"EN":{"name":"late"},"default":{"name":"x"}}},
	{"id":"019b0000-0000-7000-8000-000000000002","project_id":1,"name":"early","type":"widget","start_date":"2025-01-01T00:00:00Z"},
	{"id":"019b0000-0000-7000-8000-000000000003","project_id":1,"name":"to come","type":"popover","start_date":"2040-01-01T00:00:00Z"},
	{"id":"019b0000-0000-7000-8000-000000000004","project_id":1,"name":"draft","type":"popover"},
	{"id":"019b0000-0000-7000-8000-000000000005","project_id":1,"name":"stopped","type":"popover","start_date":"2025-01-01T00:00:00Z","end_date":"2025-02-01T00:00:00Z"},
	{"id":"019b0000-0000-7000-8000-000000000006","project_id":1,"name":"archived","type":"popover","start_date":"2025-01-01T00:00:00Z","archived":true},
	{"id":"019b0000-0000-7000-8000-000000000007","project_id":1,"name":"external","type":"external_survey","start_date":"2025-01-01T00:00:00Z"}]}`

// Apps get the surveys that were launched and not stopped, in the order of their start, with what
// SDKs need of them and nothing else.
func TestFeed(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, deliveryFixtures) {
		c := app(t, srv)
		body := c.get("/api/surveys/?token=" + srv.ProjectToken(srv.ProjectID)).is(http.StatusOK).body
		var feed struct{ Surveys []struct{ Name string } }
		require.NoError(t, json.Unmarshal([]byte(body), &feed))
		assert.Equal(t, []struct{ Name string }{{"early"}, {"late"}, {"to come"}}, feed.Surveys, profile)

		late := c.feed("phc_test")[`"late"`]
		assert.JSONEq(t, `"beta"`, string(late["linked_flag_key"]), profile)
		assert.NotContains(t, late, "targeting_flag_key", profile)
		for _, name := range []string{"description", "base_language", "archived", "responses_limit", "linked_flag", "feature_flag_keys", "created_by"} {
			assert.NotContains(t, late, name, profile)
		}
		assert.NotContains(t, string(late["questions"]), "isNpsQuestion", profile)
		assert.NotContains(t, string(late["questions"]), "script", profile)
		assert.JSONEq(t, `{"url":"shop","actions":{"values":[{"id":7,"name":"Bought","steps":[]}]}}`, string(late["conditions"]), profile)
		assert.JSONEq(t, `{"de-de":{"name":"spät"}}`, string(late["translations"]), profile)
		assert.NotContains(t, c.feed("phc_test")[`"early"`], "translations", profile)
	}
}

// What an app is given follows what is done by the API: launched, it is there; stopped, it is gone.
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

func TestTokensOfTheFeed(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, `{"surveys":[{"id":"019b0000-0000-7000-8000-000000000008","project_id":1,"name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z"}]}`) {
		c := app(t, srv)
		assert.Equal(t, "Token not provided", c.get("/api/surveys/").is(http.StatusUnauthorized).body)
		for _, odd := range []string{"a.b", "%3Cscript%3E", strings.Repeat("a", 201), "%00", "%ff"} {
			c.get("/api/surveys/?token=" + odd).is(http.StatusBadRequest)
			c.get("/array/" + odd + "/config").is(http.StatusBadRequest)
		}
		assert.JSONEq(t, `{"surveys":[]}`, c.get("/api/surveys/?token=phc_other").is(http.StatusOK).body)
		c.get("/array/phc_other/config").is(http.StatusNotFound)
		c.get("/array/phc_other/config.js").is(http.StatusNotFound)

		for _, body := range []string{"token=phc_test", `{"api_key":"phc_test"}`} {
			assert.Contains(t, c.post("/api/surveys/", body).is(http.StatusOK).body, `"name":"S"`)
		}
		assert.Contains(t, c.get("/api/surveys?api_key=phc_test").is(http.StatusOK).body, `"name":"S"`)
		c.delete("/api/surveys/").is(http.StatusMethodNotAllowed)
	}
}

func TestRemoteConfig(t *testing.T) {
	t.Parallel()
	fixtures := `{"projects":[{"id":1},{"id":2,"api_token":"phc_two"},{"id":3,"api_token":"phc_out","surveys_opt_in":false}],"surveys":[
		{"id":"019b0000-0000-7000-8000-000000000009","name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z","project_id":1},
		{"id":"019b0000-0000-7000-8000-000000000010","name":"S","type":"popover","start_date":"2025-01-01T00:00:00Z","project_id":3}]}`
	for _, srv := range deliveringServers(t, fixtures) {
		c := app(t, srv)
		var config struct {
			Surveys []struct{ Name string }
		}
		a := c.get("/array/phc_test/config").is(http.StatusOK)
		require.NoError(t, json.Unmarshal([]byte(a.body), &config))
		assert.Equal(t, []struct{ Name string }{{"S"}}, config.Surveys)
		assert.Equal(t, "public, max-age=300", a.header.Get("Cache-Control"))

		// There are no surveys, and the project has opted out.
		for _, token := range []string{"phc_two", "phc_out"} {
			assert.Contains(t, c.get("/array/"+token+"/config").is(http.StatusOK).body, `"surveys":false`)
		}

		script := c.get("/array/phc_test/config.js").is(http.StatusOK)
		assert.Equal(t, "application/javascript", script.header.Get("Content-Type"))
		assert.Contains(t, script.body, `window._POSTHOG_REMOTE_CONFIG['phc_test'] = {`)
	}
}

// Pages of other origins may read every response, and no other path is open to them.
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

// A fault hits what SDKs ask for, which is in the journal and no operation of the report.
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

// A world has tokens of its own. A token alone makes no world: any web site can send one.
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
		`{"projects":[{"id":1,"api_token":"a"},{"id":2,"api_token":"a"}]}`: "projects[1].api_token: another project has it too",
		`{"projects":[{"id":1,"api_token":""}]}`:                           "projects[0].api_token: must be 1 to 200 letters",
		`{"projects":[{"id":1,"api_token":"a b"}]}`:                        "projects[0].api_token: must be 1 to 200 letters",
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

// Without the option, the documented interface has none of it.
func TestDocumentedProfileDeliversOnRequest(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	for _, path := range []string{"/api/surveys/?token=phc_test", "/array/phc_test/config", "/flags/?v=2"} {
		refused := app(t, srv).do(map[bool]string{true: http.MethodPost, false: http.MethodGet}[strings.HasPrefix(path, "/flags")], path, "").is(http.StatusNotFound)
		assert.Equal(t, "surveys are served to apps with -profile hosted or -delivery", refused.body)
		assert.Equal(t, "http://localhost:3000", refused.header.Get("Access-Control-Allow-Origin"), "the browser shows it")
	}
	assert.Len(t, srv.Journal(), 3)
	hosted := testserver.Start(t, testserver.Options{Profile: testserver.Hosted})
	app(t, hosted).get("/array/phc_test/config").is(http.StatusOK)
}

// Any page may send to these paths, so a body cannot drive others out of the journal, in any
// of its forms.
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

// What SDKs ask for beside surveys is empty, of the shape that they read, and open to their pages.
func TestPartsWithoutContents(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for path, want := range map[string]string{
			"/api/product_tours/?token=phc_test":                        `{"product_tours":[]}`,
			"/api/web_experiments/?token=phc_test":                      `{"experiments":[]}`,
			"/api/early_access_features/?token=phc_test&stage=beta":     `{"earlyAccessFeatures":[]}`,
			"/api/early_access_features/?token=phc_other":               `{"earlyAccessFeatures":[]}`,
			"POST /i/v1/logs?token=phc_test":                            `{}`,
			"POST /i/v1/metrics?token=phc_test":                         `{}`,
			"POST /s/?compression=gzip-js&ver=1.449.2&_=1767225600000":  `{"status":1}`,
			"POST /s/?ip=0&_=1767225600000&ver=1.449.2&beacon=1&retry=": `{"status":1}`,
		} {
			method := http.MethodGet
			if rest, ok := strings.CutPrefix(path, "POST "); ok {
				method, path = http.MethodPost, rest
			}
			a := c.do(method, path, map[string]string{http.MethodPost: "\x1f\x8b not really"}[method]).is(http.StatusOK)
			assert.JSONEq(t, want, a.body, path)
			assert.Equal(t, "http://localhost:3000", a.header.Get("Access-Control-Allow-Origin"), path)
			c.do(http.MethodOptions, path, "").is(http.StatusNoContent)
		}
		for _, path := range []string{"/api/product_tours/", "/api/web_experiments/", "/api/early_access_features/"} {
			c.get(path).is(http.StatusUnauthorized)
		}
		c.get("/s/").is(http.StatusMethodNotAllowed)
	}
}

// A recording may be large, and is not kept.
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

// What an SDK sends packed can be read in the journal.
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

// A question without an id cannot be answered, so it is given one wherever surveys are served to
// apps.
func TestDeliveredQuestionsHaveIDs(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, "{}") {
		c := call(t, srv)
		c.newSurvey(`{"name":"S","type":"popover","start_date":"2026-01-01T00:00:00Z","questions":[{"type":"open","question":"?"}]}`)
		assert.Regexp(t, `"id":"[0-9a-f-]{36}"`, string(app(t, srv).feed("phc_test")[`"S"`]["questions"]), profile)
	}
}

// SDKs know an action by its steps, which the fixtures have.
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
	require.EqualError(t, err, "fixtures: actions[0].steps[0]: must be an object, is a string")
}
