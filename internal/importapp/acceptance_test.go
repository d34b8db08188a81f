package importapp_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

const app = typeName + ".test"

func file(name string) config.TestStepConfigFunc { return config.StaticFile("testdata/" + name) }

// imports asserts that importing the last step's object plans no change.
func imports(name string) resource.TestStep {
	return resource.TestStep{
		ConfigFile: file(name), ResourceName: app,
		ImportState: true, ImportStateKind: resource.ImportBlockWithID,
	}
}

func value(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(app, tfjsonpath.New(attribute), check)
}

func planned(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(app, action)}}
}

// An app is created, every field is updated, and every clearable field is cleared. After each step, an import plans
// no change, and the request contains only what changed.
func TestAccImportAppEveryField(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{
				ConfigFile: file("full.tf"),
				ConfigStateChecks: []statecheck.StateCheck{
					value("id", knownvalue.Int64Exact(1)), value("organization_id", knownvalue.StringExact(env.OrganizationID)),
					value("url", knownvalue.StringExact("https://github.com/example/order-import?ref=main")),
					value("organization_name", knownvalue.StringExact("Test organization")), value("latest_tag", knownvalue.Null()),
					value("is_global", knownvalue.Bool(false)), value("hog_function_migration_available", knownvalue.Null()),
				},
			},
			imports("full.tf"),
			{
				ConfigFile: file("changed.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					value("name", knownvalue.StringExact("Order import 2")), value("plugin_type", knownvalue.StringExact("source")),
					value("is_global", knownvalue.Bool(true)),
				},
			},
			imports("changed.tf"),
			{
				ConfigFile: file("cleared.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					value("plugin_type", knownvalue.Null()), value("name", knownvalue.Null()), value("description", knownvalue.Null()),
					value("icon", knownvalue.Null()), value("tag", knownvalue.Null()), value("is_global", knownvalue.Bool(false)),
					value("config_schema", knownvalue.StringExact("{}")), value("capabilities", knownvalue.StringExact("{}")),
					value("metrics", knownvalue.StringExact("{}")), value("public_jobs", knownvalue.StringExact("{}")),
				},
			},
			imports("cleared.tf"),
		},
		CheckDestroy: func(*terraform.State) error {
			assert.Empty(t, env.Apps(t))
			return nil
		},
	})

	assertBodies(t, env, http.MethodPost, `{"plugin_type":"repository","name":"Order import","description":"Brings orders in from the shop",
		"url":"https://github.com/example/order-import?ref=main","icon":"https://example.com/orders.png","tag":"v1.0.0",
		"config_schema":[{"key":"shop","name":"Address of the shop","type":"string","required":true},
			{"key":"token","name":"Token","type":"string","secret":true,"default":""}],
		"capabilities":{"jobs":[],"methods":[],"scheduled_tasks":["runEveryMinute"]},"metrics":{"orders":"sum"},
		"public_jobs":{"backfill":{"payload":{"since":{"type":"date"}}}}}`)
	assertBodies(t, env, http.MethodPatch,
		`{"plugin_type":"source","name":"Order import 2","description":"Brings orders and refunds in from the shop",
		"icon":"https://example.com/refunds.png","tag":"v2.0.0","is_global":true,
		"config_schema":{"shop":{"type":"string","name":"Address of the shop"}},
		"capabilities":{"jobs":["backfill"],"methods":["setupPlugin"],"scheduled_tasks":["runEveryHour"]},
		"metrics":{"orders":"max","refunds":"sum"},"public_jobs":{"backfill":{}}}`,
		`{"plugin_type":null,"name":null,"description":null,"icon":null,"tag":null,"is_global":false,
		"config_schema":{},"capabilities":{},"metrics":{},"public_jobs":{}}`)
}

func assertBodies(t *testing.T, env *acctest.Env, method string, want ...string) {
	t.Helper()
	bodies := env.RequestBodies(t, method)
	require.Len(t, bodies, len(want), "%v", bodies)
	for i := range want {
		assert.JSONEq(t, want[i], bodies[i])
	}
}

// A configuration without changes sends no request, and an edit to one word sends one key.
func TestAccImportAppOneWord(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{ConfigFile: file("cleared.tf")},
			imports("cleared.tf"),
			{ConfigFile: file("named.tf")},
			{ConfigFile: file("named.tf"), ConfigVariables: config.Variables{"name": config.StringVariable("Renamed")}},
		},
	})
	assertBodies(t, env, http.MethodPost, `{}`)
	assertBodies(t, env, http.MethodPatch, `{"name":"Named"}`, `{"name":"Renamed"}`)
}

