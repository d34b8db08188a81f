package importapp_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// operationDataSource is a data source that exposes one operation.
type operationDataSource struct {
	typeName, operation string
	config              map[string]any
	// body is a response that PostHog is known to send, and want contains the resulting attributes.
	body any
	want map[string]any
}

func operationDataSources() []operationDataSource {
	return []operationDataSource{
		{
			typeName: "posthog_pipeline_import_app_source", operation: "pipeline_import_apps_source_retrieve", config: map[string]any{"app_id": 1},
			body: object{"index.ts": "export {}", "plugin.json": "{}"}, want: object{"files": object{"index.ts": "export {}", "plugin.json": "{}"}},
		},
		{
			typeName: "posthog_pipeline_import_app_updates", operation: "pipeline_import_apps_check_for_updates_retrieve", config: map[string]any{"app_id": 1},
			body: object{"plugin": object{"id": 1, "tag": "1.0", "latest_tag": "1.1"}}, want: object{"tag": "1.0", "latest_tag": "1.1"},
		},
		{
			typeName: "posthog_pipeline_import_apps_unused", operation: "pipeline_import_apps_unused_retrieve",
			body: []int{3, 4}, want: object{"app_ids": []any{"3", "4"}},
		},
		{
			typeName: "posthog_pipeline_import_apps_repository", operation: "pipeline_import_apps_repository_retrieve",
			body: []object{{"name": "GeoIP", "url": "https://example.com/geoip", "verified": true}},
			want: object{"apps": []any{object{"name": "GeoIP", "url": "https://example.com/geoip", "description": nil, "icon": nil, "maintainer": nil, "verified": true}}},
		},
		{
			typeName: "posthog_pipeline_import_apps_exports_unsubscribe_configs", operation: "pipeline_import_apps_exports_unsubscribe_configs_retrieve",
			body: []object{{"id": 5, "plugin": 1, "team_id": 2, "enabled": true, "name": "S3", "config": object{"bucket": "b"}}},
			want: object{"configs": []any{object{"id": "5", "app_id": "1", "team_id": "2", "enabled": true, "name": "S3", "config": `{"bucket":"b"}`}}},
		},
		{
			typeName: "posthog_pipeline_import_apps_activity", operation: "pipeline_import_apps_all_activity_retrieve",
			body: object{"results": []object{{"activity": "installed", "item_id": "9", "user": object{"email": "ada@example.com"}}}},
			want: object{"entries": []any{object{
				"activity": "installed", "id": "9", "user": "ada@example.com", "name": nil, "at": nil, "field": nil, "before": nil, "after": nil,
			}}},
		},
	}
}

// Known responses fill the attributes, and json contains the whole response.
func TestOperationDataSources(t *testing.T) {
	t.Parallel()

	for _, c := range operationDataSources() {
		env := acctest.Start(t, apps(many(1)))
		env.SetFaults(testserver.Fault{Operation: c.operation, Status: 200, Body: c.body})

		values, diags := env.ReadDataSource(t, c.typeName, c.config)
		require.Empty(t, diags.Text(), c.typeName)
		assert.NotEmpty(t, values["json"], c.typeName)
		for name, want := range c.want {
			assert.Equal(t, texts(want), texts(values[name]), "%s: %s", c.typeName, name)
		}
	}
}

// The API documents an empty body. In that case, all other attributes are null.
func TestOperationDataSourcesWithoutBody(t *testing.T) {
	t.Parallel()

	for _, c := range operationDataSources() {
		env := acctest.Start(t, apps(many(1)))
		values, diags := env.ReadDataSource(t, c.typeName, c.config)
		require.Empty(t, diags.Text(), c.typeName)
		assert.Equal(t, 1, env.Operations()[c.operation], c.typeName)
		for name, value := range values {
			if name != "organization_id" && c.config[name] == nil {
				assert.Nil(t, value, "%s: %s", c.typeName, name)
			}
		}
	}
}

// PostHog rejects API keys for these operations, and the error says so.
func TestOperationDataSourcesRefused(t *testing.T) {
	t.Parallel()

	for _, c := range operationDataSources() {
		env := acctest.Start(t, apps([]object{{"id": 1, "name": "App", "plugin_type": "source", "capabilities": object{"scheduled_tasks": []string{"a"}}}}), acctest.Profile(testserver.Hosted))
		_, diags := env.ReadDataSource(t, c.typeName, c.config)
		assert.Contains(t, diags.Errors().Text(), "This action does not support personal API key access", c.typeName)
		assert.Contains(t, diags.Errors().Text(), "PostHog does not allow this with an API key, only for signed-in users", c.typeName)
	}
}

