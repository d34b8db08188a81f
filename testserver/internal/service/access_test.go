package service_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/fixtures"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
)

const otherOrganization = "0192d3a4-0000-7000-8000-000000000002"

// people is a fixtures document with two organizations and keys with different scopes and limits.
const people = `{
"organizations": [{"id":"` + fixtures.DefaultOrganizationID + `"}, {"id":"` + otherOrganization + `","name":"Other"}],
"projects": [{"id":1}, {"id":2}, {"id":7,"organization_id":"` + otherOrganization + `"}],
"users": [
  {"id":1,"organization_ids":["` + fixtures.DefaultOrganizationID + `"]},
  {"id":2,"organization_ids":["` + fixtures.DefaultOrganizationID + `"],"is_active":false}],
"api_keys": [
  {"key":"phx_all"},
  {"key":"phx_asleep","user_id":2},
  {"key":"phx_none","scopes":[]},
  {"key":"phx_survey_read","scopes":["survey:read"]},
  {"key":"phx_survey_write","scopes":["survey:write"]},
  {"key":"phx_activity","scopes":["activity_log:read"]},
  {"key":"phx_plugin_read","scopes":["plugin:read"]},
  {"key":"phx_plugin_write","scopes":["plugin:write"]},
  {"key":"phx_project_2","project_ids":[2]},
  {"key":"phx_other_org","organization_ids":["` + otherOrganization + `"]}],
"surveys": [{"project_id":1,"id":"019b0000-0000-7000-8000-0000000000aa","name":"S","type":"popover"}],
"pipeline_import_apps": [{"organization_id":"` + fixtures.DefaultOrganizationID + `","id":3,"name":"A"}]
}`

func startPeople(t *testing.T) caller {
	t.Helper()
	_, c := startDocumented(t, people)
	return c
}

func (c caller) as(key string) caller { return c.with("Authorization", "Bearer "+key) }

// Each operation requires its own scope and no other.
func TestScopes(t *testing.T) {
	t.Parallel()
	holders := map[string][]string{
		"survey:read":       {"phx_survey_read", "phx_survey_write"},
		"survey:write":      {"phx_survey_write"},
		"activity_log:read": {"phx_activity"},
		"plugin:read":       {"phx_plugin_read", "phx_plugin_write"},
		"plugin:write":      {"phx_plugin_write"},
	}
	keys := []string{"phx_none", "phx_survey_read", "phx_survey_write", "phx_activity", "phx_plugin_read", "phx_plugin_write"}

	for _, op := range api.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			t.Parallel()
			c := startPeople(t)

			needs := op.Scope
			if needs == "" {
				needs = map[bool]string{true: "plugin:read", false: "plugin:write"}[op.Method == http.MethodGet]
			}

			id := "019b0000-0000-7000-8000-0000000000aa"
			if strings.Contains(op.Path, "pipeline") {
				id = "3"
			}
			path := strings.NewReplacer("{project_id}", "1", "{organization_id}", fixtures.DefaultOrganizationID, "{id}", id).Replace(op.Path)

			body := ""
			if op.Method == http.MethodPost || op.Method == http.MethodPatch {
				body = `{"name":"New","type":"popover","plugin_type":"local"}`
				if strings.Contains(op.Path, "pipeline") {
					body = `{"name":"New"}`
				}
			}

			for _, key := range keys {
				a := c.as(key).do(op.Method, path, body)
				if !assert.NotEqual(t, http.StatusUnauthorized, a.status) {
					continue
				}
				if !strings.Contains(strings.Join(holders[needs], " "), key) {
					a.fails(http.StatusForbidden, "permission_denied", "", "API key missing required scope '"+needs+"'")
				}
			}

			for _, key := range append(holders[needs], "phx_all") {
				a := c.as(key).do(op.Method, path, body)
				// The second delete finds no object, and the second create finds an object with the same name.
				if a.status != http.StatusNotFound && !strings.Contains(a.body, `"unique"`) {
					assert.Less(t, a.status, 300, "%s: %s", key, a.body)
				}
			}
		})
	}
}

