package testserver_test

import (
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/posthogjs"
)

// The scripts are those of the npm package, byte for byte, under each of the paths by which
// posthog-js and its snippet ask for them.
func TestScriptsAreServed(t *testing.T) {
	t.Parallel()
	version := posthogjs.Version()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for _, name := range []string{"array.js", "surveys.js"} {
			file, err := fs.ReadFile(posthogjs.Files(), name)
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

// Browsers ask each time whether a script is the same, and never again for the very version.
func TestCachesOfScripts(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		a := c.get("/static/surveys.js").is(http.StatusOK)
		assert.Equal(t, "no-cache", a.header.Get("Cache-Control"))
		again := c.with("If-None-Match", a.header.Get("ETag"))
		assert.Empty(t, again.get("/static/surveys.js").is(http.StatusNotModified).body)
		// The warning is for this version alone, so the file is another one.
		again.get("/static/surveys.js?v=1.2.3").is(http.StatusOK)

		fixed := c.get("/static/" + posthogjs.Version() + "/surveys.js").is(http.StatusOK)
		assert.Equal(t, "public, max-age=31536000, immutable", fixed.header.Get("Cache-Control"))
	}
}

// posthog-js of another version gets the file that is here, which tells the console so.
func TestScriptsForAnotherVersion(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for _, path := range []string{"/static/1.2.3/surveys.js", "/static/surveys.js?v=1.2.3", "/static/1.2.3-beta.1/surveys.js"} {
			a := c.get(path).is(http.StatusOK)
			warning, script, _ := strings.Cut(a.body, "\n")
			assert.Regexp(t, `^console\.warn\("posthog-testserver: this is surveys\.js of posthog-js `+posthogjs.Version()+`, and the app has 1\.2\.3`, warning)
			assert.Equal(t, c.get("/static/surveys.js").body, script)
			assert.Equal(t, "no-cache", a.header.Get("Cache-Control"))
		}

		// Nothing of an address becomes part of a script.
		for _, odd := range []string{"/static/surveys.js?v=%22);alert(1)//", "/static/surveys.js?v=1.2.3%0Aalert(1)"} {
			assert.Equal(t, c.get("/static/surveys.js").body, c.get(odd).is(http.StatusOK).body)
		}
		for _, none := range []string{"/static/x.js", "/static/package.json", "/static/surveys.js.map", "/static/x/surveys.js", "/static/%2e%2e/surveys.js"} {
			a := c.get(none).is(http.StatusNotFound)
			assert.Contains(t, a.body, "posthog-testserver has of posthog-js "+posthogjs.Version(), none)
			assert.NotEmpty(t, a.header.Get("Access-Control-Allow-Origin"))
		}
	}
}

// Parts of posthog-js that the server has nothing for load, and do nothing.
func TestScriptsOfOtherParts(t *testing.T) {
	t.Parallel()
	for _, srv := range deliveringServers(t, "{}") {
		c := app(t, srv)
		for _, name := range []string{"lazy-recorder", "dead-clicks-autocapture", "web-vitals", "toolbar", "product-tours"} {
			a := c.get("/static/" + posthogjs.Version() + "/" + name + ".js").is(http.StatusOK)
			assert.Regexp(t, `^// posthog-testserver serves surveys alone`, a.body)
		}
	}
}

// The script of a project has its config inside.
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
