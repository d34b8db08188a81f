package importapp_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const removedTitle = "PostHog has removed import apps"

// orders returns an app with a value of every JSON type.
func orders(more object) object {
	app := object{"name": "Orders", "plugin_type": "source", "description": "First", "capabilities": `{"methods":["runEveryHour"]}`, "is_global": false}
	maps.Copy(app, more)
	return app
}

// pagesForApps returns faults that respond to requests for import apps with an HTML page or a 410.
func pagesForApps(fault testserver.Fault) []testserver.Fault {
	var all []testserver.Fault
	for _, op := range api.AllOperations() {
		if strings.HasPrefix(op.ID, "pipeline_import_apps_") {
			fault.Operation = op.ID
			all = append(all, fault)
		}
	}
	return all
}

// After PostHog has removed import apps, an app stays in the state. The plan does not change the app, provider settings
// still apply, and a destroy reports what remains in PostHog.
func TestL15ResourceOfRemovedApps(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*acctest.Env){
		"endpoint not found": func(env *acctest.Env) { env.SetRemoved(testserver.RemovedImportApps) },
		"410":                func(env *acctest.Env) { env.SetFaults(pagesForApps(testserver.Fault{Status: http.StatusGone})...) },
		"a page": func(env *acctest.Env) {
			env.SetFaults(pagesForApps(testserver.Fault{Status: http.StatusNotFound, HTML: true})...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			app := env.Resource(t, typeName)
			require.Empty(t, app.Apply(orders(nil)).Errors().Text())
			remove(env)

			found := app.Refresh()
			require.Empty(t, found.Errors().Text())
			assert.Contains(t, found.Text(), removedTitle)
			assert.Contains(t, found.Text(), "guides/removed_import_apps")
			assert.Empty(t, app.Refresh().Text(), "the warning must appear only once in a run")
			assert.Equal(t, "First", app.State("description"))

			for what, change := range map[string]object{
				"nothing": {}, "a text": {"description": "Second"}, "JSON": {"capabilities": `{"methods":[]}`}, "a flag": {"is_global": true},
				"no text any more": {"description": nil}, "the type": {"plugin_type": "local", "name": "Other"},
			} {
				plan := app.Plan(orders(change))
				assert.Empty(t, plan.Diagnostics.Text(), what)
				assert.True(t, app.IsEmpty(plan), what)
				assert.Empty(t, plan.RequiresReplace, what)
			}

			plan := app.Plan(orders(object{"url": "https://github.com/example/orders", "description": "Second"}))
			assert.Empty(t, plan.RequiresReplace, "a plan must not replace an app that PostHog cannot create again")
			assert.Equal(t, "First", plan.Attribute(t, "description"))

			require.Empty(t, app.Apply(orders(object{"timeouts": object{"read": "1m"}, "description": "Second"})).Text())
			assert.Equal(t, "First", app.State("description"), "the state must not contain a change that was not carried out")
			found = app.Apply(orders(object{"timeouts": object{"read": "1m"}, "icon": "https://example.com/i.png"}))
			assert.Contains(t, found.Errors().Text(), `Could not update pipeline import app "Orders"`)
			assert.Nil(t, app.State("icon"))

			found = app.Destroy()
			require.Empty(t, found.Errors().Text())
			assert.Contains(t, found.Text(), `Removed from the state only: pipeline import app "Orders"`)
			assert.Contains(t, found.Text(), env.OrganizationID+"/1")
			assert.Len(t, env.Apps(t), 1)
		})
	}
}

// Creating an app fails after the removal. The error links to the guide, and the plan warns if a read has detected
// the removal.
func TestL15CreateOfARemovedApp(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	apps := env.Resources(t, typeName, 2)
	require.Empty(t, apps[0].Apply(orders(nil)).Errors().Text())
	env.SetRemoved(testserver.RemovedImportApps)
	apps[0].Refresh()

	found := apps[1].Apply(object{"name": "New", "plugin_type": "source", "capabilities": `{"methods":[]}`})
	assert.Contains(t, found.Errors().Text(), `Could not create pipeline import app "New"`)
	assert.Contains(t, found.Errors().Text(), "Remove the resources and import blocks of new apps from the configuration")
	assert.Contains(t, found.Errors().Text(), "guides/removed_import_apps")
	assert.Nil(t, apps[1].State("id"))
}

// If every request gets an HTML page or a 410, the URL is wrong. The provider then keeps the state and does not warn of
// a removal.
func TestL15WrongAddressIsNoRemoval(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]testserver.Fault{
		"a page": {Status: http.StatusNotFound, HTML: true}, "410": {Status: http.StatusGone}, "a login page": {HTML: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			app := env.Resource(t, typeName)
			require.Empty(t, app.Apply(orders(nil)).Errors().Text())
			env.SetFaults(fault)
			assert.Contains(t, app.Refresh().Errors().Text(), `Could not read pipeline import app "Orders"`)
			assert.Contains(t, app.Destroy().Errors().Text(), `Could not delete pipeline import app "Orders"`)
			assert.Equal(t, "First", app.State("description"))
		})
	}
}

// Data sources and lists of removed apps report the removal once and return nothing.
func TestL15LookupsOfRemovedApps(t *testing.T) {
	t.Parallel()
	for typeName, config := range map[string]object{
		"posthog_pipeline_import_app": {"name": "Orders"}, "posthog_pipeline_import_apps": {}, "posthog_pipeline_import_app_source": {"app_id": 1},
		"posthog_pipeline_import_app_updates": {"app_id": 1}, "posthog_pipeline_import_apps_activity": {}, "posthog_pipeline_import_apps_repository": {},
		"posthog_pipeline_import_apps_unused": {}, "posthog_pipeline_import_apps_exports_unsubscribe_configs": {},
	} {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			env.SetRemoved(testserver.RemovedImportApps)
			state, found := env.ReadDataSource(t, typeName, config)
			require.Empty(t, found.Errors().Text())
			assert.Contains(t, found.Text(), removedTitle)
			for name, value := range state {
				switch name {
				case "organization_id":
					assert.Equal(t, env.OrganizationID, value)
				case "pipeline_import_apps":
					assert.Empty(t, value)
					assert.NotNil(t, value, "the list must not be null, because for_each and length do not accept null")
				default:
					assert.Equal(t, config[name] == nil, value == nil, "%s: %v", name, value)
				}
			}
		})
	}

	env := acctest.Start(t)
	env.SetRemoved(testserver.RemovedImportApps)
	listed, found := env.List(t, "posthog_pipeline_import_app", object{}, true, 100)
	assert.Empty(t, listed)
	require.Empty(t, found.Errors().Text())
	assert.Contains(t, found.Text(), removedTitle)

	_, found = env.Invoke(t, "posthog_pipeline_import_app_upgrade", object{"app_id": 1})
	assert.Contains(t, found.Errors().Text(), "Could not upgrade import app 1")
	assert.Contains(t, found.Errors().Text(), "guides/removed_import_apps")
}