func TestWhoGetsIn(t *testing.T) {
	t.Parallel()
	c := startPeople(t)

	org := "/api/organizations/"
	denied := http.StatusForbidden
	for name, row := range map[string]struct {
		header, path         string
		status               int
		kind, code, complain string
	}{
		"no key":             {"", surveys, 401, "authentication_error", "not_authenticated", "Authentication credentials were not provided."},
		"another form":       {"Basic phx_all", surveys, 401, "authentication_error", "not_authenticated", "Authentication credentials were not provided."},
		"lower case":         {"bearer phx_all", surveys, 401, "authentication_error", "not_authenticated", "Authentication credentials were not provided."},
		"empty key":          {"Bearer ", surveys, 401, "authentication_error", "not_authenticated", "Authentication credentials were not provided."},
		"unknown key":        {"Bearer phx_secret", surveys, 401, "authentication_error", "authentication_failed", "Personal API key found in request Authorization header is invalid."},
		"inactive user":      {"Bearer phx_asleep", surveys, 401, "authentication_error", "authentication_failed", "Personal API key found in request Authorization header is invalid."},
		"blanks":             {"Bearer   phx_all ", surveys, 200, "", "", ""},
		"unknown project":    {"Bearer phx_all", "/api/projects/99/surveys/", 404, "invalid_request", "not_found", "Project not found."},
		"project no number":  {"Bearer phx_all", "/api/projects/mine/surveys/", 404, "invalid_request", "not_found", "Project not found."},
		"current project":    {"Bearer phx_all", "/api/projects/@current/surveys/", 200, "", "", ""},
		"other's project":    {"Bearer phx_all", "/api/projects/7/surveys/", denied, "authentication_error", "permission_denied", "You don't have access to the project."},
		"key of project 2":   {"Bearer phx_project_2", "/api/projects/2/surveys/", 200, "", "", ""},
		"not its project":    {"Bearer phx_project_2", surveys, denied, "authentication_error", "permission_denied", "API key does not have access to the requested project: ID 1."},
		"project key on org": {"Bearer phx_project_2", apps, denied, "authentication_error", "permission_denied", "API keys with scoped projects are only supported on project-based endpoints."},
		"key of another org": {"Bearer phx_other_org", apps, denied, "authentication_error", "permission_denied", "API key does not have access to the requested organization: ID " + fixtures.DefaultOrganizationID + "."},
		"its projects too":   {"Bearer phx_other_org", surveys, denied, "authentication_error", "permission_denied", "API key does not have access to the requested organization: ID " + fixtures.DefaultOrganizationID + "."},
		"unknown org":        {"Bearer phx_all", org + "0192d3a4-0000-7000-8000-00000000dead/pipeline_import_apps/", 404, "invalid_request", "not_found", "Organization not found."},
		"org no UUID":        {"Bearer phx_all", org + "mine/pipeline_import_apps/", 404, "invalid_request", "not_found", "Organization not found."},
		"current org":        {"Bearer phx_all", org + "@current/pipeline_import_apps/", 200, "", "", ""},
		"not a member":       {"Bearer phx_all", org + otherOrganization + "/pipeline_import_apps/", denied, "authentication_error", "permission_denied", "You do not have permission to perform this action."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := c

			c.t = t
			a := c.with("Authorization", row.header).get(row.path)
			a.t = t
			assert.NotContains(t, a.body, "phx_secret")

			if row.status == http.StatusOK {
				a.is(http.StatusOK)
				return
			}

			a.fails(row.status, row.code, "", row.complain)
			assert.Equal(t, row.kind, a.object()["type"])
		})
	}
}

// A caller without access learns nothing about errors in the request.
func TestAccessComesBeforeTheBody(t *testing.T) {
	t.Parallel()
	c := startPeople(t)
	c.as("wrong").post(surveys, `{`).is(http.StatusUnauthorized)
	c.as("phx_survey_read").post(surveys, `{`).is(http.StatusForbidden)
	c.as("phx_survey_read").post("/api/projects/99/surveys/", `{`).is(http.StatusNotFound)
	c.as("wrong").put(surveys, `{}`).is(http.StatusUnauthorized)
	c.as("phx_all").put("/api/projects/99/surveys/", `{}`).is(http.StatusNotFound)
}