// The API document does not describe the body, so an unexpected format is not an error: json contains the response,
// and the other attributes are null, even if a part matches.
func TestOperationDataSourcesOfAnotherShape(t *testing.T) {
	t.Parallel()

	for _, c := range operationDataSources() {
		for _, body := range []any{true, []any{object{"id": 1}, "more"}, object{"plugin": object{"tag": 1, "latest_tag": "1.1"}, "results": 3, "index.ts": "", "a": 4}} {
			env := acctest.Start(t, apps(many(1)))
			env.SetFaults(testserver.Fault{Operation: c.operation, Status: 200, Body: body})

			values, diags := env.ReadDataSource(t, c.typeName, c.config)
			require.Empty(t, diags.Errors().Text(), c.typeName)
			assert.Contains(t, diags.Text(), "Unexpected response format", c.typeName)
			assert.Contains(t, diags.Text(), "in organization "+testserver.DefaultOrganizationID, c.typeName)
			assert.Contains(t, diags.Text(), " is a JSON ", c.typeName)

			sent, err := json.Marshal(body)
			require.NoError(t, err)
			assert.JSONEq(t, string(sent), fmt.Sprint(values["json"]), c.typeName)
			for name := range c.want {
				assert.Nil(t, values[name], "%s: %s", c.typeName, name)
			}
		}
	}
}

func TestCodeActions(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, apps(many(1)))
	progress, diags := env.Invoke(t, "posthog_pipeline_import_app_upgrade", map[string]any{"app_id": 1})
	require.Empty(t, diags.Text())
	assert.Equal(t, []string{"Import app 1 is upgraded."}, progress)

	progress, diags = env.Invoke(t, "posthog_pipeline_import_app_update_source", map[string]any{
		"app_id": 1, "source": map[string]any{"index.ts": "export {}", "old.ts": nil},
	})
	require.Empty(t, diags.Text())
	assert.Equal(t, []string{"The source of import app 1 is updated: 2 files were sent."}, progress)
	assert.Equal(t, []string{`{"index.ts":"export {}","old.ts":null}`}, env.RequestBodies(t, "PATCH"))

	progress, diags = env.Invoke(t, "posthog_pipeline_import_app_update_source", map[string]any{"app_id": 1, "source": map[string]any{"index.ts": "export {}"}})
	require.Empty(t, diags.Text())
	assert.Equal(t, []string{"The source of import app 1 is updated: 1 file was sent."}, progress)

	_, diags = env.Invoke(t, "posthog_pipeline_import_app_upgrade", map[string]any{"app_id": 99})
	assert.Contains(t, diags.Errors().Text(), "Could not upgrade import app 99")
}

func TestListResource(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, apps(many(120)))
	found, diags := env.List(t, "posthog_pipeline_import_app", map[string]any{"name": "app 01", "plugin_type": "local"}, true, 100)
	require.Empty(t, diags.Text())
	require.Len(t, found, 5)
	for _, one := range found {
		assert.Equal(t, one.DisplayName, one.Resource["name"])
		assert.Equal(t, fmt.Sprint(one.Resource["id"]), fmt.Sprint(one.Identity["id"]))
	}

	_, diags = env.List(t, "posthog_pipeline_import_app", map[string]any{"organization_id": "0192d3a4-5b6c-7d8e-8f90-ffffffffffff"}, true, 100)
	assert.Contains(t, diags.Errors().Text(), "Could not list pipeline import apps")
}

