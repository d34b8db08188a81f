package importapp_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const elsewhere = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"

// After an edit to one word, all computed attributes stay known.
func TestOneWordEdit(t *testing.T) {
	t.Parallel()
	app := acctest.Start(t).Resource(t, typeName)
	require.Empty(t, app.Apply(object{"name": "Orders"}).Errors().Text())
	plan := app.Plan(object{"name": "Refunds"})
	for name, planned := range plan.Attributes(t) {
		if name == "name" {
			assert.Equal(t, "Refunds", planned)
			continue
		}
		assert.Equal(t, app.State(name), planned, name)
	}
}

// If the configuration omits an attribute, PostHog's value is kept. If the configuration sets the attribute, the
// configured value is restored.
func TestSilentConfiguration(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{
		"url": "https://example.com/a?b=c", "plugin_type": "repository", "name": "Orders", "is_global": true,
		"metrics": `{"n":"sum"}`, "config_schema": `[{}]`,
	}).Errors().Text())
	plan := app.Plan(object{})
	assert.Equal(t, "https://example.com/a?b=c", plan.Attribute(t, "url"))
	assert.Empty(t, plan.RequiresReplace)
	assert.Nil(t, plan.Attribute(t, "plugin_type"))
	assert.Nil(t, plan.Attribute(t, "name"))
	assert.Equal(t, false, plan.Attribute(t, "is_global"))
	assert.Equal(t, "{}", plan.Attribute(t, "metrics"))
	assert.Equal(t, "{}", plan.Attribute(t, "config_schema"))

	edited(t, env, 1, object{"plugin_type": "custom", "metrics": nil, "public_jobs": []any{}})
	require.Empty(t, app.Refresh().Text())
	plan = app.Plan(object{})
	assert.Equal(t, "custom", plan.Attribute(t, "plugin_type"), "the plan must contain the type that PostHog sets for an app with a URL")
	assert.Equal(t, "{}", plan.Attribute(t, "metrics"), "an omitted key must have PostHog's default")
	assert.Equal(t, "[]", plan.Attribute(t, "public_jobs"))
}

// edited changes an app on the server as a teammate would. A null removes a key.
func edited(t *testing.T, env *acctest.Env, id int64, patch object) {
	t.Helper()
	_, err := env.Server.PatchApp(id, patch)
	require.NoError(t, err)
}

// PostHog may read a new app's name and description from its code, so they are unknown in the plan. A new app without a
// URL keeps the configured ones.
func TestPlanOfInstallation(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, url := range []any{"https://example.com/a", tftypes.UnknownValue} {
		plan := env.Resource(t, typeName).Plan(object{"url": url, "tag": "v1"})
		require.Empty(t, plan.Diagnostics.Errors().Text())
		for _, name := range []string{"plugin_type", "name", "description", "icon"} {
			assert.Equal(t, tftypes.UnknownValue, plan.Attribute(t, name), name)
		}
		assert.Equal(t, "v1", plan.Attribute(t, "tag"))
	}
	plan := env.Resource(t, typeName).Plan(object{})
	for _, name := range []string{"plugin_type", "name", "description", "icon", "tag", "url"} {
		assert.Nil(t, plan.Attribute(t, name), name)
	}
	assert.NotContains(t, env.Operations(), "pipeline_import_apps_create", "a plan must not write")
}

func TestReplacement(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{"url": "https://example.com/a?ref=1"}).Errors().Text())

	for name, c := range map[string]struct {
		config   object
		replaces string
	}{
		"same":               {object{"url": "https://example.com/a?ref=1"}, ""},
		"silent":             {object{}, ""},
		"same organization":  {object{"organization_id": env.OrganizationID}, ""},
		"another query":      {object{"url": "https://example.com/a?ref=2"}, "url"},
		"no query":           {object{"url": "https://example.com/a"}, "url"},
		"another address":    {object{"url": "https://example.com/b"}, "url"},
		"unknown address":    {object{"url": tftypes.UnknownValue}, "url"},
		"other organization": {object{"organization_id": elsewhere}, "organization_id"},
	} {
		plan := app.Plan(c.config)
		require.Empty(t, plan.Diagnostics.Text(), name)

		if c.replaces == "" {
			assert.Empty(t, plan.RequiresReplace, name)
			assert.True(t, app.IsEmpty(plan), name)
			continue
		}

		require.Len(t, plan.RequiresReplace, 1, name)
		assert.Equal(t, tftypes.NewAttributePath().WithAttributeName(c.replaces), plan.RequiresReplace[0], name)
	}
}

