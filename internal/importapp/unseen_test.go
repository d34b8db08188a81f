package importapp_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// An edit between plan and apply isn't overwritten. An update sends one more request for this check.
func TestL11UnseenEditsOfAppsAreNotOverwritten(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for _, name := range []string{"config_schema", "metrics", "public_jobs"} {
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				app := env.Resource(t, "posthog_pipeline_import_app")
				config := func(value, description string) map[string]any {
					return map[string]any{
						"name": "GeoIP", "plugin_type": "source", "description": description,
						"capabilities": `{"methods":["fetch"]}`, name: `{"a":{"key":"` + value + `"}}`,
					}
				}
				applied := app.Apply(config("x", "first"))
				require.False(t, applied.HasError(), applied.Text())

				env.ResetJournal()
				require.Empty(t, app.Apply(config("x", "second")).Errors())
				assert.Equal(t, map[string]int{"pipeline_import_apps_retrieve": 1, "pipeline_import_apps_partial_update": 1}, env.Operations())
				env.ResetJournal()
				require.Empty(t, app.Apply(config("y", "second")).Errors())
				assert.Equal(t, map[string]int{"pipeline_import_apps_retrieve": 1, "pipeline_import_apps_partial_update": 1}, env.Operations())

				plan := app.Plan(config("z", "third"))
				env.PatchApp(app.State("id").(int64), testserver.Object{name: map[string]any{"a": map[string]any{"key": "theirs"}}})
				env.ResetJournal()
				refused := app.ApplyPlan(plan)
				require.True(t, refused.HasError())
				assert.Contains(t, refused.Text(), name+`.a.key: "y" -> "theirs"`)
				assert.Empty(t, env.RequestBodies(t, http.MethodPatch))

				require.Empty(t, app.Refresh().Errors())
				require.Empty(t, app.Apply(config("z", "third")).Errors())
			})
		}
	}
}

// The check covers every attribute. A destroy makes the same check.
func TestN5AppsAreNotChangedUnseen(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		for name, value := range map[string]any{"name": "Theirs", "description": "theirs", "icon": "theirs", "tag": "theirs"} {
			t.Run(string(profile)+" "+name, func(t *testing.T) {
				t.Parallel()
				env := acctest.Start(t, acctest.Profile(profile))
				app := env.Resource(t, "posthog_pipeline_import_app")
				config := map[string]any{"name": "GeoIP", "plugin_type": "source", "capabilities": `{"methods":["fetch"]}`, name: "before"}
				require.Empty(t, app.Apply(config).Errors().Text())
				config[name] = "after"
				plan := app.Plan(config)

				env.PatchApp(app.State("id").(int64), testserver.Object{name: value})
				says := name + `: "before" -> "` + value.(string) + `"`
				assert.Contains(t, app.ApplyPlan(plan).Errors().Text(), says)
				assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
				refused := app.Destroy().Errors().Text()
				assert.Contains(t, refused, says)
				assert.Contains(t, refused, "Terraform deleted nothing. Run terraform plan")
				assert.Zero(t, env.Operations()["pipeline_import_apps_destroy"])

				require.Empty(t, app.Refresh().Errors().Text())
				env.ResetJournal()
				require.Empty(t, app.Destroy().Errors().Text())
				assert.Equal(t, map[string]int{"pipeline_import_apps_retrieve": 1, "pipeline_import_apps_destroy": 1}, env.Operations())
			})
		}
	}
}

