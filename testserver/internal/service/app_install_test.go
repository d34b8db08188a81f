package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
)

// sources are fixtures with code at some URLs.
const sources = `{"organizations":[{"id":"` + fixtures.DefaultOrganizationID + `"},{"id":"` + otherOrganization + `"}],
"app_sources":[
{"url":"https://github.com/o/full/","tag":"abc","plugin_json":{"name":"Full","description":"From the code","icon":"i.png",
 "config":[{"key":"token","secret":true}],"publicJobs":{"run":{}},"main":"index.js"}},
{"url":"https://github.com/o/empty","plugin_json":null},
{"url":"https://github.com/o/nameless","plugin_json":{"description":"d"}},
{"url":"https://github.com/o/stateless","plugin_json":{"name":"Stateless","stateless":true,"config":[]}},
{"url":"https://github.com/o/configured","plugin_json":{"name":"C","stateless":true,"config":[{"key":"k"}]}}],
"pipeline_import_apps":[{"organization_id":"` + otherOrganization + `","id":1,"name":"theirs","url":"https://github.com/o/taken?private_token=t"}]}`

const newest = `"0123456789abcdef0123456789abcdef01234567"`

// The server completes a request for a new app from the app's URL.
func TestHostedInstall(t *testing.T) {
	t.Parallel()

	for _, row := range []struct {
		name, body string
		want       map[string]string
	}{
		{
			"5 field name: from plugin.json", `{"url":"https://github.com/o/full","name":"mine","description":"mine","icon":"mine","tag":"mine","config_schema":{},"public_jobs":null,"metrics":{"m":"sum"}}`,
			map[string]string{
				"name": `"Full"`, "description": `"From the code"`, "icon": `"i.png"`, "tag": `"abc"`, "latest_tag": `"abc"`, "plugin_type": `"custom"`,
				"config_schema": `[{"key":"token","secret":true}]`, "public_jobs": `{"run":{}}`, "metrics": `{"m":"sum"}`, "url": `"https://github.com/o/full"`,
			},
		},
		{
			"5 field description: none in plugin.json", `{"url":"https://github.com/o/plain","name":"mine","description":"mine","config_schema":{"k":{}}}`,
			map[string]string{"name": `"plain"`, "description": `""`, "icon": `null`, "tag": newest, "config_schema": `[]`, "public_jobs": `{}`, "capabilities": `{}`},
		},
		{"5 field plugin_type: custom", `{"url":"https://github.com/o/r","plugin_type":"custom"}`, map[string]string{"plugin_type": `"custom"`}},
		{"5 field plugin_type: repository stays", `{"url":"https://github.com/o/r","plugin_type":"repository"}`, map[string]string{"plugin_type": `"repository"`}},
		{"5 field plugin_type: local becomes custom", `{"url":"https://github.com/o/r","plugin_type":"local"}`, map[string]string{"plugin_type": `"custom"`}},
		{"5 field plugin_type: inline becomes custom", `{"url":"https://github.com/o/r","plugin_type":"inline"}`, map[string]string{"plugin_type": `"custom"`}},
		{"5 field plugin_type: null becomes custom", `{"url":"https://github.com/o/r","plugin_type":null}`, map[string]string{"plugin_type": `"custom"`}},
		{"D1 url: as sent, a branch", `{"url":"https://github.com/o/r/tree/main/apps/one?private_token=t"}`, map[string]string{"url": `"https://github.com/o/r/tree/main/apps/one"`}},
		{"D1 url: as sent, a package", `{"url":"https://www.npmjs.com/package/@o/r/v/1.0.0"}`, map[string]string{"url": `"https://www.npmjs.com/package/@o/r/v/1.0.0"`}},
		{"D1 url: as sent, a GitLab project", `{"url":"https://gitlab.com/a/b/r/-/tree/main"}`, map[string]string{"url": `"https://gitlab.com/a/b/r/-/tree/main"`}},
		{"D1 url: below one that is installed", `{"url":"https://github.com/o/taken/tree/main?private_token=t"}`, map[string]string{"url": `"https://github.com/o/taken/tree/main"`}},
		{"D2 url: blank with source reads null", `{"plugin_type":"source","url":""}`, map[string]string{"url": `null`}},
		{"D2 url: a number with source", `{"plugin_type":"source","url":5}`, map[string]string{"url": `"5"`}},
		{"C61 stateless without a config", `{"url":"https://github.com/o/stateless"}`, map[string]string{"name": `"Stateless"`}},
		{"5 field url: shown without its query", `{"url":"https://github.com/o/r?private_token=t&b=c"}`, map[string]string{"url": `"https://github.com/o/r"`, "tag": newest}},
		{"5 field url: as it is with source", `{"plugin_type":"source","url":"anything?token=t","name":"mine"}`, map[string]string{"url": `"anything"`, "name": `"mine"`, "tag": `null`}},
		{"5 field url: null with source", `{"plugin_type":"source","url":null}`, map[string]string{"url": `null`}},
		{"5 field tag: commit", `{"url":"https://github.com/o/r/commit/deadbeef"}`, map[string]string{"tag": `"deadbeef"`, "name": `"r"`}},
		{"5 field tag: branch", `{"url":"https://www.github.com/o/r/tree/main/apps/one"}`, map[string]string{"tag": newest, "name": `"r"`}},
		{"5 field tag: tree of a commit", `{"url":"https://github.com/o/r/tree/aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"}`, map[string]string{"tag": `"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd"`}},
		{"5 field tag: release", `{"url":"https://github.com/o/r/releases/tag/v1.2"}`, map[string]string{"tag": `"refs/tags/v1.2"`}},
		{"5 field tag: archive", `{"url":"https://github.com/o/r/archive/v1.2.tar.gz"}`, map[string]string{"tag": `"v1.2"`}},
		{"5 field tag: npm", `{"url":"https://www.npmjs.com/package/@scope/app/v/1.0.0"}`, map[string]string{"tag": `"1.0.0"`, "name": `"@scope/app"`}},
		{"5 field tag: gitlab", `{"url":"https://gitlab.com/group/sub/app/-/tree/v2"}`, map[string]string{"tag": `"v2"`, "name": `"app"`}},
		{"0 hog_function_migration_available is a boolean", `{"url":"https://github.com/PostHog/hubspot-plugin"}`, map[string]string{"hog_function_migration_available": `true`}},
		{"5 field hog_function_migration_available: with a query", `{"url":"https://github.com/PostHog/hubspot-plugin?private_token=t"}`, map[string]string{"hog_function_migration_available": `false`}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := startHosted(t, sources)

			created := c.post(apps, row.body).is(http.StatusCreated)
			for field, want := range row.want {
				assert.Equal(t, want, created.raw(field), field)
			}
		})
	}
}