// A changed default organization moves no app, and causes a warning.
func TestChangedOrganizationOfProvider(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	first := env.Resource(t, typeName)
	require.Empty(t, first.Apply(object{"name": "Orders"}).Errors().Text())
	env.Environment["POSTHOG_ORGANIZATION_ID"] = elsewhere
	later := env.Resource(t, typeName)
	require.Empty(t, later.Import(env.OrganizationID+"/1").Text())
	plan := later.Plan(object{"name": "Orders"})
	assert.False(t, plan.Diagnostics.HasError())
	assert.True(t, later.IsEmpty(plan))
	for _, word := range []string{"WARNING", `"Orders"`, elsewhere, env.OrganizationID} {
		assert.Contains(t, plan.Diagnostics.Text(), word)
	}

	delete(env.Environment, "POSTHOG_ORGANIZATION_ID")
	plan = env.Resource(t, typeName).Plan(object{})
	assert.True(t, plan.Diagnostics.HasError())
	assert.Contains(t, plan.Diagnostics.Text(), "POSTHOG_ORGANIZATION_ID")
}

// Values that PostHog would reject are errors in the plan, on their attribute.
func TestRefusedAtPlan(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)

	for name, c := range map[string]struct {
		config object
		says   string
	}{
		"plugin_type":        {object{"plugin_type": "remote"}, "Known values: local, custom, repository, source, inline."},
		"plugin_type, empty": {object{"plugin_type": ""}, "Known values"},
		"name":               {object{"name": strings.Repeat("é", 201)}, "at most 200"},
		"tag":                {object{"tag": strings.Repeat("a", 201)}, "at most 200"},
		"icon":               {object{"icon": strings.Repeat("a", 801)}, "at most 800"},
		"url":                {object{"url": "https://" + strings.Repeat("a", 793)}, "at most 800"},
		"config_schema":      {object{"config_schema": "null"}, "Omit the attribute"},
		"capabilities":       {object{"capabilities": `"text"`}, "must be a JSON object or list"},
		"capabilities, key":  {object{"capabilities": `{"scheduled_task":["runEveryHour"]}`}, "capabilities has the unknown key scheduled_task. Did you mean scheduled_tasks?"},
		"metrics":            {object{"metrics": "7"}, "must be a JSON object or list"},
		"public_jobs":        {object{"public_jobs": "{"}, "JSON"},
	} {
		found := env.Resource(t, typeName).Plan(c.config).Diagnostics.Errors()
		require.NotEmpty(t, found, name)
		attribute, _, _ := strings.Cut(name, ",")
		assert.Equal(t, tftypes.NewAttributePath().WithAttributeName(attribute), found[0].Attribute, name)
		assert.Contains(t, found.Text(), c.says, name)
	}

	fits := object{
		"name": strings.Repeat("é", 200), "tag": strings.Repeat("a", 200), "icon": strings.Repeat("a", 800),
		"url": "https://" + strings.Repeat("a", 792), "description": strings.Repeat("a", 5000),
	}
	require.Empty(t, env.Resource(t, typeName).Apply(fits).Errors().Text())
}

// A value that PostHog returned is accepted, even if it is unknown.
func TestNewerPluginType(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{"name": "Orders"}).Errors().Text())
	edited(t, env, 1, object{"plugin_type": "wasm"})
	require.Empty(t, app.Refresh().Text())
	assertQuiet(t, app, object{"name": "Orders", "plugin_type": "wasm"}, "newer type")
	assert.True(t, app.Plan(object{"plugin_type": "wasm2"}).Diagnostics.HasError())
}

// An attribute that is missing from the response keeps its value, with a warning.
func TestAnswerThatLacksKeys(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.SetFaults(testserver.Fault{Method: http.MethodPost, Status: http.StatusCreated, Body: object{"id": 7, "name": "Orders"}})
	app := env.Resource(t, typeName)
	found := app.Apply(object{"name": "Orders", "tag": "v1", "metrics": `{"n":"sum"}`})
	require.False(t, found.HasError(), found.Text())
	assert.Contains(t, found.Text(), "metrics, tag")
	assert.Equal(t, int64(7), app.State("id"))
	assert.Equal(t, "v1", app.State("tag"))
	assert.Equal(t, `{"n":"sum"}`, app.State("metrics"))
	assert.Nil(t, app.State("is_global"))
	assert.Nil(t, app.State("latest_tag"))

	// Changing an is_global that was never returned to false sends no request.
	env.SetFaults(testserver.Fault{Method: http.MethodGet, Status: http.StatusOK, Body: answered("Orders")})
	require.Empty(t, app.Apply(object{"name": "Orders", "tag": "v1", "metrics": `{"n":"sum"}`, "is_global": false}).Errors().Text())
	assert.Equal(t, false, app.State("is_global"))
	assert.Equal(t, `{"n":"sum"}`, app.State("metrics"))
	assert.Equal(t, map[string]int{"": 1, "pipeline_import_apps_list": 2, "pipeline_import_apps_create": 1, "pipeline_import_apps_retrieve": 2}, env.Operations(),
		"expected requests: the scopes of the key (which this profile lacks), the organization, the existing apps, a search for a hidden app, and the empty update")
}

