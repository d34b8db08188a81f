package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/browsertest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// These objects exist before an operation is called, followed by the resource types.
const (
	storedSurvey = "0190d6a4-7e1c-7b52-a3f0-000000000001"
	storedApp    = "1"
	surveyType   = "posthog_survey"
	appType      = "posthog_pipeline_import_app"

	storedObjects = `{
		"surveys": [{"project_id": "1", "id": "` + storedSurvey + `", "name": "Stored", "type": "popover"}],
		"pipeline_import_apps": [{"organization_id": "` + testserver.DefaultOrganizationID + `", "id": ` + storedApp + `, "name": "Stored",
			"plugin_type": "source", "capabilities": {"scheduled_tasks": ["runEveryHour"]}}]}`
)

// operationCall is a way to call an operation of the API from Terraform.
type operationCall struct {
	// prepare creates or imports the object, if the call requires it.
	prepare func(*testing.T, *acctest.Resource)
	// resource is the type that prepare and call use, or empty.
	resource string
	call     func(*testing.T, *acctest.Env, *acctest.Resource) acctest.Diagnostics
}

// read returns a call by a data source.
func read(typeName string, config map[string]any) operationCall {
	return operationCall{call: func(t *testing.T, env *acctest.Env, _ *acctest.Resource) acctest.Diagnostics {
		t.Helper()
		_, diags := env.ReadDataSource(t, typeName, config)
		return diags
	}}
}

// invoke returns a call by an action.
func invoke(typeName string, config map[string]any) operationCall {
	return operationCall{call: func(t *testing.T, env *acctest.Env, _ *acctest.Resource) acctest.Diagnostics {
		t.Helper()
		_, diags := env.Invoke(t, typeName, config)
		return diags
	}}
}

func imported(id string) func(*testing.T, *acctest.Resource) {
	return func(t *testing.T, o *acctest.Resource) {
		t.Helper()
		require.Empty(t, o.Import(id).Text())
	}
}

func applied(config map[string]any) func(*testing.T, *acctest.Env, *acctest.Resource) acctest.Diagnostics {
	return func(_ *testing.T, _ *acctest.Env, o *acctest.Resource) acctest.Diagnostics { return o.Apply(config) }
}

func importing(id string) func(*testing.T, *acctest.Env, *acctest.Resource) acctest.Diagnostics {
	return func(_ *testing.T, _ *acctest.Env, o *acctest.Resource) acctest.Diagnostics { return o.Import(id) }
}

func destroyed(_ *testing.T, _ *acctest.Env, o *acctest.Resource) acctest.Diagnostics {
	return o.Destroy()
}

// operationCalls returns the calls for each operation. Every operation of the API is in it.
func operationCalls() map[string]operationCall {
	app := map[string]any{"app_id": 1}
	newApp := map[string]any{"name": "New", "plugin_type": "source"}
	return map[string]operationCall{
		"surveys_create":   {resource: surveyType, call: applied(map[string]any{"name": "New", "type": "popover"})},
		"surveys_list":     read("posthog_surveys", nil),
		"surveys_retrieve": {resource: surveyType, call: importing(storedSurvey)},
		"surveys_partial_update": {
			resource: surveyType, prepare: imported(storedSurvey), call: applied(map[string]any{"name": "Renamed", "type": "popover"}),
		},
		"surveys_destroy":                  {resource: surveyType, prepare: imported(storedSurvey), call: destroyed},
		"surveys_activity_retrieve":        read("posthog_survey_activity", map[string]any{"survey_id": storedSurvey}),
		"surveys_all_activity_retrieve":    read("posthog_surveys_activity", nil),
		"surveys_responses_count_retrieve": read("posthog_survey_responses_count", nil),

		"pipeline_import_apps_create":   {resource: appType, call: applied(newApp)},
		"pipeline_import_apps_list":     read("posthog_pipeline_import_apps", nil),
		"pipeline_import_apps_retrieve": {resource: appType, call: importing(storedApp)},
		"pipeline_import_apps_partial_update": {
			resource: appType, prepare: imported(storedApp), call: applied(newApp),
		},
		"pipeline_import_apps_destroy":                              {resource: appType, prepare: imported(storedApp), call: destroyed},
		"pipeline_import_apps_source_retrieve":                      read("posthog_pipeline_import_app_source", app),
		"pipeline_import_apps_check_for_updates_retrieve":           read("posthog_pipeline_import_app_updates", app),
		"pipeline_import_apps_all_activity_retrieve":                read("posthog_pipeline_import_apps_activity", nil),
		"pipeline_import_apps_repository_retrieve":                  read("posthog_pipeline_import_apps_repository", nil),
		"pipeline_import_apps_unused_retrieve":                      read("posthog_pipeline_import_apps_unused", nil),
		"pipeline_import_apps_exports_unsubscribe_configs_retrieve": read("posthog_pipeline_import_apps_exports_unsubscribe_configs", nil),
		"pipeline_import_apps_upgrade_create":                       invoke("posthog_pipeline_import_app_upgrade", app),
		"pipeline_import_apps_update_source_partial_update":         invoke("posthog_pipeline_import_app_update_source", map[string]any{"app_id": 1, "source": map[string]any{"index.ts": "export {}"}}),
	}
}

