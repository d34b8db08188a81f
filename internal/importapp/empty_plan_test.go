package importapp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

const typeName = "posthog_pipeline_import_app"

type object = map[string]any

// quietInputs are valid configurations. After apply and after import, each plans
// to nothing.
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
