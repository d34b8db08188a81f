package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

func TestAppsAreStoredAsTheyAreSent(t *testing.T) {
	t.Parallel()
	c := call(t, testserver.Start(t))
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

	assert.Equal(t, `"`+testserver.DefaultOrganizationID+`"`, empty.raw("organization_id"))
	assert.Equal(t, `"Test organization"`, empty.raw("organization_name"))
	for _, unset := range []string{"url", "latest_tag", "hog_function_migration_available"} {
		assert.Equal(t, "null", empty.raw(unset))
	}
}

func TestAppURL(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
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
	c := call(t, testserver.Start(t))
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
	c := call(t, testserver.Start(t))
	c.post(apps, `{"name":"one"}`).is(http.StatusCreated)
	c.post(apps, `{"name":"two"}`).is(http.StatusCreated)
	c.delete(apps + "2/").is(http.StatusNoContent)
	c.delete(apps + "2/").is(http.StatusNotFound)
	assert.Equal(t, "3", c.post(apps, `{"name":"three"}`).is(http.StatusCreated).raw("id"))
	assert.Equal(t, []string{"three", "one"}, c.get(apps).names())
}

func TestAppsOfAnotherOrganizationAreMissing(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	srv.SetFixtures(`{"organizations":[{"id":"` + testserver.DefaultOrganizationID + `"},{"id":"` + otherOrganization + `"}],
"pipeline_import_apps":[{"organization_id":"` + otherOrganization + `","id":8,"name":"theirs"}]}`)
	c := call(t, srv)
	for _, method := range []string{http.MethodGet, http.MethodPatch, http.MethodDelete} {
		c.do(method, apps+"8/", "").fails(http.StatusNotFound, "not_found", "", "Not found.")
	}
	assert.Empty(t, c.get(apps).names())
	theirs := "/api/organizations/" + otherOrganization + "/pipeline_import_apps/"
	assert.Equal(t, []string{"theirs"}, c.get(theirs).names())
	assert.Equal(t, "9", c.post(apps, `{"name":"ours"}`).raw("id"), "one sequence for all organizations")
}

// The other operations change nothing.
func TestAppActionsLeaveTheStoreAsItIs(t *testing.T) {
	t.Parallel()
	srv := testserver.Start(t)
	c := call(t, srv)
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
