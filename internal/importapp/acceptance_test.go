package importapp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/acctest"
)

const app = typeName + ".test"

func file(name string) config.TestStepConfigFunc { return config.StaticFile("testdata/" + name) }

// imports plans the import of what the last step applied, and wants it empty.
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

// An app goes through create, update of every field and clear of every clearable
// one, is imported without a change after each, and every request says what changed.
func TestAccImportAppEveryField(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{
				ConfigFile: file("full.tf"),
				ConfigStateChecks: []statecheck.StateCheck{
					value("id", knownvalue.Int64Exact(1)), value("organization_id", knownvalue.StringExact(w.OrganizationID)),
					value("url", knownvalue.StringExact("https://github.com/example/order-import?private_token=t0k3n")),
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
			assert.Empty(t, w.Apps(t))
			return nil
		},
	})
	assertBodies(t, w, http.MethodPost, `{"plugin_type":"repository","name":"Order import","description":"Brings orders in from the shop",
		"url":"https://github.com/example/order-import?private_token=t0k3n","icon":"https://example.com/orders.png","tag":"v1.0.0",
		"config_schema":[{"key":"shop","name":"Address of the shop","type":"string","required":true},
			{"key":"token","name":"Token","type":"string","secret":true,"default":""}],
		"capabilities":{"jobs":[],"methods":[],"scheduled_tasks":["runEveryMinute"]},"metrics":{"orders":"sum"},
		"public_jobs":{"backfill":{"payload":{"since":{"type":"date"}}}}}`)
	assertBodies(t, w, http.MethodPatch,
		`{"plugin_type":"source","name":"Order import 2","description":"Brings orders and refunds in from the shop",
		"icon":"https://example.com/refunds.png","tag":"v2.0.0","is_global":true,
		"config_schema":{"shop":{"type":"string","name":"Address of the shop"}},
		"capabilities":{"jobs":["backfill"],"methods":["setupPlugin"],"scheduled_tasks":["runEveryHour"]},
		"metrics":{"orders":"max","refunds":"sum"},"public_jobs":{"backfill":{}}}`,
		`{"plugin_type":null,"name":null,"description":null,"icon":null,"tag":null,"is_global":false,
		"config_schema":{},"capabilities":{},"metrics":{},"public_jobs":{}}`)
}

func assertBodies(t *testing.T, w *acctest.World, method string, want ...string) {
	t.Helper()
	bodies := w.Bodies(t, method)
	require.Len(t, bodies, len(want), "%v", bodies)
	for i := range want {
		assert.JSONEq(t, want[i], bodies[i])
	}
}

// A configuration that says nothing sends nothing, and one word is one key.
func TestAccImportAppOneWord(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{ConfigFile: file("cleared.tf")},
			imports("cleared.tf"),
			{ConfigFile: file("named.tf")},
			{ConfigFile: file("named.tf"), ConfigVariables: config.Variables{"name": config.StringVariable("Renamed")}},
		},
	})
	assertBodies(t, w, http.MethodPost, `{}`)
	assertBodies(t, w, http.MethodPatch, `{"name":"Named"}`, `{"name":"Renamed"}`)
}

// A value that is known late and turns out to be the same sends nothing.
func TestAccImportAppSameAfterAll(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	round := func(n int) resource.TestStep {
		return resource.TestStep{ConfigFile: file("late_name.tf"), ConfigVariables: config.Variables{"round": config.IntegerVariable(n)}}
	}
	again := round(2)
	again.ConfigPlanChecks = planned(plancheck.ResourceActionUpdate)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps:                    []resource.TestStep{round(1), again},
	})
	assert.Empty(t, w.Bodies(t, http.MethodPatch))
	assert.Len(t, w.Bodies(t, http.MethodPost), 1)
}

// Another address is another app.
func TestAccImportAppMoved(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
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
	assert.Empty(t, w.Bodies(t, http.MethodPatch))
	assert.JSONEq(t, `{"url":"https://github.com/example/another-import"}`, w.Bodies(t, http.MethodPost)[1])
}