func TestPathsAndMethods(t *testing.T) {
	t.Parallel()
	c := startPeople(t).as("phx_all")

	for _, path := range []string{"/page", "/api/", "/api/projects/1/", "/api/projects/1/survey/", "/api/projects//surveys/", surveys + "a/b/c/"} {
		c.with("Authorization", "").get(path).fails(http.StatusNotFound, "not_found", "", "Endpoint not found.")
	}

	put := c.put(surveys, `{}`)
	put.fails(http.StatusMethodNotAllowed, "method_not_allowed", "", `Method "PUT" not allowed.`)
	assert.Equal(t, "GET, POST", put.header.Get("Allow"))
	c.delete(surveys).fails(http.StatusMethodNotAllowed, "method_not_allowed", "", `Method "DELETE" not allowed.`)
	c.post(surveys+"activity/", `{}`).fails(http.StatusMethodNotAllowed, "method_not_allowed", "", `Method "POST" not allowed.`)

	// The server ignores a trailing slash and the case of a UUID.
	assert.Equal(t, c.get(surveys).body, c.get(strings.TrimSuffix(surveys, "/")).body)
	id := "019b0000-0000-7000-8000-0000000000AA"
	assert.Equal(t, c.get(surveys+strings.ToLower(id)+"/").body, c.get(surveys+id).is(http.StatusOK).body)

	for _, path := range []string{
		surveys + "nothing/", surveys + "019b0000-0000-7000-8000-0000000000bb/", apps + "99/", apps + "x/",
		apps + "99999999999999999999/", "/api/projects/2/surveys/" + id + "/", surveys + "nothing/activity/",
		apps + "99/source/", apps + "99/check_for_updates/",
	} {
		c.get(path).fails(http.StatusNotFound, "not_found", "", "Not found.")
	}
}

// hostedPeople is people with a user who can access one project of the organization, and with import apps.
var hostedPeople = strings.NewReplacer(
	`{"id":2,"organization_ids"`, `{"id":3,"organization_ids":["`+fixtures.DefaultOrganizationID+`"],"project_ids":[2]},{"id":2,"organization_ids"`,
	`{"key":"phx_none"`, `{"key":"phx_project_member","user_id":3},{"key":"phx_none"`,
	`"name":"A"}`, `"name":"A",`+importing+`}`,
).Replace(people)

const noKeys = "This action does not support personal API key access"

func TestHostedScopes(t *testing.T) {
	t.Parallel()
	holders := map[string][]string{
		"survey:read":       {"phx_survey_read", "phx_survey_write", "phx_all"},
		"survey:write":      {"phx_survey_write", "phx_all"},
		"activity_log:read": {"phx_activity", "phx_all"},
		"plugin:read":       {"phx_plugin_read", "phx_plugin_write", "phx_all"},
		"plugin:write":      {"phx_plugin_write", "phx_all"},
	}
	keys := []string{"phx_none", "phx_survey_read", "phx_survey_write", "phx_activity", "phx_plugin_read", "phx_plugin_write", "phx_all"}

	for _, op := range api.Operations() {
		id, body := "019b0000-0000-7000-8000-0000000000aa", ""
		if strings.Contains(op.Path, "pipeline") {
			id = "3"
		}

		if op.Method == http.MethodPost || op.Method == http.MethodPatch {
			body = `{"name":"New","type":"popover","plugin_type":"source"}`
		}
		path := strings.NewReplacer("{project_id}", "1", "{organization_id}", fixtures.DefaultOrganizationID, "{id}", id).Replace(op.Path)

		for _, key := range keys {
			t.Run(scopeRow(op)+" "+key, func(t *testing.T) {
				t.Parallel()
				_, c := startHosted(t, hostedPeople)

				a := c.as(key).do(op.Method, path, body)
				switch {
				case op.Scope == "":
					a.fails(http.StatusForbidden, "permission_denied", "", noKeys)
				case !strings.Contains(strings.Join(holders[op.Scope], " ")+" ", key+" "):
					a.fails(http.StatusForbidden, "permission_denied", "", "API key missing required scope '"+op.Scope+"'")
				default:
					assert.Less(t, a.status, 300, a.body)
				}
			})
		}
	}
}

