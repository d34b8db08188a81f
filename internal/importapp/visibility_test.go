package importapp_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// installable is an organization that may install apps. In the hosted profile, the default organization may not.
const installable = `{"organizations":[{"id":"0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6","name":"Test organization","plugins_access_level":9}]}`

const shown = `{"scheduled_tasks":["runEveryHour"]}`

// If PostHog hides an app, the plan and the create warn of it. The app stays in the state, because a 404 does not
// prove that it was deleted.
func TestHiddenAppIsNotLost(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(installable))
	app := env.Resource(t, typeName)
	config := object{"name": "Orders", "plugin_type": "source", "capabilities": `{"methods":["processEvent"]}`}
	diags := app.Apply(config)
	require.Empty(t, diags.Errors().Text())
	assert.Contains(t, diags.Text(), `PostHog would hide this app: "Orders"`)
	assert.Contains(t, diags.Text(), `PostHog hides the import app: "Orders"`)
	require.NotNil(t, app.State("id"))

	diags = app.Refresh()
	require.Empty(t, diags.Errors().Text())
	assert.Contains(t, diags.Text(), `PostHog hides the import app: "Orders"`)
	assert.True(t, app.IsEmpty(app.Plan(config)))
	assert.Contains(t, app.Destroy().Text(), `may still exist: "Orders"`)
	assert.Len(t, env.Apps(t), 1)
	assert.Equal(t, 1, env.Operations()["pipeline_import_apps_create"])
}

func TestWarningsOfHiding(t *testing.T) {
	t.Parallel()
	for capabilities, hides := range map[string]bool{
		"": true, `{}`: true, `{"scheduled_tasks":[]}`: true, `{"methods":["onEvent"]}`: true,
		`{"methods":["exportEvents","composeWebhook"]}`: true, `{"jobs":["a"]}`: true,
		shown: false, `{"methods":[]}`: false, `{"methods":["setupPlugin"]}`: false,
		`{"methods":["onEvent"],"scheduled_tasks":["runEveryMinute"]}`: false,
	} {
		config := object{"name": "Orders", "plugin_type": "source"}
		if capabilities != "" {
			config["capabilities"] = capabilities
		}
		plan := acctest.Start(t).Resource(t, typeName).Plan(config)
		require.Empty(t, plan.Diagnostics.Errors().Text())
		if hides {
			assert.Contains(t, plan.Diagnostics.Text(), "would hide this app", capabilities)
		} else {
			assert.Empty(t, plan.Diagnostics.Text(), capabilities)
		}
	}
}

// Values that PostHog reads from an app's code, or rewrites later, cause no difference.
func TestServedValuesAreQuiet(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(installable))
		app := env.Resource(t, typeName)
		config := object{"plugin_type": "source", "name": "Orders", "capabilities": shown}
		require.Empty(t, app.Apply(config).Errors().Text())
		id, _ := app.State("id").(int64)
		edited(t, env, id, object{
			"capabilities": object{"scheduled_tasks": []any{"runEveryHour"}, "methods": []any{"setupPlugin"}, "jobs": []any{}},
			"public_jobs":  object{"import": object{}}, "description": "From the code", "tag": "abc",
		})
		require.Empty(t, app.Refresh().Text())
		assertQuiet(t, app, config, string(profile))

		config["description"] = "Ours"
		require.Empty(t, app.Apply(config).Errors().Text())
		delete(config, "description")
		require.Empty(t, app.Apply(config).Errors().Text())
		assert.Nil(t, app.State("description"), "an attribute that is removed from the configuration must be reset")
	}
}

