package importapp_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A9: what the configuration says of an app that is installed from an address is what
// the service has afterwards, not what the code says.
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

// A9: what the configuration leaves to the code, and what the service stores as it was
// sent, needs no second request.
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

// A9: an app that is made and cannot be updated is kept, with a warning.
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
