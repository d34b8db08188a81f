package service_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
)

func TestAppsAreStoredAsTheyAreSent(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
	empty := c.post(apps, `{}`).is(http.StatusCreated)
	path := apps + "1/"

	for _, f := range []struct {
		name, value, unset string
		nullable           bool
	}{
		{"plugin_type", `"source"`, `null`, true},
		{"name", `" <b>n</b> "`, `null`, true},
		{"description", `""`, `null`, true},
		{"icon", `"i"`, `null`, true},
		{"config_schema", `[{"key":"k","n":9007199254740993}]`, `{}`, false},
		{"tag", `"v1"`, `null`, true},
		{"is_global", `true`, `false`, false},
		{"capabilities", `{"methods":["a"],"jobs":[]}`, `{}`, false},
		{"metrics", `"any"`, `{}`, true},
		{"public_jobs", `{"z":1,"a":2}`, `{}`, true},
	} {
		assert.Equal(t, f.unset, empty.raw(f.name), f.name)
		assert.Equal(t, f.value, c.patch(path, `{"`+f.name+`":`+f.value+`}`).is(http.StatusOK).raw(f.name))
		assert.Equal(t, f.value, c.patch(path, `{}`).is(http.StatusOK).raw(f.name), "absent keeps %s", f.name)
		assert.Equal(t, f.value, c.get(path).raw(f.name))

		cleared := c.patch(path, `{"`+f.name+`":null}`)
		if !f.nullable {
			cleared.fails(http.StatusBadRequest, "null", f.name, "This field may not be null.")
			continue
		}

		assert.Equal(t, "null", cleared.is(http.StatusOK).raw(f.name))
		assert.Equal(t, "null", c.get(path).raw(f.name))
	}

	assert.Equal(t, `"`+fixtures.DefaultOrganizationID+`"`, empty.raw("organization_id"))
	assert.Equal(t, `"Test organization"`, empty.raw("organization_name"))
	for _, unset := range []string{"url", "latest_tag", "hog_function_migration_available"} {
		assert.Equal(t, "null", empty.raw(unset))
	}
}

func TestAppURL(t *testing.T) {
	t.Parallel()
	srv, c := startDocumented(t, "")
	created := c.post(apps, `{"name":"n","url":"https://example.com/a?private_token=x","latest_tag":"z","organization_name":"z"}`).is(http.StatusCreated)
	assert.Equal(t, `"https://example.com/a"`, created.raw("url"), "a query can hold a token, so it is not shown")
	assert.Equal(t, "null", created.raw("latest_tag"))
	assert.Equal(t, `"Test organization"`, created.raw("organization_name"))
	c.patch(apps+"1/", `{"url":"https://example.com/b"}`).is(http.StatusOK)
	assert.Equal(t, `"https://example.com/a"`, c.get(apps+"1/").raw("url"), "it is set once")
	assert.Equal(t, "https://example.com/a?private_token=x", srv.App(1)["url"])
	c.post(apps, `{"url":5}`).fails(http.StatusBadRequest, "invalid_input", "url", "Not a valid string.")
}

func TestWhatIsWrongWithAnApp(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
	c.post(apps, `{"name":"n"}`).is(http.StatusCreated)

	for _, row := range []struct{ body, code, attr, detail string }{
		{`{"plugin_type":"magic"}`, "invalid_choice", "plugin_type", `"magic" is not a valid choice.`},
		{`{"name":{}}`, "invalid_input", "name", "Not a valid string."},
		{`{"name":"` + strings.Repeat("x", 201) + `"}`, "max_length", "name", "Ensure this field has no more than 200 characters."},
		{`{"icon":"` + strings.Repeat("x", 801) + `"}`, "max_length", "icon", "Ensure this field has no more than 800 characters."},
		{`{"is_global":"maybe"}`, "invalid_input", "is_global", "Must be a valid boolean."},
		{`{"capabilities":null}`, "null", "capabilities", "This field may not be null."},
		{`[]`, "invalid_input", "", "Invalid data. Expected a dictionary, but got list."},
	} {
		for method, path := range map[string]string{
			http.MethodPost: apps, http.MethodPatch: apps + "1/",
		} {
			c.do(method, path, row.body).fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		}

		c.patch(apps+"1/update_source/", row.body).fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		c.post(apps+"1/upgrade/", row.body).fails(http.StatusBadRequest, row.code, row.attr, row.detail)
	}

	assert.Equal(t, []string{"n"}, c.get(apps).names())
}

func TestAppIDsAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	_, c := startDocumented(t, "")
	c.post(apps, `{"name":"one"}`).is(http.StatusCreated)
	c.post(apps, `{"name":"two"}`).is(http.StatusCreated)
	c.delete(apps + "2/").is(http.StatusNoContent)
	c.delete(apps + "2/").is(http.StatusNotFound)
	assert.Equal(t, "3", c.post(apps, `{"name":"three"}`).is(http.StatusCreated).raw("id"))
	assert.Equal(t, []string{"three", "one"}, c.get(apps).names())
}

func TestAppsOfAnotherOrganizationAreMissing(t *testing.T) {
	t.Parallel()
	srv, c := startDocumented(t, "")
	srv.SetFixtures(`{"organizations":[{"id":"` + fixtures.DefaultOrganizationID + `"},{"id":"` + otherOrganization + `"}],
"pipeline_import_apps":[{"organization_id":"` + otherOrganization + `","id":8,"name":"theirs"}]}`)
	for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodDelete} {
		c.do(method, apps+"8/", "").fails(http.StatusNotFound, "not_found", "", "Not found.")
	}
	assert.Empty(t, c.get(apps).names())
	theirs := "/api/organizations/" + otherOrganization + "/pipeline_import_apps/"
	assert.Equal(t, []string{"theirs"}, c.get(theirs).names())
	assert.Equal(t, "9", c.post(apps, `{"name":"ours"}`).raw("id"), "one sequence for all organizations")
}

// The other operations on apps don't change the store.
func TestAppActionsLeaveTheStoreAsItIs(t *testing.T) {
	t.Parallel()
	srv, c := startDocumented(t, "")
	c.post(apps, conformingApp).is(http.StatusCreated)
	before := srv.Dump()
	for _, path := range []string{"1/check_for_updates/", "1/source/", "activity/", "exports_unsubscribe_configs/", "repository/", "unused/"} {
		assert.Empty(t, c.get(apps+path).is(http.StatusOK).body, path)
	}
	for _, body := range []string{"", `{}`, `{"name":"changed","index.js":"text"}`} {
		assert.Empty(t, c.patch(apps+"1/update_source/", body).is(http.StatusOK).body)
		assert.Empty(t, c.post(apps+"1/upgrade/", body).is(http.StatusOK).body)
	}
	c.post(apps+"9/upgrade/", `{`).is(http.StatusNotFound)
	assert.Equal(t, before, srv.Dump())
}

const conformingApp = `{"plugin_type":"local","name":"App","description":"d","url":"https://example.com/app","icon":"i",
"config_schema":[{"key":"k"}],"tag":"t","is_global":false,"capabilities":{"methods":[]},"metrics":{},"public_jobs":{}}`

// importing contains capabilities that make an app an import app.
const importing = `"capabilities":{"scheduled_tasks":["runEveryMinute"]}`

// step runs a part of a test under its own name. A step may depend on earlier steps, so steps don't run
// in parallel.
func (c caller) step(t *testing.T, name string, run func(t *testing.T, c caller)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		c := c
		c.t = t
		run(t, c)
	})
}

