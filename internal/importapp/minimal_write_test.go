package importapp_test

import (
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// visible is an app that both profiles take and show, and the request that makes it.
var visible = object{"name": "Orders", "plugin_type": "source", "capabilities": `{"scheduled_tasks":["a"]}`}

const visibleBody = `{"name":"Orders","plugin_type":"source","capabilities":{"scheduled_tasks":["a"]}}`

// step is a configuration that is applied, beside what makes an app visible, and the
// body of the request which that makes; an empty one says that nothing is sent.
type step struct {
	config object
	body   string
}

// writes says of every attribute that can be configured what is sent when it is
// set, changed and taken out again.
var writes = map[string][]step{
	"plugin_type": {{object{"plugin_type": "inline"}, `{"plugin_type":"inline"}`}, {object{"plugin_type": nil}, `{"plugin_type":null}`}, {nil, `{"plugin_type":"source"}`}},
	"name":        {{object{"name": "Refunds"}, `{"name":"Refunds"}`}, {object{"name": nil}, `{"name":null}`}, {nil, `{"name":"Orders"}`}},
	"description": {{object{"description": "a"}, `{"description":"a"}`}, {object{"description": "b"}, `{"description":"b"}`}, {nil, `{"description":null}`}},
	"icon":        {{object{"icon": "a"}, `{"icon":"a"}`}, {object{"icon": "b"}, `{"icon":"b"}`}, {nil, `{"icon":null}`}},
	"tag":         {{object{"tag": "v1"}, `{"tag":"v1"}`}, {object{"tag": "v2"}, `{"tag":"v2"}`}, {nil, `{"tag":null}`}},
	// Whoever sends is_global must be allowed to manage plugins of the whole instance.
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
	// What the service cannot change is never in an update: another one replaces the app.
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

// Every attribute is set, changed and cleared, and each time that alone is sent, in
// both profiles alike.
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
	assert.ElementsMatch(t, configurable, slices.Collect(maps.Keys(writes)), "attributes that can be configured, and those in the table")
	for name, steps := range writes {
		for _, profile := range []testserver.Profile{testserver.Documented, testserver.Hosted} {
			t.Run(string(profile)+"/"+name, func(t *testing.T) {
				t.Parallel()
				assertWrites(t, acctest.Start(t, acctest.Profile(profile)), append([]step{{nil, visibleBody}}, steps...))
			})
		}
	}
}

// The address goes out with the create alone, and with nothing that is not configured.
func TestMinimalCreate(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	require.Empty(t, env.Resource(t, typeName).Apply(object{"url": "https://example.com/a?ref=1", "is_global": false}).Errors().Text())
	assertBodies(t, env, http.MethodPost, `{"url":"https://example.com/a?ref=1"}`)
}

// assertWrites applies one step after the other and looks at what each sends.
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
			assert.Fail(t, "another request", "step %d sends\n%s\nand not\n%s", i, sent[0], one.body)
		}
	}
}