// scopeRow returns the table row of an operation. Non-standard operations on apps have their own row.
func scopeRow(op api.Operation) string {
	if row, ok := appActions[op.ID]; ok {
		return row
	}
	return "6 scopes " + op.ID
}

// appActions maps the operations on apps that declare no scope to their table rows.
var appActions = map[string]string{
	"pipeline_import_apps_check_for_updates_retrieve":           "5 action check_for_updates",
	"pipeline_import_apps_source_retrieve":                      "5 action source",
	"pipeline_import_apps_update_source_partial_update":         "5 action update_source",
	"pipeline_import_apps_upgrade_create":                       "5 action upgrade",
	"pipeline_import_apps_all_activity_retrieve":                "5 action activity",
	"pipeline_import_apps_exports_unsubscribe_configs_retrieve": "5 action exports_unsubscribe_configs",
	"pipeline_import_apps_repository_retrieve":                  "5 action repository",
	"pipeline_import_apps_unused_retrieve":                      "5 action unused",
}

// appActions contains every operation without a scope, and no other.
func TestAppActionsAreComplete(t *testing.T) {
	t.Parallel()
	for _, op := range api.Operations() {
		assert.Equal(t, op.Scope == "", appActions[op.ID] != "", op.ID)
	}
}

func TestHostedAdmission(t *testing.T) {
	t.Parallel()
	const denied, orgs = http.StatusForbidden, "/api/organizations/"

	for _, row := range []struct {
		name, key, method, path, body string
		status                        int
		kind, code, complain          string
	}{
		{"6 no key", "", "GET", surveys, "", 401, "authentication_error", "not_authenticated", "Authentication credentials were not provided."},
		{"6 no key: another form", "Basic phx_all", "GET", surveys, "", 401, "authentication_error", "not_authenticated", "Authentication credentials were not provided."},
		{"6 no key: scheme in lower case", "bearer phx_all", "GET", surveys, "", 401, "authentication_error", "not_authenticated", "Authentication credentials were not provided."},
		{"6 unknown key", "Bearer phx_secret", "GET", surveys, "", 401, "authentication_error", "authentication_failed", "Personal API key found in request Authorization header is invalid."},
		{"6 unknown key: inactive user", "Bearer phx_asleep", "GET", surveys, "", 401, "authentication_error", "authentication_failed", "Personal API key found in request Authorization header is invalid."},
		{"6 header: blanks", "Bearer   phx_all ", "GET", surveys, "", 200, "", "", ""},
		{"6 key in the query: the header wins", "Bearer phx_none", "GET", surveys + "?personal_api_key=phx_all", "", denied, "authentication_error", "permission_denied", "API key missing required scope 'survey:read'"},
		{"6 scope missing", "Bearer phx_survey_read", "POST", surveys, `{}`, denied, "authentication_error", "permission_denied", "API key missing required scope 'survey:write'"},
		{"6 key with empty scopes", "Bearer phx_none", "GET", surveys, "", denied, "authentication_error", "permission_denied", "API key missing required scope 'survey:read'"},
		{"6 action without scope", "Bearer phx_all", "GET", apps + "unused/", "", denied, "authentication_error", "permission_denied", noKeys},
		{"0 scopes of the extra pipeline operations: none, before the organization", "Bearer phx_all", "GET", orgs + "mine/pipeline_import_apps/unused/", "", denied, "authentication_error", "permission_denied", noKeys},
		{"6 key limited to other project", "Bearer phx_project_2", "GET", surveys, "", denied, "authentication_error", "permission_denied", "API key does not have access to the requested project: ID 1."},
		{"6 key limited to other project: its own", "Bearer phx_project_2", "GET", "/api/projects/2/surveys/", "", 200, "", "", ""},
		{"6 key limited to projects, org endpoint", "Bearer phx_project_2", "GET", apps, "", denied, "authentication_error", "permission_denied", "API keys with scoped projects are only supported on project-based endpoints."},
		{"6 key limited to other org", "Bearer phx_other_org", "GET", apps, "", denied, "authentication_error", "permission_denied", "API key does not have access to the requested organization: ID " + fixtures.DefaultOrganizationID + "."},
		{"6 member of org but not project", "Bearer phx_project_member", "GET", surveys, "", denied, "authentication_error", "permission_denied", "You don't have access to the project."},
		{"6 member of org but not project: the other one", "Bearer phx_project_member", "GET", "/api/projects/2/surveys/", "", 200, "", "", ""},
		{"6 member of org but not project: its organization", "Bearer phx_project_member", "GET", apps, "", 200, "", "", ""},
		{"6 not a member of org", "Bearer phx_all", "GET", orgs + otherOrganization + "/pipeline_import_apps/", "", denied, "authentication_error", "permission_denied", "You do not have permission to perform this action."},
		{"5 case not a member of the org", "Bearer phx_all", "POST", orgs + otherOrganization + "/pipeline_import_apps/", `{`, denied, "authentication_error", "permission_denied", "You do not have permission to perform this action."},
		{"6 object missing", "Bearer phx_all", "GET", surveys + "019b0000-0000-7000-8000-0000000000bb/", "", 404, "invalid_request", "not_found", "Not found."},
		{"6 object missing: id no UUID", "Bearer phx_all", "PATCH", surveys + "nothing/", `{}`, 404, "invalid_request", "not_found", "Not found."},
		{"C62 id of an app no number", "Bearer phx_all", "GET", apps + "x/", "", 500, "server_error", "error", "A server error occurred."},
		{"C62 id of an app beyond 64 bits", "Bearer phx_all", "GET", apps + "99999999999999999999/", "", 404, "invalid_request", "not_found", "Not found."},
		{"C39 foreign project, no member of its organization", "Bearer phx_all", "GET", "/api/projects/7/surveys/", "", denied, "authentication_error", "permission_denied", "You don't have access to the project."},
		{"C43 tab after Bearer", "Bearer\tphx_all", "GET", surveys, "", 200, "", "", ""},
		{"C43 plus before the project", "Bearer phx_all", "GET", "/api/projects/+1/surveys/", "", 200, "", "", ""},
		{"C43 blank before the project", "Bearer phx_all", "GET", "/api/projects/%201/surveys/", "", 200, "", "", ""},
		{"6 project unknown", "Bearer phx_all", "GET", "/api/projects/99/surveys/", "", 404, "invalid_request", "not_found", "Project not found."},
		{"6 project unknown: no number", "Bearer phx_all", "GET", "/api/projects/mine/surveys/", "", 404, "invalid_request", "not_found", "Project not found."},
		{"6 project unknown: before the scope", "Bearer phx_none", "GET", "/api/projects/99/surveys/", "", 404, "invalid_request", "not_found", "Project not found."},
		{"6 org unknown", "Bearer phx_all", "GET", orgs + "0192d3a4-0000-7000-8000-00000000dead/pipeline_import_apps/", "", 404, "invalid_request", "not_found", "Organization not found."},
		{"6 org unknown: no UUID", "Bearer phx_all", "GET", orgs + "mine/pipeline_import_apps/", "", 404, "invalid_request", "not_found", "Organization not found."},
		{"6 unknown path under /api", "", "GET", "/api/projects/1/survey/", "", 404, "invalid_request", "not_found", "Endpoint not found."},
		{"6 @current project", "Bearer phx_all", "GET", "/api/projects/@current/surveys/", "", 200, "", "", ""},
		{"6 @current org", "Bearer phx_all", "GET", orgs + "@current/pipeline_import_apps/", "", 200, "", "", ""},
		{"6 trailing slash: list", "Bearer phx_all", "GET", strings.TrimSuffix(surveys, "/"), "", 200, "", "", ""},
		{"6 trailing slash: create", "Bearer phx_all", "POST", strings.TrimSuffix(surveys, "/"), `{"name":"n","type":"api"}`, 201, "", "", ""},
		{"6 trailing slash: one app", "Bearer phx_all", "GET", apps + "3", "", 200, "", "", ""},
		{"6 order: key before body", "Bearer phx_secret", "POST", surveys, `{`, 401, "authentication_error", "authentication_failed", "Personal API key found in request Authorization header is invalid."},
		{"6 order: scope before body", "Bearer phx_survey_read", "POST", surveys, `{`, denied, "authentication_error", "permission_denied", "API key missing required scope 'survey:write'"},
		{"6 malformed JSON", "Bearer phx_all", "POST", surveys, `{`, 400, "invalid_request", "parse_error", "JSON parse error - unexpected end of JSON input"},
		{"6 method not allowed: PATCH on the collection", "Bearer phx_all", "PATCH", surveys, `{}`, 405, "invalid_request", "method_not_allowed", `Method "PATCH" not allowed.`},
		{"6 method not allowed: PATCH on the collection without the scope", "Bearer phx_survey_read", "PATCH", surveys, `{}`, denied, "authentication_error", "permission_denied", "API key missing required scope 'survey:write'"},
		{"6 method not allowed: POST on a detail URL", "Bearer phx_all", "POST", surveys + "019b0000-0000-7000-8000-0000000000aa/", `{}`, denied, "authentication_error", "permission_denied", noKeys},
		{"6 method not allowed: PUT on the collection", "Bearer phx_all", "PUT", surveys, `{}`, denied, "authentication_error", "permission_denied", noKeys},
		{"6 method not allowed: DELETE on the collection", "Bearer phx_all", "DELETE", apps, "", denied, "authentication_error", "permission_denied", noKeys},
		{"6 method not allowed: POST on activity", "Bearer phx_activity", "POST", surveys + "activity/", `{}`, 405, "invalid_request", "method_not_allowed", `Method "POST" not allowed.`},
		{"6 method not allowed: DELETE on responses_count", "Bearer phx_survey_read", "DELETE", surveys + "responses_count/", "", 405, "invalid_request", "method_not_allowed", `Method "DELETE" not allowed.`},
		{"6 method not allowed: POST on an action without scope", "Bearer phx_all", "POST", apps + "unused/", "", denied, "authentication_error", "permission_denied", noKeys},
		{"6 method not allowed: PATCH on an action without scope", "Bearer phx_plugin_write", "PATCH", apps + "unused/", "", 405, "invalid_request", "method_not_allowed", `Method "PATCH" not allowed.`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()

			_, c := startHosted(t, hostedPeople)
			a := c.with("Authorization", row.key).do(row.method, row.path, row.body)

			assert.NotContains(t, a.body, "phx_secret")

			if row.status < 300 {
				a.is(row.status)
				return
			}

			a.fails(row.status, row.code, "", row.complain)
			assert.Equal(t, row.kind, a.object()["type"])

			challenge := ""
			if row.status == http.StatusUnauthorized {
				challenge = `Bearer resource_metadata="` + siteURL + `/.well-known/oauth-protected-resource"`
			}
			assert.Equal(t, challenge, a.header.Get("WWW-Authenticate"))
		})
	}
}