// An app that somebody deleted is said to be gone, and made anew.
func TestAccImportAppGone(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			{ConfigFile: file("named.tf")},
			{
				PreConfig:  func() { require.NoError(t, w.Server.DeleteApp(1)) },
				ConfigFile: file("named.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
			},
		},
	})
	assertBodies(t, w, http.MethodPost, `{"name":"Named"}`, `{"name":"Named"}`)
}

// An app that was made outside Terraform is imported as it is, a type included that
// nobody knew yet: nothing is sent. A wrong import id gives one error.
func TestAccImportAppAdopted(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, adoptable())
	for id, refused := range map[string]bool{
		"42": false, w.OrganizationID + "/42": false, "43": true, "42/": true, "by-hand": true,
	} {
		step := imports("adopted.tf")
		step.ImportStateId = id
		if refused {
			step.ExpectError = regexp.MustCompile(`Could not import pipeline import app "?` + regexp.QuoteMeta(id))
		}
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: w.Factories(), Steps: []resource.TestStep{step}})
		})
	}
	t.Cleanup(func() {
		for _, method := range []string{http.MethodPost, http.MethodPatch, http.MethodDelete} {
			assert.Empty(t, w.Bodies(t, method))
		}
	})
}

func adoptable() acctest.Option {
	return apps([]object{{
		"id": 42, "name": "Made by hand", "plugin_type": "wasm", "url": "https://github.com/example/by-hand?private_token=t0k3n",
		"capabilities": object{"scheduled_tasks": []string{"runEveryDay"}, "limit": json.Number("9007199254740993")},
		"metrics":      nil, "config_schema": []any{}, "hog_function_migration_available": true,
	}})
}

// apps are fixtures with import apps of the default organization.
func apps(list []object) acctest.Option {
	for _, one := range list {
		one["organization_id"] = "0192d3a4-5b6c-7d8e-8f90-a1b2c3d4e5f6"
	}
	document, err := json.Marshal(object{"pipeline_import_apps": list})
	if err != nil {
		panic(err) // plain maps always encode
	}
	return acctest.Fixtures(string(document))
}

// many are apps named App 000 and so on, every second one local.
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

// The list data source reads all pages, the singular one finds by name and by id.
func TestAccImportAppDataSources(t *testing.T) {
	t.Parallel()
	w := acctest.Start(t, apps(many(230)))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
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
	for _, request := range w.Journal() {
		if request.Operation == "pipeline_import_apps_list" {
			pages[request.Query]++
		}
	}
	assert.Len(t, pages, 3, "%v", pages)
	assert.Equal(t, 1, len(map[int]bool{pages[""]: true, pages["limit=100&offset=100"]: true, pages["limit=100&offset=200"]: true}), "%v", pages)
}

// A name that nobody has, a name that two have and an id of nothing are errors that
// say what was looked for and where.
func TestAccImportAppDataSourceRefuses(t *testing.T) {
	t.Parallel()
	list := many(3)
	list[2]["name"] = "App 001"
	w := acctest.Start(t, apps(list))
	refused := func(name, says string) resource.TestStep {
		return resource.TestStep{ConfigFile: file(name), ExpectError: regexp.MustCompile(strings.ReplaceAll(says, " ", `\s+`))}
	}
	called := func(name, says string) resource.TestStep {
		step := refused("data_source_by_name.tf", says)
		step.ConfigVariables = config.Variables{"name": config.StringVariable(name)}
		return step
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: w.Factories(),
		Steps: []resource.TestStep{
			called("app 000", `No import app is called "app 000"`),
			called("App 001", `belongs to the apps 3, 2`),
			refused("data_source_by_id.tf", `Could not read pipeline import app 4711`),
			refused("data_source_both.tf", `Exactly one of these attributes must be configured: \[id,name\]`),
		},
	})
}