// The checks and the default values of app fields.
func TestHostedAppFields(t *testing.T) {
	t.Parallel()

	for _, row := range []struct {
		name, field, unset string
		// kept and cleared are the results of a value and of null. If cleared is empty, the server refuses
		// null. A read-only field has no value to send.
		sent, kept, cleared string
	}{
		{"5 field plugin_type", "plugin_type", `"source"`, `"repository"`, `"repository"`, `null`},
		{"5 field plugin_type blank", "plugin_type", `"source"`, `""`, `""`, `null`},
		{"5 field name", "name", `null`, `" n "`, `"n"`, `null`},
		{"5 field description", "description", `null`, `" <b>d</b> "`, `"<b>d</b>"`, `null`},
		{"5 field url", "url", `null`, `"https://github.com/o/r"`, `null`, `null`},
		{"5 field icon", "icon", `null`, `" i"`, `"i"`, `null`},
		{"5 field config_schema", "config_schema", `{}`, `[{"key":"k","n":9007199254740993}]`, `[{"key":"k","n":9007199254740993}]`, ``},
		{"5 field tag", "tag", `null`, `"v1 "`, `"v1"`, `null`},
		{"5 field latest_tag", "latest_tag", `null`, `"v1"`, `null`, `null`},
		{"5 field is_global", "is_global", `false`, `true`, `true`, ``},
		{"5 field is_global in a word", "is_global", `false`, `"yes"`, `true`, ``},
		{"5 field metrics", "metrics", `{}`, `{"m":"sum"}`, `{"m":"sum"}`, `null`},
		{"5 field public_jobs", "public_jobs", `{}`, `{"j":{}}`, `{"j":{}}`, `null`},
		{"5 field capabilities", "capabilities", `{"scheduled_tasks":["runEveryMinute"]}`, `{"methods":[]}`, `{"methods":[]}`, ``},
		{"5 field organization_id", "organization_id", `"` + fixtures.DefaultOrganizationID + `"`, `"x"`, `"` + fixtures.DefaultOrganizationID + `"`, `"` + fixtures.DefaultOrganizationID + `"`},
		{"5 field organization_name", "organization_name", `"Test organization"`, `"x"`, `"Test organization"`, `"Test organization"`},
		{"5 field id", "id", `1`, `7`, `1`, `1`},
		{"5 field hog_function_migration_available", "hog_function_migration_available", `false`, `true`, `false`, `false`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := startHosted(t, "")

			created := c.post(apps, `{"plugin_type":"source",`+importing+`}`).is(http.StatusCreated)
			assert.Equal(t, row.unset, created.raw(row.field))
			assert.Equal(t, row.kept, c.patch(apps+"1/", `{"`+row.field+`":`+row.sent+`}`).is(http.StatusOK).raw(row.field))
			assert.Equal(t, row.kept, c.get(apps+"1/").is(http.StatusOK).raw(row.field))

			cleared := c.patch(apps+"1/", `{"`+row.field+`":null}`)
			if row.cleared == "" {
				cleared.fails(http.StatusBadRequest, "null", row.field, "This field may not be null.")
				return
			}

			assert.Equal(t, row.cleared, cleared.is(http.StatusOK).raw(row.field))
		})
	}
}

func TestHostedSourceApp(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, "")
	created := c.post(apps, `{"plugin_type":"source","name":"myplugin"}`).is(http.StatusCreated)
	assert.JSONEq(t, `{"id":1,"plugin_type":"source","name":"myplugin","description":null,"url":null,"icon":null,"config_schema":{},
"tag":null,"latest_tag":null,"is_global":false,"organization_id":"`+fixtures.DefaultOrganizationID+`",
"organization_name":"Test organization","capabilities":{},"metrics":{},"public_jobs":{},"hog_function_migration_available":false}`, created.body)
	c.step(t, "0 an app without capabilities is hidden after create", func(t *testing.T, c caller) {
		for method, body := range map[string]string{http.MethodGet: "", http.MethodPatch: `{"name":"x"}`, http.MethodDelete: ""} {
			c.do(method, apps+"1/", body).fails(http.StatusNotFound, "not_found", "", "Not found.")
		}
		assert.Empty(t, c.get(apps).names())
	})
}