// L11: an edit while an update or a destroy waits is detected.
func TestL11AppsAreLookedAtAgainAfterAWait(t *testing.T) {
	t.Parallel()
	for operation, write := range map[string]func(app *acctest.Resource) acctest.Diagnostics{
		"pipeline_import_apps_partial_update": func(app *acctest.Resource) acctest.Diagnostics {
			return app.Apply(map[string]any{"name": "GeoIP", "plugin_type": "source", "description": "b"})
		},
		"pipeline_import_apps_destroy": func(app *acctest.Resource) acctest.Diagnostics { return app.Destroy() },
	} {
		env := acctest.Start(t)
		app := env.Resource(t, "posthog_pipeline_import_app")
		require.Empty(t, app.Apply(map[string]any{"name": "GeoIP", "plugin_type": "source", "description": "a"}).Errors().Text())
		env.SetFaults(
			testserver.Fault{Operation: operation, To: 1, RetryAfter: "4"},
			testserver.Fault{Operation: "pipeline_import_apps_retrieve", From: 2, To: 2, Edit: testserver.Object{"description": "theirs"}},
		)
		assert.Contains(t, write(app).Errors().Text(), `description: "a" -> "theirs"`)
		require.Len(t, env.Apps(t), 1)
		assert.Equal(t, "theirs", env.Apps(t)[0]["description"])
	}
}

// A9: an app that is installed from a URL gets the configured name and description instead of those in its code.
func TestA9ConfiguredNameIsCarriedOut(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(installable))
	app := env.Resource(t, typeName)
	config := object{
		"name": "app3", "description": "Ours", "config_schema": `[{"key":"a","type":"string"}]`,
		"url": "https://github.com/o/r", "capabilities": shown,
	}
	require.Empty(t, app.Apply(config).Text())
	require.Len(t, env.Apps(t), 1)
	assert.Equal(t, "app3", env.Apps(t)[0]["name"])
	assert.Equal(t, "Ours", env.Apps(t)[0]["description"])
	require.Len(t, env.RequestBodies(t, http.MethodPatch), 1)
	assert.JSONEq(t, `{"name":"app3","description":"Ours","config_schema":[{"key":"a","type":"string"}]}`, env.RequestBodies(t, http.MethodPatch)[0])

	require.Empty(t, app.Refresh().Text())
	assert.True(t, app.IsEmpty(app.Plan(config)))
	found, diags := env.ReadDataSource(t, typeName, object{"name": "app3"})
	require.Empty(t, diags.Text())
	assert.Equal(t, app.State("id"), found["id"])
}

// A9: values that the configuration omits, and values that PostHog stored as sent, cause no second request.
func TestA9NothingToCarryOut(t *testing.T) {
	t.Parallel()
	for profile, config := range map[testserver.Profile]object{
		testserver.Hosted:     {"url": "https://github.com/o/r", "capabilities": shown},
		testserver.Documented: {"url": "https://github.com/o/r", "capabilities": shown, "name": "app3"},
	} {
		env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(installable))
		require.Empty(t, env.Resource(t, typeName).Apply(config).Errors().Text())
		assert.Zero(t, env.Operations()["pipeline_import_apps_partial_update"], profile)
	}
}

// A9: an app that is created but cannot be updated stays in the state, with a warning.
func TestA9UpdateFails(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(installable))
	env.SetFaults(testserver.Fault{Operation: "pipeline_import_apps_partial_update", Status: 403})
	app := env.Resource(t, typeName)
	diags := app.Apply(object{"name": "app3", "url": "https://github.com/o/r", "capabilities": shown})
	require.Empty(t, diags.Errors().Text())
	assert.Contains(t, diags.Text(), `The configured values were not written: "`)
	assert.True(t, app.Exists())
}

// shownApp returns an app that every profile shows.
func shownApp() object {
	return object{"name": "Orders", "plugin_type": "source", "capabilities": `{"scheduled_tasks":["runEveryMinute"]}`}
}