// A7: an app that an update hides stays in the state. It is neither reported as deleted nor created again.
func TestA7UpdateThatHidesAnApp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  []testserver.Fault
		reason string
	}{
		"reported at once":  {nil, "PostHog hides the import app"},
		"the look-up fails": {[]testserver.Fault{{Operation: "pipeline_import_apps_retrieve", Status: 403, From: 2, To: 2}}, "would hide this app"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(installable))
			app := env.Resource(t, typeName)
			config := object{"name": "Orders", "plugin_type": "source", "capabilities": shown}
			require.Empty(t, app.Apply(config).Text())

			config["capabilities"] = `{}`
			env.SetFaults(c.fault...)
			hidden := app.Apply(config)
			require.Empty(t, hidden.Errors().Text())
			assert.Contains(t, hidden.Text(), c.reason)

			env.NextRun(t, app)
			read := app.Refresh().Text()
			assert.Contains(t, read, "PostHog hides the import app")
			assert.NotContains(t, read, "outside Terraform")
			require.True(t, app.Exists())
			assert.True(t, app.IsEmpty(app.Plan(config)))
			assert.Len(t, env.Apps(t), 1)
		})
	}
}

// A hidden app's capabilities cannot be restored. One error explains why, and what to do.
func TestHiddenAppWhoseCapabilitiesArePutBack(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(installable))
	app := env.Resource(t, typeName)
	config := object{"name": "Orders", "plugin_type": "source", "capabilities": `{}`}
	require.Empty(t, app.Apply(config).Errors().Text())

	env.NextRun(t, app)
	require.Empty(t, app.Refresh().Errors().Text())
	config["capabilities"] = shown
	diags := app.Apply(config)
	require.Len(t, diags.Errors(), 1, diags.Text())
	assert.Contains(t, diags.Errors().Text(), "PostHog hides it")
	assert.Contains(t, diags.Errors().Text(), "terraform state rm")
	assert.NotContains(t, diags.Text(), "was deleted, or belongs to another organization")
	assert.True(t, app.Exists())
}

// Capabilities that are not a list hide the app, as do lists without an import capability.
func TestCapabilitiesAreLists(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(installable))
	for _, capabilities := range []string{`{"scheduled_tasks":"runEveryHour"}`, `{"scheduled_tasks":["runEveryHour"],"methods":{"a":1}}`} {
		diags := env.Resource(t, typeName).Plan(object{"name": "Orders", "plugin_type": "source", "capabilities": capabilities}).Diagnostics
		require.Len(t, diags, 1, diags.Text())
		assert.Contains(t, diags.Text(), "PostHog would hide this app")
	}
}

// Any capabilities that PostHog already has are accepted.
func TestCapabilitiesThatTheServiceHolds(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	config := object{"name": "Orders", "plugin_type": "source", "capabilities": shown}
	require.Empty(t, app.Apply(config).Errors().Text())
	id, _ := app.State("id").(int64)
	edited(t, env, id, object{"capabilities": object{"scheduled_tasks": "runEveryHour"}})
	config["capabilities"] = `{"scheduled_tasks":"runEveryHour"}`
	imported := env.Resource(t, typeName)
	require.Empty(t, imported.Import(fmt.Sprint(id)).Errors().Text())
	app = imported
	plan := app.Plan(config)
	assert.Empty(t, plan.Diagnostics.Errors().Text())
	assert.True(t, app.IsEmpty(plan))
}

// A plan warns of a new app without a URL, unless the app contains its own code.
func TestPlanWarnsOfMissingURL(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys  object
		warns bool
	}{
		"no type":       {object{}, true},
		"custom":        {object{"plugin_type": "custom"}, true},
		"source":        {object{"plugin_type": "source"}, false},
		"with a url":    {object{"url": "https://github.com/acme/app"}, false},
		"type unknown":  {object{"plugin_type": tftypes.UnknownValue}, false},
		"url not known": {object{"url": tftypes.UnknownValue}, false},
	} {
		c.keys["name"], c.keys["capabilities"] = "Orders", shown
		diags := acctest.Start(t).Resource(t, typeName).Plan(c.keys).Diagnostics
		require.Empty(t, diags.Errors().Text(), name)
		if c.warns {
			assert.Contains(t, diags.Text(), "The import app has no url", name)
		} else {
			assert.NotContains(t, diags.Text(), "The import app has no url", name)
		}
	}
}
