package testserver_test

import (
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/web"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const (
	externalSurvey = "019b0000-0000-7000-8000-00000000000e"
	// externalFixtures contain external surveys in each state, and a survey of another type.
	externalFixtures = `{"clock":"2026-06-01T12:00:00Z","surveys":[
	{"id":"` + externalSurvey + `","project_id":1,"name":"</script><b>Name</b>","type":"external_survey","start_date":"2026-01-01T00:00:00Z",
		"appearance":{"backgroundColor":"#123456"},"questions":[{"type":"open","question":"Why?\u2028</script>"}]},
	{"id":"019b0000-0000-7000-8000-0000000000e1","project_id":1,"name":"draft","type":"external_survey"},
	{"id":"019b0000-0000-7000-8000-0000000000e2","project_id":1,"name":"to come","type":"external_survey","start_date":"2026-06-02T00:00:00Z"},
	{"id":"019b0000-0000-7000-8000-0000000000e3","project_id":1,"name":"stopped","type":"external_survey","start_date":"2026-01-01T00:00:00Z","end_date":"2026-02-01T00:00:00Z"},
	{"id":"019b0000-0000-7000-8000-0000000000e4","project_id":1,"name":"archived","type":"external_survey","start_date":"2026-01-01T00:00:00Z","archived":true},
	{"id":"019b0000-0000-7000-8000-0000000000e5","project_id":1,"name":"popover","type":"popover","start_date":"2026-01-01T00:00:00Z"}]}`
)

// The page of an external survey exists while the survey takes answers.
func TestSurveyPage(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, externalFixtures) {
		c := call(t, srv).undocumentedAnswers()
		a := c.get("/external_surveys/" + externalSurvey + "/").is(http.StatusOK)
		assert.Equal(t, "text/html; charset=utf-8", a.header.Get("Content-Type"))
		assert.Equal(t, "no-referrer", a.header.Get("Referrer-Policy"))
		assert.Equal(t, "DENY", a.header.Get("X-Frame-Options"))
		policy := a.header.Get("Content-Security-Policy")
		assert.True(t, strings.HasPrefix(policy, "sandbox allow-scripts allow-forms allow-popups; "), policy)
		assert.NotContains(t, policy, "allow-same-origin")

		// The page escapes texts of the survey.
		assert.Contains(t, a.body, "<h1>&lt;/script&gt;&lt;b&gt;Name&lt;/b&gt;</h1>")
		assert.Equal(t, 4, strings.Count(a.body, "</script>"))
		assert.Contains(t, a.body, `"token":"phc_test"`)

		for id, want := range map[string]string{
			"e1": "Feels quiet in here", "e2": "Feels quiet in here", "e3": "Feels quiet in here", "e4": "Feels quiet in here", "e5": "Feels quiet in here",
			"ff": "Survey not available",
		} {
			a := c.get("/external_surveys/019b0000-0000-7000-8000-0000000000" + id + "/").is(http.StatusNotFound)
			assert.Contains(t, a.body, want, id)
			assert.Equal(t, policy, a.header.Get("Content-Security-Policy"), id)
		}
		assert.Contains(t, c.get("/external_surveys/x/").is(http.StatusBadRequest).body, "Invalid request")
		assert.Empty(t, app(t, srv).do(http.MethodOptions, "/external_surveys/x/", "").is(http.StatusNoContent).body)
		// The page has an opaque origin, so all its requests are cross-origin.
		page := c.with("Origin", "null").with("Sec-Fetch-Site", "cross-site")
		assert.Equal(t, "null", page.get("/static/array.full.js").is(http.StatusOK).header.Get("Access-Control-Allow-Origin"))
	}
}

// A frame may show the page of a survey that allows this, in the language of the URL.
func TestSurveyPageWithinAnother(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t, testserver.Options{Profile: testserver.Hosted, Fixtures: strings.NewReader(externalFixtures)})
	c := call(t, srv).undocumentedAnswers()
	call(t, srv).patch(surveys+externalSurvey+"/", `{"enable_iframe_embedding":true}`).is(http.StatusOK)
	a := c.get("/external_surveys/" + externalSurvey + "/?embed=true&display_language=de_DE").is(http.StatusOK)
	assert.Empty(t, a.header.Get("X-Frame-Options"))
	assert.Contains(t, a.body, `<html lang="de-de" class="embedded">`)
	assert.NotContains(t, a.body, "<h1>")
	odd := c.get("/external_surveys/" + externalSurvey + `/?display_language=%22><b>`).is(http.StatusOK)
	assert.Contains(t, odd.body, `<html lang="en">`)
}

