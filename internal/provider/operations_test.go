package provider_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The objects that exist when an operation is called, and the resource types.
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

// operationCall is how an operation of the interface is called from Terraform.
type operationCall struct {
	// prepare brings the object under management, where the call needs that.
	prepare func(*testing.T, *acctest.Resource)
	// resource is the type that prepare and call work on, empty for neither.
	resource string
	call     func(*testing.T, *acctest.Env, *acctest.Resource) acctest.Diagnostics
}

// read is a call by a data source.
func read(typeName string, config map[string]any) operationCall {
	return operationCall{call: func(t *testing.T, env *acctest.Env, _ *acctest.Resource) acctest.Diagnostics {
		t.Helper()
		_, diags := env.ReadDataSource(t, typeName, config)
		return diags
	}}
}

// invoke is a call by an action.
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

// operationCalls are the calls by operation. Every operation of the interface is here.
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

// run calls an operation on a server of its own, after a change to that server.
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

// Every operation of the interface is reached from Terraform, and answers once.
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

// A refusal of the service says what was tried, what the service said and what to do,
// whatever operation it is about.
func TestEveryOperationThatIsRefusedSaysSo(t *testing.T) {
	t.Parallel()

	for detail, step := range map[string]string{
		"API key missing required scope 'survey:write'":            "Give the API key the scope that the message names",
		"This action does not support personal API key access":     "The service offers this to people who are signed in to the web interface, and to no API key",
		"Your organization's plugin access level is insufficient.": "Ask the operators of the service to raise it",
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
