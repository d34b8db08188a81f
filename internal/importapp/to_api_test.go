package importapp

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request carries what changes and nothing else, field by field.
func TestToAPI(t *testing.T) {
	t.Parallel()

	full, _ := fromAPI(t, fullAnswer, Fields{})
	plan := func(change func(*Fields)) Fields {
		planned := full
		change(&planned)
		return planned
	}

	for name, c := range map[string]struct {
		planned, prior Fields
		want           string
	}{
		"new, all omitted": {Fields{
			ID: types.Int64Unknown(), PluginType: types.StringUnknown(), IsGlobal: types.BoolUnknown(),
			ConfigSchema: jsontypes.NewNormalizedUnknown(), Metrics: jsontypes.NewNormalizedUnknown(),
		}, Fields{}, `{}`},
		"new, all configured": {full, Fields{}, `{"plugin_type":"custom","name":"Orders","description":"d","url":"https://example.com/a",
			"icon":"i","config_schema":[{"key":"shop"}],"tag":"v1","is_global":true,"capabilities":{"jobs":[]},"metrics":{"n":9007199254740993}}`},
		"new, not global":  {Fields{IsGlobal: types.BoolValue(false)}, Fields{}, `{}`},
		"nothing":          {full, full, `{}`},
		"plugin_type":      {plan(func(m *Fields) { m.PluginType = types.StringNull() }), full, `{"plugin_type":null}`},
		"name":             {plan(func(m *Fields) { m.Name = types.StringValue("") }), full, `{"name":""}`},
		"description":      {plan(func(m *Fields) { m.Description = types.StringValue("e") }), full, `{"description":"e"}`},
		"icon":             {plan(func(m *Fields) { m.Icon = types.StringNull() }), full, `{"icon":null}`},
		"tag":              {plan(func(m *Fields) { m.Tag = types.StringValue("v3") }), full, `{"tag":"v3"}`},
		"config_schema":    {plan(func(m *Fields) { m.ConfigSchema = jsontypes.NewNormalizedValue("{}") }), full, `{"config_schema":{}}`},
		"capabilities":     {plan(func(m *Fields) { m.Capabilities = jsontypes.NewNormalizedValue("{}") }), full, `{"capabilities":{}}`},
		"metrics":          {plan(func(m *Fields) { m.Metrics = jsontypes.NewNormalizedNull() }), full, `{"metrics":null}`},
		"public_jobs":      {plan(func(m *Fields) { m.PublicJobs = jsontypes.NewNormalizedValue(`{"a":1.50}`) }), full, `{"public_jobs":{"a":1.50}}`},
		"no longer global": {plan(func(m *Fields) { m.IsGlobal = types.BoolValue(false) }), full, `{"is_global":false}`},
		"never returned, not global": {
			plan(func(m *Fields) { m.IsGlobal = types.BoolValue(false) }), plan(func(m *Fields) { m.IsGlobal = types.BoolNull() }), `{}`,
		},
		"url is never changed": {plan(func(m *Fields) { m.URL = types.StringValue("https://example.com/b") }), full, `{}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			request := ToAPI(c.planned, c.prior)
			raw, err := json.Marshal(request)
			require.NoError(t, err)

			assert.JSONEq(t, c.want, string(raw))
			assert.Equal(t, c.want == `{}`, IsEmptyRequest(request))
		})
	}
}

// The digits of a number are those that were configured.
func TestToAPIKeepsDigits(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(ToAPI(Fields{Metrics: jsontypes.NewNormalizedValue(`{"n":9007199254740993}`)}, Fields{}))
	require.NoError(t, err)
	assert.Contains(t, string(raw), "9007199254740993")
}