func TestHostedRequestForms(t *testing.T) {
	t.Parallel()
	_, c := startHosted(t, hostedPeople)
	c.step(t, "6 wrong content type", func(t *testing.T, c caller) {
		c.as("phx_all").with("Content-Type", "text/plain").post(surveys, `{"name":"n","type":"api"}`).
			fails(http.StatusUnsupportedMediaType, "unsupported_media_type", "", `Unsupported media type "text/plain" in request.`)
	})
	c.step(t, "6 unhandled", func(t *testing.T, c caller) {
		a := c.as("phx_all").post(apps, `{}`)
		a.fails(http.StatusInternalServerError, "error", "", "A server error occurred.")
		assert.Equal(t, "server_error", a.object()["type"])
	})
}

// A dump contains the projects that a user can access.
func TestProjectAccessInFixtures(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, hostedPeople)
	dump := srv.Dump()
	assert.Contains(t, dump, `"project_ids":[2],"is_active":true`)
	srv.SetFixtures(dump)
	assert.Equal(t, dump, srv.Dump())
	srv.SetFixtures(`{"users":[{"id":1,"project_ids":[]}]}`)
	c.get(surveys).fails(http.StatusForbidden, "permission_denied", "", "You don't have access to the project.")
}

// After the organization requires feature_flag:write, a key without this scope cannot change a targeting flag.
func TestHostedFlagScope(t *testing.T) {
	t.Parallel()
	const filters = `{"groups":[{"properties":[],"rollout_percentage":10}]}`

	// C44 The whole text, which contains PostHog's URL.
	detail := func(site string) string {
		return "This action also modifies a feature flag, which requires the `feature_flag:write` scope in addition to `survey:write`. " +
			"Add `feature_flag:write` to your personal API key at " + site + "/settings/user-api-keys " +
			"(editing its scopes keeps the same key value), or use a key with the `*` scope."
	}

	for _, row := range []struct {
		name, method, body string
		targeted           bool
		refused            bool
	}{
		{"6 flag scope: filters on create", "POST", `{"name":"n","type":"api","targeting_flag_filters":` + filters + `}`, false, true},
		{"C44 the text on feature_flag:write: flag on create", "POST", `{"name":"n","type":"api","targeting_flag_id":1}`, false, true},
		{"6 flag scope: after the checks", "POST", `{"name":"","type":"api","targeting_flag_id":1}`, false, false},
		{"6 flag scope: no filters on create", "POST", `{"name":"n","type":"api","targeting_flag_filters":{},"remove_targeting_flag":true,"linked_flag_id":1}`, false, false},
		{"6 flag scope: filters on update", "PATCH", `{"targeting_flag_filters":` + filters + `}`, false, true},
		{"6 flag scope: flag on update", "PATCH", `{"targeting_flag_id":1}`, false, true},
		{"6 flag scope: removal", "PATCH", `{"remove_targeting_flag":true}`, true, true},
		{"6 flag scope: removal of none", "PATCH", `{"remove_targeting_flag":true}`, false, false},
		{"6 flag scope: start and stop", "PATCH", `{"start_date":"2026-01-01T00:00:00Z"}`, true, false},
		{"6 flag scope: delete", "DELETE", ``, true, true},
		{"6 flag scope: delete without a targeting flag", "DELETE", ``, false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()

			for _, features := range []string{`[]`, `["survey_flag_scope"]`, `[{"key":"survey_flag_scope","name":"Flag scope"}]`} {
				srv, c := startHosted(t, `{"organizations":[{"id":"`+fixtures.DefaultOrganizationID+`","features":`+features+`}],
"api_keys":[{"key":"phx_test"},{"key":"phx_survey","scopes":["survey:write"]},{"key":"phx_both","scopes":["survey:write","feature_flag:write"]}]}`)

				created := `{"name":"S","type":"api"}`
				if row.targeted {
					created = `{"name":"S","type":"api","targeting_flag_filters":` + filters + `}`
				}
				path := c.newSurvey(created)
				if row.method == http.MethodPost {
					path = surveys
				}

				before := srv.Dump()
				a := c.as("phx_survey").do(row.method, path, row.body)

				if features == `[]` || !row.refused {
					assert.NotEqual(t, http.StatusForbidden, a.status, a.body)
					continue
				}

				a.fails(http.StatusForbidden, "permission_denied", "", detail(siteURL))
				assert.Equal(t, before, srv.Dump())
				assert.Less(t, c.as("phx_both").do(row.method, path, row.body).status, 300)
			}
		})
	}
}

