package importapp_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// What was changed between plan and apply is not overwritten; an update takes one more request
// for that.
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

// So it is with single values, and a destroy looks as an update does.
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
				assert.Contains(t, refused, "Nothing was deleted. Plan again")
				assert.Zero(t, env.Operations()["pipeline_import_apps_destroy"])

				require.Empty(t, app.Refresh().Errors().Text())
				env.ResetJournal()
				require.Empty(t, app.Destroy().Errors().Text())
				assert.Equal(t, map[string]int{"pipeline_import_apps_retrieve": 1, "pipeline_import_apps_destroy": 1}, env.Operations())
			})
		}
	}
}

// L11: what somebody does while an update or a destroy waits is seen, too.
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
