package importapp_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// shownApp is an app that every service shows.
func shownApp() object {
	return object{"name": "Orders", "plugin_type": "source", "capabilities": `{"scheduled_tasks":["runEveryMinute"]}`}
}

// An app whose response is lost is taken into the state; one whose create may still go
// on is made by the next run.
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
					assert.Contains(t, found[0].Detail, "Run the same command again, but look first", "another of the name would be made")
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

// What was there before is not taken over unasked, and the way to do it is shown.
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