const throttled = `{"organizations":[{"id":"` + fixtures.DefaultOrganizationID + `","features":["api_rate_limits"]}],
"api_keys":[{"key":"phx_test"},{"key":"phx_two"},{"key":"phx_read","scopes":["plugin:read"]}]}`

// requests makes n requests with a key, directly to the handler, and expects the status for each.
func requests(t *testing.T, srv *contents, key string, n, status int) {
	t.Helper()
	for range n {
		c := caller{t: t, contents: srv, header: http.Header{"Authorization": {"Bearer " + key}}}
		c.undocumentedAnswers().get(surveys + "?limit=1").is(status)
	}
}

func (a answer) throttled(wait string) {
	a.t.Helper()
	a.fails(http.StatusTooManyRequests, "throttled", "", "Request was throttled. Expected available in "+wait+".")
	assert.Equal(a.t, "throttled_error", a.object()["type"])
	seconds, _, _ := strings.Cut(wait, " ")
	assert.Equal(a.t, seconds, a.header.Get("Retry-After"), "C38 the seconds of the text")
}

func TestThrottling(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) (*contents, caller){
		"6 rate limits: fixture": func(t *testing.T) (*contents, caller) { return startHosted(t, throttled) },
		"6 rate limits: option": func(t *testing.T) (*contents, caller) {
			profile, err := service.FindProfile(service.Documented)
			require.NoError(t, err)
			return startSettings(t, &service.Settings{Profile: profile, Throttling: true}, "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, c := start(t)
			start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			srv.SetClock(start)
			requests(t, srv, "phx_test", 479, http.StatusOK)
			srv.SetClock(start.Add(30*time.Second + time.Nanosecond))
			requests(t, srv, "phx_test", 1, http.StatusOK)
			c.get(surveys).throttled("30 seconds")
			c.post(surveys, `{"name":"n","type":"api"}`).throttled("30 seconds")

			srv.SetClock(start.Add(59*time.Second + 500*time.Millisecond))
			c.get(surveys).throttled("1 second")
			assert.Empty(t, srv.Store.Surveys(1).Items, "a throttled request is not carried out")

			srv.SetClock(start.Add(time.Minute))
			requests(t, srv, "phx_test", 479, http.StatusOK)
			c.get(surveys).throttled("31 seconds")
		})
	}
}