// If the response to a create is lost, the app is added to the state. If PostHog may still be processing the create,
// the next run creates the app.
func TestCreateOnce(t *testing.T) {
	t.Parallel()

	cut := 40

	for name, c := range map[string]struct {
		fault testserver.Fault
		runs  int
	}{
		"drop after":  {testserver.Fault{Drop: "after"}, 1},
		"cut":         {testserver.Fault{CutBody: &cut}, 1},
		"500":         {testserver.Fault{Status: 500}, 1},
		"drop before": {testserver.Fault{Drop: "before"}, 2},
		"504":         {testserver.Fault{Status: 504}, 2},
	} {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			t.Run(name+" "+string(profile), func(t *testing.T) {
				t.Parallel()

				env := acctest.Start(t, acctest.Profile(profile))
				once := c.fault
				once.Method, once.To = "POST", 1
				env.SetFaults(once)

				app := env.Resource(t, typeName)

				if c.runs == 2 {
					found := app.Apply(shownApp()).Errors()
					require.Len(t, found, 1)
					assert.Contains(t, found[0].Detail, "First check in PostHog", "the second run must fail, because it would create another app with the same name")
					assert.Nil(t, app.State("id"))
				}

				require.Empty(t, app.Apply(shownApp()).Errors().Text())
				require.Len(t, env.Apps(t), 1)
				require.Empty(t, app.Refresh().Errors().Text())
				assert.True(t, app.IsEmpty(app.Plan(shownApp())))
			})
		}
	}
}

// An older app is not adopted without the user's decision, and the error shows how to import it.
func TestCreateFindsAnOlderApp(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.CreateApp(testserver.Object{"organization_id": env.OrganizationID, "name": "Orders", "plugin_type": "source"})
	env.SetFaults(testserver.Fault{Method: "POST", Drop: "before"})
	app := env.Resource(t, typeName)
	found := app.Apply(object{"name": "Orders", "plugin_type": "source"}).Errors()
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Detail, "to = posthog_pipeline_import_app.example")
	assert.Contains(t, found[0].Detail, `id = "`+env.OrganizationID+`/1"`)
	assert.Nil(t, app.State("id"))
	assert.Len(t, env.Apps(t), 1)
}

// visible is an app that both profiles accept and show, and the request that creates it.
var visible = object{"name": "Orders", "plugin_type": "source", "capabilities": `{"scheduled_tasks":["a"]}`}

const visibleBody = `{"name":"Orders","plugin_type":"source","capabilities":{"scheduled_tasks":["a"]}}`

// step is a configuration to apply, in addition to the attributes that make an app visible, and the body of the
// resulting request. An empty body means that no request is sent.
type step struct {
	config object
	body   string
}