// An apply keeps the planned values even if teammates edit the app in the meantime. The next plan shows their edits.
func TestOthersMoveBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{"name": "Orders", "tag": "v1"}).Errors().Text())
	edited(t, env, 1, object{"latest_tag": "v9", "tag": "v2", "icon": "https://example.com/i.png", "metrics": object{"n": "sum"}})
	require.Empty(t, app.Apply(object{"name": "Refunds", "tag": "v1"}).Errors().Text())
	assert.JSONEq(t, `{"name":"Refunds"}`, env.RequestBodies(t, http.MethodPatch)[0])
	assert.Nil(t, app.State("latest_tag"), "the state must contain the planned value")
	assert.Equal(t, "v1", app.State("tag"))
	require.Empty(t, app.Refresh().Text())
	for name, want := range map[string]any{"latest_tag": "v9", "tag": "v2", "icon": "https://example.com/i.png", "metrics": `{"n":"sum"}`} {
		assert.Equal(t, want, app.State(name), name)
	}
}

// If PostHog stores a different text than the configured one, one warning shows this. The plan stays empty until
// PostHog returns a third text.
func TestServiceChangesWhatIsWritten(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	config := object{"name": "Orders", "tag": "v1"}
	env.SetFaults(testserver.Fault{Method: http.MethodPost, Status: http.StatusCreated, Body: answered("From the code")})
	app := env.Resource(t, typeName)
	found := app.Apply(config)
	require.False(t, found.HasError(), found.Text())
	assert.Contains(t, found.Text(), `It changed name`)
	assert.Equal(t, "Orders", app.State("name"))
	for _, stored := range []string{"From the code", "From a person"} {
		env.SetFaults(testserver.Fault{Method: http.MethodGet, Status: http.StatusOK, Body: answered(stored)})
		require.Empty(t, app.Refresh().Text())
		assert.Equal(t, stored == "From the code", app.IsEmpty(app.Plan(config)), stored)
	}
	assert.Equal(t, "From a person", app.State("name"))
}

// answered returns a response that a server might send to a create with tag v1.
func answered(name string) object {
	return object{
		"id": 7, "name": name, "description": nil, "icon": nil, "plugin_type": nil, "url": nil, "tag": "v1", "is_global": false,
		"config_schema": object{}, "capabilities": object{}, "metrics": object{}, "public_jobs": object{},
	}
}

// If PostHog never returned is_global, the provider does not send a null.
func TestMissingIsGlobalIsNotSent(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.SetFaults(testserver.Fault{Method: http.MethodPost, Status: http.StatusCreated, Body: object{"id": 7, "name": "Orders"}},
		testserver.Fault{Operation: "pipeline_import_apps_retrieve", Status: http.StatusOK, Body: object{"id": 7, "name": "Orders"}},
		testserver.Fault{Method: http.MethodPatch, Status: http.StatusOK, Body: object{"id": 7, "name": "Orders2"}})
	app := env.Resource(t, typeName)
	require.Empty(t, app.Apply(object{"name": "Orders"}).Errors().Text())
	require.Empty(t, app.Apply(object{"name": "Orders2"}).Errors().Text())
	assert.Equal(t, []string{`{"name":"Orders2"}`}, env.RequestBodies(t, http.MethodPatch))
}

const typeName = "posthog_pipeline_import_app"

type object = map[string]any

// quietInputs are valid configurations that plan no change after an apply and after an import.
var quietInputs = map[string]object{
	"nothing":               {},
	"name":                  {"name": "Orders"},
	"name, unicode":         {"name": "Bestellungen \U0001F600 e\u0301"},
	"empty texts":           {"name": "", "description": "", "icon": "", "tag": ""},
	"defaults spelled out":  {"is_global": false, "config_schema": "{}", "capabilities": "{}", "metrics": "{}", "public_jobs": "{}"},
	"empty lists":           {"config_schema": "[]", "capabilities": "[]", "metrics": "[]", "public_jobs": "[]"},
	"global":                {"is_global": true},
	"source":                {"plugin_type": "source", "name": "Orders"},
	"url":                   {"url": "https://github.com/example/orders"},
	"url and type":          {"url": "https://github.com/example/orders", "plugin_type": "custom"},
	"url with query":        {"url": "https://github.com/example/orders?ref=main&b=c?d"},
	"file":                  {"url": "file:/plugins/orders", "plugin_type": "local"},
	"config_schema, list":   {"config_schema": `[{"key":"shop","type":"string"}]`},
	"config_schema, map":    {"config_schema": `{"shop":{"type":"string"}}`},
	"config_schema, pretty": {"config_schema": "[\n  { \"type\" : \"string\", \"key\" : \"shop\" }\n]\n"},
	"capabilities":          {"capabilities": `{"jobs":[],"methods":[],"scheduled_tasks":["runEveryMinute"]}`},
	"metrics, numbers":      {"metrics": `{"n":9007199254740993,"f":0.1000,"e":1e3}`},
	"public_jobs, HTML":     {"public_jobs": `{"a > b & <c>":{"payload":null}}`},
}