// The page belongs to the world that contains the survey, or to the world in the URL.
func TestSurveyPageOfWorld(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, externalFixtures) {
		world, err := srv.Server.World("w_1")
		require.NoError(t, err)
		created, err := world.CreateSurvey(testserver.Object{
			"name": "own", "type": "external_survey", "start_date": "2026-01-01T00:00:00Z", "project_id": 1,
		})
		require.NoError(t, err)
		id := created["id"].(string)

		c := call(t, srv).undocumentedAnswers()
		assert.Contains(t, c.get("/external_surveys/"+id+"/").is(http.StatusOK).body, `"token":"phc_test_w_1"`)
		assert.Contains(t, c.get("/external_surveys/"+externalSurvey+"/").is(http.StatusOK).body, `"token":"phc_test"`)
		assert.Contains(t, c.get("/external_surveys/"+externalSurvey+"/?world=w_1").is(http.StatusOK).body, `"token":"phc_test_w_1"`)
		assert.Len(t, world.Journal(), 2)
		assert.Equal(t, "sdk_survey_page", world.Journal()[0].Operation)
	}
}

// The scripts equal the npm package's scripts, byte for byte, under each path from which posthog-js and its snippet
// load them.
func TestScriptsAreServed(t *testing.T) {
	t.Parallel()
	version := web.PosthogJSVersion()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for _, name := range []string{"array.js", "surveys.js"} {
			file, err := fs.ReadFile(web.PosthogJS(), name)
			require.NoError(t, err)
			for _, path := range []string{"/static/" + name, "/static/" + name + "?v=" + version, "/static/" + version + "/" + name, "/static/1/" + name} {
				a := c.get(path).is(http.StatusOK)
				assert.Equal(t, string(file), a.body, path)
				assert.Equal(t, "application/javascript; charset=utf-8", a.header.Get("Content-Type"), path)
				assert.Equal(t, "http://localhost:3000", a.header.Get("Access-Control-Allow-Origin"), path)
			}
		}

		full := c.get("/static/array.full.js").is(http.StatusOK).body
		for _, part := range []string{"array.js", "surveys.js"} {
			assert.Contains(t, full, c.get("/static/"+part).body)
		}
		licence := c.get("/static/LICENSE.posthog-js.txt").is(http.StatusOK)
		assert.Contains(t, licence.body, "Licensed under the Apache License")
		assert.Equal(t, "text/plain; charset=utf-8", licence.header.Get("Content-Type"))
	}
}

// Browsers revalidate a script on each use, except below the path of the embedded version.
func TestCachesOfScripts(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		a := c.get("/static/surveys.js").is(http.StatusOK)
		assert.Equal(t, "no-cache", a.header.Get("Cache-Control"))
		again := c.with("If-None-Match", a.header.Get("ETag"))
		assert.Empty(t, again.get("/static/surveys.js").is(http.StatusNotModified).body)

		fixed := c.get("/static/" + web.PosthogJSVersion() + "/surveys.js").is(http.StatusOK)
		assert.Equal(t, "public, max-age=31536000, immutable", fixed.header.Get("Cache-Control"))
	}
}

// posthog-js of another version receives the embedded files. Unknown files do not exist.
func TestScriptsForAnotherVersion(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for _, path := range []string{"/static/1.2.3/surveys.js", "/static/surveys.js?v=1.2.3", "/static/1.2.3-beta.1/surveys.js"} {
			a := c.get(path).is(http.StatusOK)
			assert.Equal(t, c.get("/static/surveys.js").body, a.body)
			assert.Equal(t, "no-cache", a.header.Get("Cache-Control"))
		}

		for _, none := range []string{"/static/x.js", "/static/package.json", "/static/surveys.js.map", "/static/x/surveys.js", "/static/%2e%2e/surveys.js"} {
			a := c.get(none).is(http.StatusNotFound)
			assert.Contains(t, a.body, "posthog-testserver contains these files of posthog-js "+web.PosthogJSVersion(), none)
			assert.NotEmpty(t, a.header.Get("Access-Control-Allow-Origin"))
		}
	}
}

// Parts of posthog-js that the server does not implement load, and do nothing.
func TestScriptsOfOtherParts(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for _, name := range []string{"lazy-recorder", "dead-clicks-autocapture", "web-vitals", "toolbar", "product-tours"} {
			a := c.get("/static/" + web.PosthogJSVersion() + "/" + name + ".js").is(http.StatusOK)
			assert.Regexp(t, `^// posthog-testserver serves surveys only`, a.body)
		}
	}
}

// The script of a project contains the project's config.
func TestScriptOfProject(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		a := c.get("/array/phc_test/array.js").is(http.StatusOK)
		assert.Contains(t, a.body, "window._POSTHOG_REMOTE_CONFIG['phc_test']")
		assert.Contains(t, a.body, c.get("/static/array.js").body)
		c.get("/array/phc_other/array.js").is(http.StatusNotFound)
	}
}