// writes lists, for every configurable attribute, the requests when it is set, changed, and removed.
var writes = map[string][]step{
	"plugin_type": {{object{"plugin_type": "inline"}, `{"plugin_type":"inline"}`}, {object{"plugin_type": nil}, `{"plugin_type":null}`}, {nil, `{"plugin_type":"source"}`}},
	"name":        {{object{"name": "Refunds"}, `{"name":"Refunds"}`}, {object{"name": nil}, `{"name":null}`}, {nil, `{"name":"Orders"}`}},
	"description": {{object{"description": "a"}, `{"description":"a"}`}, {object{"description": "b"}, `{"description":"b"}`}, {nil, `{"description":null}`}},
	"icon":        {{object{"icon": "a"}, `{"icon":"a"}`}, {object{"icon": "b"}, `{"icon":"b"}`}, {nil, `{"icon":null}`}},
	"tag":         {{object{"tag": "v1"}, `{"tag":"v1"}`}, {object{"tag": "v2"}, `{"tag":"v2"}`}, {nil, `{"tag":null}`}},
	// Sending is_global requires permission to manage the whole instance's plugins.
	"is_global": {
		{object{"is_global": false}, ""}, {object{"is_global": true}, `{"is_global":true}`}, {object{"is_global": true, "tag": "v1"}, `{"tag":"v1"}`},
		{object{"is_global": false, "tag": "v1"}, `{"is_global":false}`}, {object{"is_global": true, "tag": "v1"}, `{"is_global":true}`},
		{nil, `{"is_global":false,"tag":null}`},
	},
	"config_schema": {
		{object{"config_schema": `[{"key":"a"}]`}, `{"config_schema":[{"key":"a"}]}`}, {object{"config_schema": `{"a":{}}`}, `{"config_schema":{"a":{}}}`},
		{nil, `{"config_schema":{}}`},
	},
	"capabilities": {
		{object{"capabilities": `{"scheduled_tasks":["b"],"n":9007199254740993}`}, `{"capabilities":{"scheduled_tasks":["b"],"n":9007199254740993}}`},
		{nil, `{"capabilities":{"scheduled_tasks":["a"]}}`},
	},
	"metrics": {
		{object{"metrics": `{"n":"sum"}`}, `{"metrics":{"n":"sum"}}`}, {object{"metrics": `{"n":"max"}`}, `{"metrics":{"n":"max"}}`}, {nil, `{"metrics":{}}`},
	},
	"public_jobs": {
		{object{"public_jobs": `{"a":{}}`}, `{"public_jobs":{"a":{}}}`}, {object{"public_jobs": `{"b":{}}`}, `{"public_jobs":{"b":{}}}`}, {nil, `{"public_jobs":{}}`},
	},
	// An attribute that PostHog cannot change is never part of an update. A new value replaces the app.
	"url":       {{nil, ""}},
	"url_query": {{object{"url": "https://example.com/a", "url_query": "a=b"}, ""}, {nil, ""}},
	"url_query_wo": {
		{object{"url": "https://example.com/a", "url_query_wo": "a=b", "url_query_wo_version": 1}, ""},
		{object{"url": "https://example.com/a", "url_query_wo": "a=c", "url_query_wo_version": 1}, ""}, {nil, ""},
	},
	"url_query_wo_version": {{object{"url": "https://example.com/a", "url_query_wo": "a=b", "url_query_wo_version": 1}, ""}, {nil, ""}},
	"timeouts":             {{object{"timeouts": object{"create": "5m"}}, ""}, {object{"timeouts": object{"read": "5m"}}, ""}, {nil, ""}},
	"organization_id":      {{object{"organization_id": "0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6"}, ""}, {nil, ""}},
}

// Setting, changing, or clearing an attribute sends only that attribute, in both profiles.
func TestMinimalWrites(t *testing.T) {
	t.Parallel()
	var resp resource.SchemaResponse
	importapp.NewResource().Schema(t.Context(), resource.SchemaRequest{}, &resp)
	var configurable []string
	for name, a := range resp.Schema.Attributes {
		if a.IsOptional() || a.IsRequired() {
			configurable = append(configurable, name)
		}
	}
	assert.ElementsMatch(t, configurable, slices.Collect(maps.Keys(writes)), "the table must contain each configurable attribute")
	for name, steps := range writes {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			t.Run(string(profile)+"/"+name, func(t *testing.T) {
				t.Parallel()
				assertWrites(t, acctest.Start(t, acctest.Profile(profile)), append([]step{{nil, visibleBody}}, steps...))
			})
		}
	}
}

// Only the create sends the URL, and it sends only configured attributes.
func TestMinimalCreate(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	require.Empty(t, env.Resource(t, typeName).Apply(object{"url": "https://example.com/a?ref=1", "is_global": false}).Errors().Text())
	assertBodies(t, env, http.MethodPost, `{"url":"https://example.com/a?ref=1"}`)
}

// assertWrites applies the steps and compares the requests.
func assertWrites(t *testing.T, env *acctest.Env, steps []step) {
	t.Helper()
	app := env.Resource(t, typeName)
	for i, one := range steps {
		env.ResetJournal()
		config := maps.Clone(visible)
		maps.Copy(config, one.config)
		applied := app.Apply(config)
		require.Empty(t, applied.Errors().Text(), "step %d", i)
		sent := append(env.RequestBodies(t, http.MethodPost), env.RequestBodies(t, http.MethodPatch)...)
		if one.body == "" {
			assert.Empty(t, sent, "step %d", i)
			continue
		}
		require.Len(t, sent, 1, "step %d", i)
		if !attribute.SameJSON(one.body, sent[0]) {
			assert.Fail(t, "unexpected request", "step %d sent\n%s\nwant\n%s", i, sent[0], one.body)
		}
	}
}
