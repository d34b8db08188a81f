package testserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const otherOrganization = "0192d3a4-0000-7000-8000-000000000002"

// people is a document with two organizations and keys of every sort.
const people = `{
"organizations": [{"id":"` + testserver.DefaultOrganizationID + `"}, {"id":"` + otherOrganization + `","name":"Other"}],
"projects": [{"id":1}, {"id":2}, {"id":7,"organization_id":"` + otherOrganization + `"}],
"users": [
  {"id":1,"organization_ids":["` + testserver.DefaultOrganizationID + `"]},
  {"id":2,"organization_ids":["` + testserver.DefaultOrganizationID + `"],"is_active":false}],
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
"pipeline_import_apps": [{"organization_id":"` + testserver.DefaultOrganizationID + `","id":3,"name":"A"}]
}`

func startPeople(t *testing.T) caller {
	t.Helper()
	return call(t, testserver.Start(t, testserver.Options{Fixtures: strings.NewReader(people)}))
}

func (c caller) as(key string) caller { return c.with("Authorization", "Bearer "+key) }

// Each operation asks for its scope, and for no other.
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
			path := strings.NewReplacer("{project_id}", "1", "{organization_id}", testserver.DefaultOrganizationID, "{id}", id).Replace(op.Path)

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
				// The second delete finds nothing, the second create finds its name taken.
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
		"key of another org": {"Bearer phx_other_org", apps, denied, "authentication_error", "permission_denied", "API key does not have access to the requested organization: ID " + testserver.DefaultOrganizationID + "."},
		"its projects too":   {"Bearer phx_other_org", surveys, denied, "authentication_error", "permission_denied", "API key does not have access to the requested organization: ID " + testserver.DefaultOrganizationID + "."},
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

// Who may not come in learns nothing about what would be wrong with the request.
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

	// A slash at the end makes no difference, and an upper-case UUID is the same id.
	assert.Equal(t, c.get(surveys).body, c.get(strings.TrimSuffix(surveys, "/")).body)
	id := "019b0000-0000-7000-8000-0000000000AA"
	assert.Equal(t, c.get(surveys+strings.ToLower(id)+"/").body, c.get(surveys+id).is(http.StatusOK).body)

	head := c.do(http.MethodHead, surveys, "").is(http.StatusOK)
	assert.Empty(t, head.body)
	assert.NotEqual(t, "0", head.header.Get("Content-Length"))

	for _, path := range []string{
		surveys + "nothing/", surveys + "019b0000-0000-7000-8000-0000000000bb/", apps + "99/", apps + "x/",
		apps + "99999999999999999999/", "/api/projects/2/surveys/" + id + "/", surveys + "nothing/activity/",
		apps + "99/source/", apps + "99/check_for_updates/",
	} {
		c.get(path).fails(http.StatusNotFound, "not_found", "", "Not found.")
	}
}