// run calls an operation on a new server, after changing that server.
func (c operationCall) run(t *testing.T, change func(*acctest.Env)) (*acctest.Env, acctest.Diagnostics) {
	t.Helper()
	env := acctest.Start(t, acctest.Fixtures(storedObjects))
	var object *acctest.Resource
	if c.resource != "" {
		object = env.Resource(t, c.resource)
	}
	if c.prepare != nil {
		c.prepare(t, object)
	}
	change(env)
	return env, c.call(t, env, object)
}

// Terraform can call every operation of the API, and each call sends one request.
func TestEveryOperationIsReached(t *testing.T) {
	t.Parallel()

	calls := operationCalls()
	var documented []string
	for _, operation := range api.Operations() {
		documented = append(documented, operation.ID)
	}
	require.Len(t, documented, 21)
	require.ElementsMatch(t, documented, slices.Collect(maps.Keys(calls)))

	for operation, c := range calls {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			env, diags := c.run(t, func(env *acctest.Env) { env.ResetJournal() })
			require.Empty(t, diags.Errors().Text())
			assert.Equal(t, 1, env.Operations()[operation])
		})
	}
}

// Every rejected operation's error contains the operation, PostHog's response, and the remedy.
func TestEveryOperationThatIsRefusedSaysSo(t *testing.T) {
	t.Parallel()

	for detail, step := range map[string]string{
		"API key missing required scope 'survey:write'":            "an API key that has the scope in the message above",
		"This action does not support personal API key access":     "PostHog does not allow this with an API key, only for signed-in users",
		"Your organization's plugin access level is insufficient.": "Ask the administrators of PostHog to raise it",
	} {
		for operation, c := range operationCalls() {
			t.Run(operation+" "+detail, func(t *testing.T) {
				t.Parallel()
				_, diags := c.run(t, func(env *acctest.Env) {
					env.SetFaults(testserver.Fault{Operation: operation, Status: 403, Body: map[string]any{
						"type": "authentication_error", "code": "permission_denied", "detail": detail, "attr": nil,
					}})
				})
				errs := diags.Errors()
				require.Len(t, errs, 1, errs.Text())
				assert.Regexp(t, `^Could not (create|read|list|import|update|upgrade|delete|check for updates of) `, errs[0].Summary)
				assert.Contains(t, errs[0].Detail, "Tried to ")
				assert.Contains(t, errs[0].Detail, detail)
				assert.Contains(t, errs[0].Detail, step)
			})
		}
	}
}

// badSurroundings are faults that affect every object in a run in the same way.
var badSurroundings = map[string]struct {
	variable, value string
	faults          []testserver.Fault
	want            string
}{
	"a bad key":    {"POSTHOG_API_KEY", "phx_wrong", nil, "PostHog rejected the API key (401)"},
	"no such host": {"POSTHOG_BASE_URL", "http://127.0.0.1:1", nil, "PostHog cannot be reached"},
	"another site": {"", "", []testserver.Fault{{HTML: true}}, "the server at base_url is not PostHog"},
	"a key without the scope": {
		"", "", []testserver.Fault{{Status: 403, Body: map[string]any{"detail": "API key missing required scope 'survey:write'"}}},
		"API key missing required scope 'survey:write' (403)",
	},
	"a key of another project": {
		"", "", []testserver.Fault{{Status: 403, Body: map[string]any{"detail": "API key does not have access to the requested project: ID 1."}}},
		"project 1: API key does not have access to the requested project: ID 1 (403 Forbidden)",
	},
	"a service down": {"", "", []testserver.Fault{{Status: 503}}, "PostHog is failing"},
}