// A global app is in every organization's list, but only its owner can manage it.
func TestListResourceLeavesOutAppsOfOthers(t *testing.T) {
	t.Parallel()

	const other = "0192d3a4-5b6c-7d8e-8f90-000000000002"
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{
		"organizations": [{"id": "`+testserver.DefaultOrganizationID+`"}, {"id": "`+other+`"}],
		"pipeline_import_apps": [
			{"organization_id": "`+testserver.DefaultOrganizationID+`", "id": 1, "name": "Ours", "is_global": true, "capabilities": {"scheduled_tasks": ["a"]}},
			{"organization_id": "`+other+`", "id": 2, "name": "Theirs", "is_global": true, "capabilities": {"scheduled_tasks": ["a"]}}]}`))
	all, diags := env.ReadDataSource(t, "posthog_pipeline_import_apps", nil)
	require.Empty(t, diags.Text())
	require.Len(t, all["pipeline_import_apps"], 2)

	for _, organization := range []string{testserver.DefaultOrganizationID, strings.ToUpper(testserver.DefaultOrganizationID)} {
		found, diags := env.List(t, "posthog_pipeline_import_app", map[string]any{"organization_id": organization}, true, 100)
		require.Empty(t, diags.Text())
		require.Len(t, found, 1, organization)
		assert.Equal(t, "Ours", found[0].DisplayName)
	}
}

// texts converts numbers to text, so that values from Go and from Terraform can be compared.
func texts(value any) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, one := range value {
			out[name] = texts(one)
		}
		return out
	case []any:
		out := make([]any, len(value))
		for i, one := range value {
			out[i] = texts(one)
		}
		return out
	case nil, string, bool:
		return value
	default:
		return fmt.Sprint(value)
	}
}

// An update without files would change nothing, so it sends no request.
func TestUpdateOfNoSourceIsRefused(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	_, diags := env.Invoke(t, "posthog_pipeline_import_app_update_source", object{"app_id": 1, "source": object{}})
	assert.Contains(t, diags.Errors().Text(), "source is empty")
	assert.Empty(t, env.Journal())
}

// apps are fixtures with import apps of the default organization.
func apps(list []object) acctest.Option {
	for _, one := range list {
		one["organization_id"] = "0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6"
	}
	document, err := json.Marshal(object{"pipeline_import_apps": list})
	if err != nil {
		panic(err) // plain maps can always be encoded
	}
	return acctest.Fixtures(string(document))
}

// many returns n apps named App 000 and so on. Every second one is local.
func many(n int) []object {
	list := make([]object, n)
	for i := range list {
		kind := "custom"
		if i%2 == 1 {
			kind = "local"
		}
		list[i] = object{"id": i + 1, "name": fmt.Sprintf("App %03d", i), "plugin_type": kind, "metrics": object{"number": i}}
	}
	return list
}

// The list data source reads all pages. The singular data source finds an app by name or by ID.
func TestAccImportAppDataSources(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, apps(many(230)))

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{{
			ConfigFile: file("data_sources.tf"),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("all", knownvalue.Int64Exact(230)),
				statecheck.ExpectKnownOutputValue("local", knownvalue.Int64Exact(115)),
				statecheck.ExpectKnownOutputValue("named", knownvalue.ListExact([]knownvalue.Check{knownvalue.Int64Exact(8)})),
				statecheck.ExpectKnownOutputValue("none", knownvalue.ListExact([]knownvalue.Check{})),
				statecheck.ExpectKnownOutputValue("same", knownvalue.Int64Exact(7)),
			},
		}},
	})

	pages := map[string]int{}
	for _, request := range env.Journal() {
		if request.Operation == "pipeline_import_apps_list" {
			pages[request.Query]++
		}
	}

	assert.Len(t, pages, 3, "%v", pages)
	assert.Equal(t, 1, len(map[int]bool{pages[""]: true, pages["limit=100&offset=100"]: true, pages["limit=100&offset=200"]: true}), "%v", pages)
}

// A name without an app, a name with two apps, and an unknown ID are errors that show what was searched for and
// where.
func TestAccImportAppDataSourceRefuses(t *testing.T) {
	t.Parallel()

	list := many(3)
	list[2]["name"] = "App 001"
	env := acctest.Start(t, apps(list))

	refused := func(name, says string) resource.TestStep {
		return resource.TestStep{ConfigFile: file(name), ExpectError: regexp.MustCompile(strings.ReplaceAll(says, " ", `\s+`))}
	}
	called := func(name, says string) resource.TestStep {
		step := refused("data_source_by_name.tf", says)
		step.ConfigVariables = config.Variables{"name": config.StringVariable(name)}
		return step
	}

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			called("app 000", `Import app "app 000"`),
			called("App 001", `the apps 3, 2 have this name`),
			refused("data_source_by_id.tf", `Could not read pipeline import app 4711`),
			refused("data_source_both.tf", `Both id and name are set. Use one of them.`),
		},
	})
}
