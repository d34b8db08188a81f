package sdk_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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

// Apps receive the surveys that were launched and not stopped, ordered by start date, with only the
// members that SDKs need.
func TestFeed(t *testing.T) {
	t.Parallel()
	for profile, srv := range deliveringServers(t, deliveryFixtures) {
		c := app(t, srv)
		body := c.get("/api/surveys/?token=" + "phc_test").is(http.StatusOK).body
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

		// One project has no surveys, and the other has opted out.
		for _, token := range []string{"phc_two", "phc_out"} {
			assert.Contains(t, c.get("/array/"+token+"/config").is(http.StatusOK).body, `"surveys":false`)
		}

		script := c.get("/array/phc_test/config.js").is(http.StatusOK)
		assert.Equal(t, "application/javascript", script.header.Get("Content-Type"))
		assert.Contains(t, script.body, `window._POSTHOG_REMOTE_CONFIG['phc_test'] = {`)
	}
}

// Responses to other requests of the SDK are empty. They have the form that SDKs expect, and app pages can read them.
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
