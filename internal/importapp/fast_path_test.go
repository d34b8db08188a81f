package importapp_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	_ "github.com/surveys-as-code/terraform-provider-posthog/internal/testing/property"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// The generated configuration of an app omits default values, and plans no change.
func TestGeneratedConfig(t *testing.T) {
	t.Parallel()

	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		env := acctest.Start(t, acctest.Profile(profile), acctest.Fixtures(`{"organizations":[{"id":"018d4b5c-0000-7000-8000-000000000001","name":"Acme"}],
			"pipeline_import_apps":[{"organization_id":"018d4b5c-0000-7000-8000-000000000001","id":7,"name":"Tickets","plugin_type":"local",
				"url":"file:/apps/tickets","capabilities":{"scheduled_tasks":["runEveryHour"]}}]}`))
		o := env.Resource(t, typeName)
		require.Empty(t, o.Import("7").Errors().Text())
		config, plan := o.PlanGeneratedConfig()
		require.Empty(t, plan.Diagnostics.Errors().Text())
		require.True(t, o.IsEmpty(plan))

		var names []string
		for name, value := range config {
			if value != nil {
				names = append(names, name)
			}
		}
		assert.Subset(t, []string{"name", "plugin_type", "url", "capabilities"}, names, profile)
	}
}

// drawnApps draws any app that PostHog may return, with or without each key.
var drawnApps = rapid.Custom(func(t *rapid.T) map[string]any {
	text := rapid.SampledFrom([]any{"", "text", "a & b", nil})
	app := map[string]any{}
	for name, value := range map[string]*rapid.Generator[any]{
		"description": text, "icon": text, "tag": text, "latest_tag": text,
		"plugin_type":   rapid.SampledFrom([]any{"custom", "repository", "source", "newer"}),
		"config_schema": rapid.SampledFrom([]any{map[string]any{}, []any{map[string]any{"key": "k", "name": "K"}}}),
		"capabilities":  rapid.SampledFrom([]any{map[string]any{"methods": []any{"setupPlugin"}}, map[string]any{"scheduled_tasks": []any{"runEveryMinute"}}}),
		"metrics":       rapid.SampledFrom([]any{map[string]any{}, map[string]any{"events": "sum"}}),
		"public_jobs":   rapid.SampledFrom([]any{map[string]any{}, map[string]any{"job": map[string]any{"payload": map[string]any{}}}}),
	} {
		if rapid.Bool().Draw(t, name+" is there") {
			app[name] = value.Draw(t, name)
		}
	}
	return app
})

// The fast path returns exactly what the framework returns, for any app, any configuration, and any change.
func TestFastPathIsTheSlowPath(t *testing.T) {
	t.Parallel()
	for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile))
			d := env.Differential(t)
			rapid.Check(t, func(r *rapid.T) {
				if isLeftOut(r) {
					return
				}
				readAndPlan(t, r, env)
			})
			t.Logf("%d reads, %d plans, %d upgrades were fast", d.Reads.Load(), d.Plans.Load(), d.Upgrades.Load())
			assert.NotZero(t, d.Reads.Load())
			assert.NotZero(t, d.Plans.Load())
			assert.NotZero(t, d.Upgrades.Load())
		})
	}
}

// isLeftOut skips four out of five cases of a property that plans. -rapid.checks runs more of them. With -short, there
// are few cases, and all of them run.
func isLeftOut(r *rapid.T) bool {
	return !testing.Short() && rapid.IntRange(0, 4).Draw(r, "turn") > 0
}

func readAndPlan(t *testing.T, r *rapid.T, env *acctest.Env) {
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

	app.Refresh() // remembers
	app.Upgrade()
	app.Refresh()

	whole, part := map[string]any{}, map[string]any{}
	for _, name := range []string{
		"name", "description", "url", "icon", "tag", "plugin_type", "is_global", "config_schema", "capabilities", "metrics", "public_jobs",
	} {
		value := app.State(name)
		if value == nil {
			continue
		}

		whole[name] = value
		switch rapid.IntRange(0, 6).Draw(r, "fate of "+name) {
		case 0:
		case 1:
			part[name] = map[bool]any{true: false, false: `{"a":1}`}[name == "is_global"]
		default:
			part[name] = value
		}
	}

	app.Plan(whole)
	app.Plan(part)
	if whole["url"] != nil && rapid.Bool().Draw(r, "a token") {
		private := maps.Clone(whole)
		private["url_query_wo"], private["url_query_wo_version"] = "a=b", 1
		app.Apply(private)
		app.Refresh()
		app.Plan(private)
	}

	env.PatchApp(7, testserver.Object{"description": "by hand"})
	app.Refresh()
	app.Plan(part)
}

// An import's read stores in the private state what the fast path needs, so plans before the next apply can use it.
func TestAnImportIsRemembered(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	created := env.Resource(t, "posthog_pipeline_import_app")
	require.Empty(t, created.Apply(map[string]any{"name": "GeoIP", "plugin_type": "source", "capabilities": `{"methods":["fetch"]}`}).Errors().Text())

	imported := env.Resource(t, "posthog_pipeline_import_app")
	require.Empty(t, imported.Import("1").Errors().Text())
	before := imported.Private(t)
	t.Log(before)
	require.Empty(t, imported.Refresh().Errors().Text())
	assert.Equal(t, before, imported.Private(t))
}