// A different URL replaces the app.
func TestAccImportAppMoved(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{ConfigFile: file("full.tf")},
			{
				ConfigFile: file("moved.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionDestroyBeforeCreate),
				ConfigStateChecks: []statecheck.StateCheck{
					value("id", knownvalue.Int64Exact(2)), value("name", knownvalue.Null()),
					value("url", knownvalue.StringExact("https://github.com/example/another-import")),
				},
			},
			imports("moved.tf"),
		},
	})
	assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
	assert.JSONEq(t, `{"url":"https://github.com/example/another-import"}`, env.RequestBodies(t, http.MethodPost)[1])
}

// An app that a teammate deleted is reported as deleted and created again.
func TestAccImportAppGone(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{ConfigFile: file("named.tf")},
			{
				PreConfig:  func() { require.NoError(t, env.Server.DeleteApp(1)) },
				ConfigFile: file("named.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
			},
		},
	})
	assertBodies(t, env, http.MethodPost, `{"name":"Named"}`, `{"name":"Named"}`)
}

// An app that was created outside Terraform, even of an unknown type, is imported unchanged and without a write. An
// invalid import ID is one error.
func TestAccImportAppAdopted(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, adoptable())

	for id, refused := range map[string]bool{
		"42": false, env.OrganizationID + "/42": false, "43": true, "42/": true, "by-hand": true,
	} {
		step := imports("adopted.tf")
		step.ImportStateId = id
		if refused {
			step.ExpectError = regexp.MustCompile(`Could not import pipeline import app "?` + regexp.QuoteMeta(id))
		}

		t.Run(id, func(t *testing.T) {
			t.Parallel()
			resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: env.Factories(), Steps: []resource.TestStep{step}})
		})
	}

	t.Cleanup(func() {
		for _, method := range []string{http.MethodPost, http.MethodPatch, http.MethodDelete} {
			assert.Empty(t, env.RequestBodies(t, method))
		}
	})
}

func adoptable() acctest.Option {
	return apps([]object{{
		"id": 42, "name": "Made by hand", "plugin_type": "wasm", "url": "https://github.com/example/by-hand?ref=main",
		"capabilities": object{"scheduled_tasks": []string{"runEveryDay"}, "limit": json.Number("9007199254740993")},
		"metrics":      nil, "config_schema": []any{}, "hog_function_migration_available": true,
	}})
}

// terraform query finds the matching apps, and the configuration that it generates for them plans no change.
func TestAccQueriedAppsPlanNothing(t *testing.T) {
	t.Parallel()

	imports := object{"scheduled_tasks": []string{"runEveryHour"}}
	for _, profile := range acctest.Profiles() {
		t.Run(string(profile), func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Profile(profile), apps([]object{
				{"id": 1, "name": "Tickets", "plugin_type": "source", "capabilities": imports},
				{
					"id": 2, "name": `Calls "v2" ${x}`, "plugin_type": "custom", "url": "https://github.com/acme/calls", "tag": "1.0", "latest_tag": "1.1",
					"description": "Two\nlines", "icon": "https://example.com/a.png", "capabilities": imports, "is_global": true,
					"config_schema": []object{{"key": "token", "secret": true}}, "metrics": object{"calls": "sum"},
				},
				{"id": 3, "name": nil, "plugin_type": nil, "capabilities": imports, "metrics": nil, "public_jobs": nil, "url": "https://github.com/acme/other"},
			}))
			cli := env.CLI(t)
			cli.SkipBelow("Terraform", "1.14.0")
			cli.Write("main.tf", "terraform {\n  required_providers {\n    posthog = { source = \"surveys-as-code/posthog\" }\n  }\n}\n")
			cli.Write("all.tfquery.hcl", `
list "posthog_pipeline_import_app" "all" {
  provider = posthog
}

list "posthog_pipeline_import_app" "some" {
  provider = posthog

  config {
    name        = "TICK"
    plugin_type = "source"
  }
}
`)
			found := cli.Run("query")
			assert.Regexp(t, `list\.posthog_pipeline_import_app\.some +id=1\b.*Tickets`, found)
			assert.NotRegexp(t, `list\.posthog_pipeline_import_app\.some +id=[23]\b`, found)

			cli.Write("all.tfquery.hcl", "list \"posthog_pipeline_import_app\" \"all\" {\n  provider = posthog\n}\n")
			cli.Run("query", "-generate-config-out=generated.tf")
			require.Contains(t, cli.Run("plan"), "3 to import, 0 to add, 0 to change, 0 to destroy")
		})
	}
}
