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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

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

// A name that nobody has, a name that two have and an id of nothing are errors that
// say what was looked for and where.
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
			called("app 000", `No import app is called "app 000"`),
			called("App 001", `belongs to the apps 3, 2`),
			refused("data_source_by_id.tf", `Could not read pipeline import app 4711`),
			refused("data_source_both.tf", `Exactly one of these attributes must be configured: \[id,name\]`),
		},
	})
}