func TestHostedInstallRefuses(t *testing.T) {
	t.Parallel()
	const broken = "A server error occurred."

	long := "https://github.com/o/" + strings.Repeat("x", 780)

	for _, row := range []struct {
		name, body           string
		status               int
		kind, code, complain string
	}{
		{"0 url is needed on create", `{"name":"n"}`, 500, "server_error", "error", broken},
		{"5 required on create: url null", `{"plugin_type":"custom","url":null}`, 500, "server_error", "error", broken},
		{"5 required on create: url no text", `{"url":5}`, 500, "server_error", "error", broken},
		{"5 required on create: url blank", `{"url":""}`, 500, "server_error", "error", broken},
		{"5 required on create: nothing at all", ``, 500, "server_error", "error", broken},
		{"5 case URL not GitHub/GitLab/npm", `{"url":"https://example.com/a"}`, 500, "server_error", "error", broken},
		{"5 case URL not GitHub/GitLab/npm: no repository", `{"url":"https://github.com/o"}`, 500, "server_error", "error", broken},
		{"5 case URL not GitHub/GitLab/npm: two queries", `{"url":"https://github.com/o/r?a=b?c"}`, 500, "server_error", "error", broken},
		{"5 field url: too long for the column", `{"url":"` + long + `"}`, 500, "server_error", "error", broken},
		{"5 field url: too long with source", `{"plugin_type":"source","url":"` + long + `"}`, 500, "server_error", "error", broken},
		{"5 case no plugin.json", `{"url":"https://github.com/o/empty"}`, 400, "validation_error", "invalid_input", "Could not find plugin.json in the plugin"},
		{"C60 file: outside of development", `{"url":"file:/plugins/none"}`, 400, "validation_error", "invalid_input", "Must be a GitHub/GitLab repository or a npm package URL!"},
		{"C61 stateless with a config", `{"url":"https://github.com/o/configured"}`, 400, "validation_error", "invalid_input", "Stateless plugins cannot have a config!"},
		{"D2 url: no text and no number with source", `{"plugin_type":"source","url":["a"]}`, 500, "server_error", "error", broken},
		{"5 case no plugin.json: no name in it", `{"url":"https://github.com/o/nameless"}`, 500, "server_error", "error", broken},
		{"5 case URL already installed anywhere", `{"url":"https://github.com/o/taken"}`, 400, "validation_error", "invalid_input", `Plugin from URL "https://github.com/o/taken" already installed!`},
		{"5 case URL already installed anywhere: other query", `{"url":"https://github.com/o/taken?private_token=u"}`, 400, "validation_error", "invalid_input", `Plugin from URL "https://github.com/o/taken" already installed!`},
		{"5 field url: unique with source, query and all", `{"plugin_type":"source","url":"https://github.com/o/taken?private_token=t"}`, 500, "server_error", "error", broken},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv, c := startHosted(t, sources)

			before := srv.Dump()

			a := c.post(apps, row.body)
			a.fails(row.status, row.code, "", row.complain)
			assert.Equal(t, row.kind, a.object()["type"])
			assert.Equal(t, before, srv.Dump())
		})
	}
}