// A cause that all objects share is explained once. The other creates fail with one line each, and the other
// refreshes warn under one title, in addition to the error that ends the run.
func TestB9SharedCauseIsExplainedOnce(t *testing.T) {
	t.Parallel()
	const many = 20
	for name, c := range badSurroundings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			objects := env.Resources(t, "posthog_survey", many)
			for i, o := range objects {
				require.Empty(t, o.Apply(named(i)).Errors().Text())
			}
			env.Environment[c.variable] = c.value
			env.SetFaults(c.faults...)

			env.NextRun(t, objects...)
			var diags acctest.Diagnostics
			for i, o := range objects {
				diags = append(diags, o.Refresh()...)
				assert.Equal(t, named(i)["name"], o.State("name"), "a failed operation must not change the state")
			}
			require.Len(t, diags, many, diags.Text())
			errs := diags.Errors()
			require.Len(t, errs, 1, errs.Text())
			assert.Contains(t, errs[0].Detail, "\n\n", "the first error must contain the details")
			for _, one := range diags[1:] {
				assert.Equal(t, tfprotov6.DiagnosticSeverityWarning, one.Severity)
				assert.Equal(t, "Not refreshed: "+c.want, one.Summary)
			}

			news := env.Resources(t, "posthog_survey", many)
			for i, o := range news {
				errs := o.Apply(named(many + i)).Errors()
				require.Len(t, errs, 1, errs.Text())
				if i > 1 { // the first may have been sent, and the second may be the first unsent one
					assert.Equal(t, fmt.Sprintf("Could not create survey %q: %s", named(many + i)["name"], c.want), errs[0].Summary)
					assert.Empty(t, errs[0].Detail)
				}
				assert.False(t, o.Exists())
			}
		})
	}
}

func named(i int) map[string]any {
	return map[string]any{"name": fmt.Sprint("Survey ", i), "type": "popover"}
}

// The terminal output for twenty surveys with an invalid key fits on one page.
func TestAccB9PlanWithABadKeyIsShort(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	s := newShell(t, env, env.URL, built(t))
	s.write("main.tf", strings.Replace(secretConfig, `name = "NPS"`, "count = 20\n  name = \"NPS ${count.index}\"", 1))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)
	output, ok = s.run("phx_wrong", "plan")
	require.False(t, ok, "the plan must fail with a wrong API key")
	assert.Equal(t, 1, strings.Count(output, "Error: "), output)
	assert.Contains(t, output, "Check the API key")
	_, report, _ := strings.Cut(output, "may therefore not match") // after the development override notice
	assert.Less(t, strings.Count(report, "\n"), 60, output)
	assert.Len(t, env.Surveys(t), 20)
}

// Headers from the provider block or the environment are part of every request. An invalid one is an error with the
// attribute's path and without its value.
func TestHeaders(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.Environment["POSTHOG_HEADERS"] = `{"CF-Access-Client-Secret": "s3cr3t-of-the-proxy"}`
	proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "s3cr3t-of-the-proxy", r.Header.Get("CF-Access-Client-Secret"))
		env.Server.ServeHTTP(rw, r)
	}))
	t.Cleanup(proxy.Close)
	env.Environment["POSTHOG_BASE_URL"] = proxy.URL
	object := env.Resource(t, "posthog_survey")
	require.Empty(t, object.Apply(named(1)).Errors().Text())
	assert.NotEmpty(t, env.Journal())

	for _, wrong := range []string{`X: s3cr3t`, `{"Authorization": "s3cr3t-too"}`, `{"X Y": "s3cr3t-too"}`, `{"X": "s3cr3t\n"}`} {
		diags := env.Configure(t, map[string]any{}, map[string]string{"POSTHOG_HEADERS": wrong})
		require.Len(t, diags, 1, diags.Text())
		assert.Contains(t, diags.Text(), `AttributeName("headers"): Invalid header`)
		assert.NotContains(t, diags.Text(), "s3cr3t")
	}
	diags := env.Configure(t, map[string]any{"headers": map[string]any{"Content-Length": "s3cr3t-too"}}, nil)
	require.Len(t, diags, 1, diags.Text())
	assert.Contains(t, diags.Text(), `AttributeName("headers"): Invalid header: headers (POSTHOG_HEADERS): the header Content-Length cannot be set`)
	assert.NotContains(t, diags.Text(), "s3cr3t")
}

// The test server's page follows Terraform live: a survey that an apply creates appears without a reload, and a fault
// that is enabled on the page affects the next plan.
func TestAccPage(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	page := browsertest.Start(t).Open(t, env.URL+"/", browsertest.View{})
	page.WaitFor(t, "#pause")
	file := config.StaticFile("testdata/page.tf")

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{
				ConfigFile: file,
				Check: func(*terraform.State) error {
					surveys := env.Surveys(t)
					assert.Len(t, surveys, 1)
					page.WaitFor(t, "#survey-"+surveys[0]["id"].(string))
					assert.Contains(t, page.Text(t, "#objects"), "Watched on the page")
					return nil
				},
			},
			{
				PreConfig: func() {
					page.Click(t, "#tab-faults")
					page.WaitFor(t, "#fault-times")
					page.Evaluate(t, `document.getElementById("fault-times").value = ""; true`, new(bool))
					page.Click(t, `button[value="403"]`)
					page.WaitFor(t, "#faults .rules")
				},
				ConfigFile: file, PlanOnly: true, ExpectError: regexp.MustCompile(`403`),
			},
			{
				PreConfig: func() {
					page.Click(t, `#faults button[name="remove"]`)
					page.WaitFor(t, "#faults > .empty")
				},
				ConfigFile: file, PlanOnly: true,
			},
		},
	})
	assert.Empty(t, page.Errors())
}