func TestHostedAppVisibility(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, capabilities string
		seen               bool
	}{
		{"5 visibility: nothing", `{}`, false},
		{"5 visibility: no object", `["methods"]`, false},
		{"5 visibility: tasks", `{"scheduled_tasks":["runEveryHour"]}`, true},
		{"5 visibility: no tasks", `{"scheduled_tasks":[]}`, false},
		{"5 visibility: tasks null", `{"scheduled_tasks":null}`, true},
		{"5 visibility: no methods", `{"methods":[]}`, true},
		{"5 visibility: other methods", `{"methods":["setupPlugin"]}`, true},
		{"5 visibility: onEvent", `{"methods":["setupPlugin","onEvent"]}`, false},
		{"5 visibility: composeWebhook", `{"methods":["composeWebhook"]}`, false},
		{"5 visibility: processEvent", `{"methods":["processEvent"]}`, false},
		{"5 visibility: a word", `{"methods":"processEvent"}`, false},
		{"5 visibility: tasks and processEvent", `{"methods":["processEvent"],"scheduled_tasks":["runEveryDay"]}`, true},
		{"5 visibility: jobs alone", `{"jobs":["export"]}`, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, c := startHosted(t, "")

			// The server accepts an app that it will not show.
			c.post(apps, `{"plugin_type":"source","name":"n","capabilities":`+row.capabilities+`}`).is(http.StatusCreated)

			if row.seen {
				assert.Equal(t, []string{"n"}, c.get(apps).names())
				c.get(apps + "1/").is(http.StatusOK)
				c.patch(apps+"1/", `{}`).is(http.StatusOK)
				c.delete(apps + "1/").is(http.StatusNoContent)
				c.delete(apps + "1/").is(http.StatusNotFound)
				return
			}

			assert.Empty(t, c.get(apps).names())
			c.get(apps + "1/").is(http.StatusNotFound)
			c.patch(apps+"1/", `{"capabilities":{"methods":[]}}`).is(http.StatusNotFound)
			c.delete(apps + "1/").is(http.StatusNotFound)
		})
	}
}

// levels returns a document with an organization that has the given plugins_access_level, and another
// organization with its own apps.
func levels(level string) string {
	return `{"organizations":[{"id":"` + fixtures.DefaultOrganizationID + `","plugins_access_level":` + level + `},
{"id":"` + otherOrganization + `","name":"Other"}],
"pipeline_import_apps":[
{"organization_id":"` + fixtures.DefaultOrganizationID + `","id":1,"name":"ours",` + importing + `},
{"organization_id":"` + fixtures.DefaultOrganizationID + `","id":2,"name":"our global","is_global":true,` + importing + `},
{"organization_id":"` + otherOrganization + `","id":3,"name":"theirs",` + importing + `},
{"organization_id":"` + otherOrganization + `","id":4,"name":"their global","is_global":true,"url":"https://github.com/o/global?private_token=t",` + importing + `},
{"organization_id":"` + otherOrganization + `","id":5,"name":"their hidden global","is_global":true}]}`
}