func TestQuietAfterApplyAndImport(t *testing.T) {
	t.Parallel()
	for name, config := range quietInputs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			app := env.Resource(t, typeName)
			require.Empty(t, app.Apply(config).Errors().Text())
			assertQuiet(t, app, config, "after apply")
			require.Empty(t, app.Refresh().Text())
			assertQuiet(t, app, config, "after refresh")
			imported := env.Resource(t, typeName)
			require.Empty(t, imported.Import(fmt.Sprint(app.State("id"))).Text())
			assertQuiet(t, imported, config, "after import")
			assert.NotContains(t, env.Operations(), "pipeline_import_apps_partial_update")
		})
	}
}

func assertQuiet(t *testing.T, app *acctest.Resource, config object, when string) {
	t.Helper()
	plan := app.Plan(config)
	require.False(t, plan.Diagnostics.HasError(), plan.Diagnostics.Text())
	for name, planned := range plan.Attributes(t) {
		assert.Equal(t, app.State(name), planned, "%s: %s", when, name)
	}
	assert.True(t, app.IsEmpty(plan), when)
}

// L12: a plan before a read equals the plan after the read, for apps that were imported or applied and then changed.
func TestL12PlanBeforeRead(t *testing.T) {
	t.Parallel()

	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))

			rapid.Check(t, func(r *rapid.T) {
				if isLeftOut(r) {
					return
				}

				app, config := drawnState(t, r, env)
				if rapid.Bool().Draw(r, "refreshed") {
					app.Refresh()
				}
				if rapid.Bool().Draw(r, "from a state file") {
					app.Upgrade()
				}

				driftOfApp(r, env)
				if difference := app.PlanBeforeRead(config); difference != "" {
					r.Fatal(difference)
				}
			})
		})
	}
}

// drawnState returns an app that was imported and possibly applied, and a configuration.
func drawnState(t *testing.T, r *rapid.T, env *acctest.Env) (*acctest.Resource, map[string]any) {
	t.Helper()
	stored := drawnApps.Draw(r, "app")
	maps.Copy(stored, map[string]any{"id": 7, "organization_id": env.OrganizationID, "name": "App", "url": "https://example.com/app"})
	if _, shown := stored["capabilities"]; !shown {
		stored["capabilities"] = map[string]any{"methods": []any{"setupPlugin"}}
	}
	document, err := json.Marshal(map[string]any{"pipeline_import_apps": []any{stored}})
	if err != nil {
		r.Fatal(err)
	}
	env.SetFixtures(string(document))

	app := env.Resource(t, typeName)
	if found := app.Import("7").Errors(); found != nil {
		r.Fatal(found.Text())
	}
	config := func(label string) map[string]any {
		config := map[string]any{"name": "App", "url": "https://example.com/app"}
		for _, name := range []string{"description", "icon", "tag", "plugin_type", "is_global", "config_schema", "capabilities", "metrics", "public_jobs"} {
			value := app.State(name)
			switch rapid.IntRange(0, 5).Draw(r, label+" "+name) {
			case 0:
				continue
			case 1:
				value = map[bool]any{true: false, false: `{"a":1}`}[name == "is_global"]
			}
			if value != nil {
				config[name] = value
			}
		}
		return config
	}
	if rapid.Bool().Draw(r, "applied") {
		app.Apply(config("applied"))
	}
	return app, config("configured")
}

// driftOfApp makes an edit in PostHog as a teammate would.
func driftOfApp(r *rapid.T, env *acctest.Env) {
	switch rapid.IntRange(0, 4).Draw(r, "drift") {
	case 0:
		env.PatchApp(7, testserver.Object{"description": "by hand"})
	case 1:
		env.PatchApp(7, testserver.Object{"name": "By hand"})
	case 2:
		env.PatchApp(7, testserver.Object{"metrics": map[string]any{"events": "max"}})
	case 3:
		env.PatchApp(7, testserver.Object{"capabilities": map[string]any{}})
	}
}
