package importapp_test

import (
	"encoding/json"
	"maps"
	"testing"

	"pgregory.net/rapid"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// L12: a plan after a plan and a read is the plan after a read alone: of apps that were
// imported or applied, whatever was done to them since.
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

// drawnState is an app that was imported, or applied after that, and a configuration.
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

// driftOfApp is what somebody does in the web interface.
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