// Two URLs belong to the same installed app if they differ only in their query: two paths in one
// repository are two apps.
func TestHostedInstallsTwoPathsOfOneRepository(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, sources)
	for _, url := range []string{"https://github.com/o/app", "https://github.com/o/app/tree/main", "https://github.com/o/app/tree/main/"} {
		c.post(apps, `{"url":"`+url+`?private_token=t",`+importing+`}`).is(http.StatusCreated)
		c.post(apps, `{"url":"`+url+`?private_token=u"}`).
			fails(http.StatusBadRequest, "invalid_input", "", `Plugin from URL "`+url+`" already installed!`)
	}
	assert.Equal(t, "https://github.com/o/app/tree/main?private_token=t", srv.App(3)["url"], "D1 stored as sent")
}

func TestHostedAppUpdate(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, sources)
	c.post(apps, `{"url":"https://github.com/o/full?private_token=t",`+importing+`}`).is(http.StatusCreated)
	c.step(t, "5 PATCH", func(t *testing.T, c caller) {
		before := c.get(apps + "2/").object()
		changed := c.patch(apps+"2/", `{"name":"mine","url":"https://github.com/o/other","latest_tag":"z","organization_name":"z","unknown":1}`).is(http.StatusOK).object()
		before["name"] = "mine"
		assert.Equal(t, before, changed, "only writable fields change, and the code is not read again")
		assert.Equal(t, "https://github.com/o/full?private_token=t", srv.App(2)["url"])
	})
	c.step(t, "5 PATCH capabilities written by the plugin server", func(t *testing.T, c caller) {
		srv.PatchApp(2, object{"capabilities": object{"scheduled_tasks": nil, "methods": []string{"setupPlugin"}}})
		assert.Equal(t, `{"methods":["setupPlugin"]}`, c.get(apps+"2/").raw("capabilities"))
	})
	c.step(t, "5 DELETE", func(t *testing.T, c caller) {
		c.delete(apps + "2/").is(http.StatusNoContent)
		c.delete(apps+"2/").fails(http.StatusNotFound, "not_found", "", "Not found.")
		assert.Equal(t, "3", c.post(apps, `{"url":"https://github.com/o/full"}`).is(http.StatusCreated).raw("id"), "the URL is available again, but the ID is not")
	})
}

func TestAppSourcesInFixtures(t *testing.T) {
	t.Parallel()
	srv, _ := startHosted(t, sources)
	dump := srv.Dump()
	assert.Contains(t, dump, `{"url":"https://github.com/o/empty","tag":`+newest+`,"plugin_json":null}`)
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())
}