// createSurveys adds n surveys to the server. Every second one is a widget, and every tenth is archived.
func createSurveys(env *acctest.Env, n int) {
	for i := range n {
		kind := "popover"
		if i%2 == 1 {
			kind = "widget"
		}
		env.CreateSurvey(map[string]any{
			"project_id": env.ProjectID, "id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "name": fmt.Sprintf("Survey %03d", i),
			"type": kind, "archived": i%10 == 0, "questions": []any{map[string]any{"type": "open", "question": fmt.Sprintf("Why %d?", i)}},
		})
	}
}

// A thousand imports of either resource type need fewer than ten requests. An import that does not exist causes an
// error that says so.
func TestB10ImportsAreReadInBulk(t *testing.T) {
	t.Parallel()
	const many = 1000
	for typeName, missing := range map[string]string{"posthog_survey": "00000000-0000-4000-8000-999999999999", "posthog_pipeline_import_app": "987654"} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Clock(time.Now))
			env.UseSynctest() // under synctest, a slow machine delays no request
			createSurveys(env, many)
			ids := make([]string, many)
			for i := range ids {
				ids[i] = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
				if typeName == "posthog_pipeline_import_app" {
					ids[i] = fmt.Sprint(env.CreateApp(map[string]any{"organization_id": env.OrganizationID, "name": fmt.Sprint("App ", i), "plugin_type": "source"})["id"])
				}
			}

			synctest.Test(t, func(t *testing.T) {
				objects := env.Resources(t, typeName, many+1)
				acctest.Each(objects[:many], func(i int, o *acctest.Resource) {
					assert.Empty(t, o.Import(ids[i]).Errors().Text())
					assert.Equal(t, ids[i], fmt.Sprint(o.State("id")))
				})
				assert.Less(t, len(env.Journal()), 10, "%v", env.Operations())

				diags := objects[many].Import(missing)
				assert.Contains(t, diags.Errors().Text(), "Could not import")
				assert.Contains(t, diags.Errors().Text(), "Check the ID")
				assert.False(t, objects[many].Exists())
			})
		})
	}
}

// With import blocks in a real CLI, plan and apply send equally few requests.
func TestAccB10ImportBlocksAreReadInBulk(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	const surveys, apps = 120, 50
	createSurveys(env, surveys)
	var ids strings.Builder
	for i := range apps {
		app := env.CreateApp(map[string]any{"organization_id": env.OrganizationID, "name": fmt.Sprint("App ", i), "plugin_type": "source",
			"capabilities": map[string]any{"scheduled_tasks": []any{"runEveryMinute"}}})
		fmt.Fprintf(&ids, "%v, ", app["id"])
	}
	s := newShell(t, env, env.URL, built(t))
	s.env = append(s.env, "POSTHOG_ORGANIZATION_ID="+env.OrganizationID, "TF_LOG=")
	s.write("main.tf", `terraform {
  required_providers {
    posthog = { source = "surveys-as-code/posthog" }
  }
}
locals { apps = [`+ids.String()+`] }
import {
  for_each = { for n in range(`+strconv.Itoa(surveys)+`) : n => n }
  to       = posthog_survey.test[each.value]
  id       = format("00000000-0000-4000-8000-%012d", each.value)
}
import {
  for_each = { for n in range(`+strconv.Itoa(apps)+`) : n => n }
  to       = posthog_pipeline_import_app.test[each.value]
  id       = "${local.apps[each.value]}"
}
resource "posthog_survey" "test" {
  count     = `+strconv.Itoa(surveys)+`
  name      = format("Survey %03d", count.index)
  type      = count.index % 2 == 1 ? "widget" : "popover"
  archived  = count.index % 10 == 0
  questions = [{ type = "open", question = "Why ${count.index}?" }]
}
resource "posthog_pipeline_import_app" "test" {
  count        = `+strconv.Itoa(apps)+`
  name         = "App ${count.index}"
  plugin_type  = "source"
  capabilities = jsonencode({ scheduled_tasks = ["runEveryMinute"] })
}
`)
	env.ResetJournal()
	output, ok := s.run(env.APIKey, "plan", "-out=plan")
	require.True(t, ok, output)
	assert.Contains(t, output, fmt.Sprintf("%d to import, 0 to add, 0 to change, 0 to destroy", surveys+apps))
	t.Log("plan", env.Operations())
	assert.Less(t, len(env.Journal()), 10, "%v", env.Operations())

	env.ResetJournal()
	output, ok = s.run(env.APIKey, "apply", "plan")
	require.True(t, ok, output)
	t.Log("apply", env.Operations())
	assert.Less(t, len(env.Journal()), 10, "%v", env.Operations())
}