func TestThrottlingByTheHour(t *testing.T) {
	t.Parallel()
	t.Run("6 rate limits: 4800 an hour", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, throttled)
		start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

		for minute := range 10 {
			srv.SetClock(start.Add(time.Duration(minute) * time.Minute))
			requests(t, srv, "phx_test", 480, http.StatusOK)
		}

		srv.SetClock(start.Add(10 * time.Minute))
		c.get(surveys).throttled("3000 seconds")

		srv.SetClock(start.Add(time.Hour))
		requests(t, srv, "phx_test", 1, http.StatusOK)
	})
	t.Run("6 rate limits: what the minute refuses counts for the hour", func(t *testing.T) {
		t.Parallel()
		srv, c := startHosted(t, throttled)
		start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

		srv.SetClock(start)
		requests(t, srv, "phx_test", 480, http.StatusOK)
		requests(t, srv, "phx_test", 4320, http.StatusTooManyRequests)

		srv.SetClock(start.Add(time.Minute))
		c.get(surveys).throttled("3540 seconds")
	})
}

func TestThrottlingIsByKey(t *testing.T) {
	t.Parallel()
	srv, c := startHosted(t, throttled)
	srv.SetClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))

	c.step(t, "6 rate limits: counted per key", func(t *testing.T, c caller) {
		requests(t, srv, "phx_test", 480, http.StatusOK)
		c.get(surveys).throttled("60 seconds")
		c.as("phx_two").get(surveys).is(http.StatusOK)
	})

	c.step(t, "6 rate limits: access comes first", func(t *testing.T, c caller) {
		requests(t, srv, "phx_read", 481, http.StatusForbidden)
		c.as("phx_read").get(apps).is(http.StatusOK)
		c.as("phx_none").get(surveys).is(http.StatusUnauthorized)
	})

	c.step(t, "6 rate limits: before the method and the object", func(t *testing.T, c caller) {
		c.patch(surveys, `{}`).throttled("60 seconds")
		c.get(surveys + "nothing/").throttled("60 seconds")
		c.get(surveys + "responses_count/").throttled("60 seconds")
	})

	c.step(t, "6 rate limits: a new store has seen nothing", func(t *testing.T, c caller) {
		srv.Reset()
		srv.SetClock(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		requests(t, srv, "phx_test", 1, http.StatusOK)
	})

	c.step(t, "6 rate limits: off by itself", func(t *testing.T, c caller) {
		srv.SetFixtures("{}")
		requests(t, srv, "phx_test", 500, http.StatusOK)
	})
}