func TestHostedAppAccess(t *testing.T) {
	t.Parallel()
	const (
		low     = "Your organization's plugin access level is insufficient."
		global  = "This organization can't manage global plugins!"
		managed = "This plugin installation is managed by another organization"
		source  = `{"plugin_type":"source",` + importing
	)

	for _, row := range []struct {
		name, level, method, path, body string
		status                          int
		detail                          string
	}{
		{"5 case access level too low: nothing at all", "0", "GET", apps, "", 403, low},
		{"5 case access level too low: nothing of one", "0", "GET", apps + "1/", "", 403, low},
		{"5 who may: CONFIG reads", "3", "GET", apps, "", 200, ""},
		{"5 who may: CONFIG reads one", "3", "GET", apps + "1/", "", 200, ""},
		{"5 case access level too low: create", "3", "POST", apps, source + `}`, 403, low},
		{"5 case access level too low: before the body", "3", "POST", apps, `{`, 403, low},
		{"5 case access level too low: update", "3", "PATCH", apps + "1/", `{}`, 403, low},
		{"5 case access level too low: before the object", "3", "DELETE", apps + "99/", "", 403, low},
		{"5 who may: INSTALL writes", "6", "POST", apps, source + `}`, 201, ""},
		{"5 who may: INSTALL updates", "6", "PATCH", apps + "1/", `{"name":"x"}`, 200, ""},
		{"5 who may: INSTALL deletes", "6", "DELETE", apps + "1/", "", 204, ""},
		{"5 case is_global without ROOT: create", "6", "POST", apps, source + `,"is_global":true}`, 403, global},
		{"5 case is_global without ROOT: after the fields", "6", "POST", apps, source + `,"is_global":true,"capabilities":null}`, 400, ""},
		{"5 case is_global without ROOT: before the address", "6", "POST", apps, `{"is_global":true}`, 403, global},
		{"5 case is_global without ROOT: false on create", "6", "POST", apps, source + `,"is_global":false}`, 201, ""},
		{"5 case is_global without ROOT: unchanged", "6", "PATCH", apps + "1/", `{"name":"x","is_global":false}`, 403, global},
		{"5 case is_global without ROOT: true", "6", "PATCH", apps + "1/", `{"is_global":true}`, 403, global},
		{"5 who may: ROOT makes global", "9", "PATCH", apps + "1/", `{"is_global":true}`, 200, ""},
		{"5 case write to another org's global plugin: update", "9", "PATCH", apps + "4/", `{}`, 403, managed},
		{"5 case write to another org's global plugin: delete", "9", "DELETE", apps + "4/", "", 403, managed},
		{"5 visibility: another's global", "9", "GET", apps + "4/", "", 200, ""},
		{"5 visibility: another's hidden global", "9", "GET", apps + "5/", "", 404, "Not found."},
		{"5 case other org's non-global plugin", "9", "GET", apps + "3/", "", 404, "Not found."},
		{"5 case other org's non-global plugin: update", "9", "PATCH", apps + "3/", `{}`, 404, "Not found."},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			srv, c := startHosted(t, levels(row.level))

			before := srv.Dump()
			a := c.do(row.method, row.path, row.body).is(row.status)

			if row.status == http.StatusForbidden {
				a.fails(row.status, "permission_denied", "", row.detail)
			}

			if row.detail != "" {
				assert.Equal(t, row.detail, a.object()["detail"])
				assert.Equal(t, before, srv.Dump())
			}
		})
	}

	t.Run("5 visibility: list", func(t *testing.T) {
		t.Parallel()
		_, c := startHosted(t, levels("3"))
		assert.Equal(t, []string{"their global", "our global", "ours"}, c.get(apps).names())
		p := c.get(apps + "?limit=1&offset=1").page()
		assert.Equal(t, 3, p.Count)
		assert.Equal(t, "our global", p.Results[0].Name)
	})

	t.Run("5 case delete while global", func(t *testing.T) {
		t.Parallel()
		_, c := startHosted(t, levels("9"))
		c.delete(apps+"2/").fails(http.StatusBadRequest, "invalid_input", "", "This plugin is marked as global! Make it local before uninstallation")
		c.patch(apps+"2/", `{"is_global":false}`).is(http.StatusOK)
		c.delete(apps + "2/").is(http.StatusNoContent)
	})
}

func TestHostedAppErrors(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, levels("9"))
	for _, row := range []struct{ name, body, code, attr, detail string }{
		{"5 case plugin_type bad", `{"plugin_type":"magic"}`, "invalid_choice", "plugin_type", `"magic" is not a valid choice.`},
		{"5 case name > 200", `{"name":"` + strings.Repeat("x", 201) + `"}`, "max_length", "name", "Ensure this field has no more than 200 characters."},
		{"5 field icon too long", `{"icon":"` + strings.Repeat("x", 801) + `"}`, "max_length", "icon", "Ensure this field has no more than 800 characters."},
		{"5 field tag too long", `{"tag":"` + strings.Repeat("x", 201) + `"}`, "max_length", "tag", "Ensure this field has no more than 200 characters."},
		{"5 field name no text", `{"name":{}}`, "invalid_input", "name", "Not a valid string."},
	} {
		c.step(t, row.name, func(t *testing.T, c caller) {
			c.post(apps, row.body).fails(http.StatusBadRequest, row.code, row.attr, row.detail)
			c.patch(apps+"1/", row.body).fails(http.StatusBadRequest, row.code, row.attr, row.detail)
		})
	}
	c.step(t, "5 field name trimmed before it is measured", func(t *testing.T, c caller) {
		name := strings.Repeat("x", 200)
		assert.Equal(t, `"`+name+`"`, c.patch(apps+"1/", `{"name":" `+name+` "}`).is(http.StatusOK).raw("name"))
	})
}
