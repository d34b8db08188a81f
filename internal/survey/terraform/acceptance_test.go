package terraform_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

const testAddress = "posthog_survey.test"

// flags are fixtures with two flags to link.
const flags = `{"feature_flags":[
	{"id":1,"project_id":"1","key":"first"},
	{"id":2,"project_id":"1","key":"second"}]}`

func file(name string) config.TestStepConfigFunc { return config.StaticFile("testdata/" + name) }

// imports asserts that importing the last step's survey plans no change.
func imports(name string) resource.TestStep {
	return resource.TestStep{
		ConfigFile: file(name), ResourceName: testAddress,
		ImportState: true, ImportStateKind: resource.ImportBlockWithID,
	}
}

func value(attribute string, check knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(testAddress, tfjsonpath.New(attribute), check)
}

func planned(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(testAddress, action)}}
}

// A survey is created, every field is updated, and every clearable field is cleared. After each step, an import plans
// no change, and the request contains only what changed.
func TestAccSurveyEveryField(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t, acctest.Fixtures(flags))

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{
				ConfigFile: file("full.tf"),
				ConfigStateChecks: []statecheck.StateCheck{
					value("status", knownvalue.StringExact("completed")),
					value("end_date", knownvalue.StringExact("2026-04-01T09:00:00+02:00")),
					value("targeting_flag_id", knownvalue.Null()),
					value("iteration_start_dates", knownvalue.ListSizeExact(2)),
					statecheck.ExpectKnownValue(testAddress, tfjsonpath.New("linked_flag").AtMapKey("key"), knownvalue.StringExact("first")),
					statecheck.ExpectKnownValue(testAddress, tfjsonpath.New("questions").AtSliceIndex(0).AtMapKey("branching").AtMapKey("response_values").AtMapKey("detractors"),
						knownvalue.StringExact("1")),
				},
			},
			imports("full.tf"),
			{
				ConfigFile: file("changed.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					value("name", knownvalue.StringExact("Changed")), value("linked_flag_id", knownvalue.Int64Exact(2)),
					value("current_iteration", knownvalue.Int64Exact(2)), value("archived", knownvalue.Bool(false)),
				},
			},
			imports("changed.tf"),
			{
				ConfigFile: file("cleared.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					value("description", knownvalue.StringExact("")), value("questions", knownvalue.Null()),
					value("conditions", knownvalue.Null()), value("appearance", knownvalue.Null()),
					value("linked_flag_id", knownvalue.Null()), value("targeting_flag", knownvalue.Null()),
					value("start_date", knownvalue.Null()), value("end_date", knownvalue.Null()),
				},
			},
			imports("cleared.tf"),
		},
		CheckDestroy: func(*terraform.State) error {
			assert.Empty(t, env.Surveys(t))
			return nil
		},
	})

	bodies := env.RequestBodies(t, http.MethodPatch)
	require.Len(t, bodies, 2)
	assert.JSONEq(t, `{"description":"","questions":null,"conditions":null,"appearance":null,"linked_flag_id":null,
		"remove_targeting_flag":true,"start_date":null,"end_date":null,"responses_limit":null,
		"iteration_count":null,"iteration_frequency_days":null}`, bodies[1])
}

// A changed word in the description sends one key. Questions keep their IDs, even if they move and others are added or
// removed.
func TestAccSurveyKeepsQuestions(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	var before, after []string

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{ConfigFile: file("five.tf"), Check: func(*terraform.State) error { before = questionIDs(t, only(t, env)); return nil }},
			{
				ConfigFile: file("five.tf"), ConfigVariables: config.Variables{"description": config.StringVariable("after")},
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{changesOnly("description")}},
				Check:            func(*terraform.State) error { after = questionIDs(t, only(t, env)); return nil },
			},
			{ConfigFile: file("five_moved.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate)},
			imports("five_moved.tf"),
		},
	})

	require.Len(t, before, 5)
	assert.Equal(t, before, after)

	bodies := env.RequestBodies(t, http.MethodPatch)
	require.Len(t, bodies, 2)
	assert.JSONEq(t, `{"description":"after"}`, bodies[0])

	moved := questionIDs(t, json.RawMessage(bodies[1]))
	require.Len(t, moved, 5)
	assert.NotContains(t, before, moved[1], "a new question must not get the ID of an existing one")
	assert.Equal(t, []string{before[4], before[1], before[3], before[2]}, []string{moved[0], moved[2], moved[3], moved[4]})
}

// status launches, stops, and resumes a survey. A configuration that omits status and the dates changes nothing.
func TestAccSurveyStatus(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)

	step := func(status, want string) resource.TestStep {
		s := resource.TestStep{ConfigFile: file("status.tf"), Check: func(*terraform.State) error {
			assert.Equal(t, want, dates(t, env), status)
			return nil
		}}
		if status != "" {
			s.ConfigVariables = config.Variables{"status": config.StringVariable(status)}
		}
		return s
	}

	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			step("", "never started, never ended"),
			step("running", "started, never ended"),
			step("", "started, never ended"),
			step("completed", "started, ended"),
			step("", "started, ended"),
			step("running", "started, never ended"),
			step("draft", "never started, never ended"),
			{ConfigFile: file("status.tf"), ConfigVariables: config.Variables{"status": config.StringVariable("paused")}, ExpectError: regexp.MustCompile(`status`)},
		},
	})

	assert.Len(t, env.RequestBodies(t, http.MethodPatch), 4)
}

// A survey that a teammate deleted is reported as deleted and created again.
func TestAccSurveyGone(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{
			{ConfigFile: file("minimal.tf")},
			{PreConfig: func() { deleted(t, env) }, ConfigFile: file("minimal.tf"), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
		},
	})
	assert.Len(t, env.RequestBodies(t, http.MethodPost), 2)
}

// A survey that was created outside Terraform is imported unchanged, and the import sends no write.
func TestAccSurveyAdopted(t *testing.T) {
	t.Parallel()
	const uuid = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"

	for _, id := range []string{"1/" + uuid, uuid} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t, acctest.Fixtures(`{"surveys":[{"project_id":"1","id":"`+uuid+`",
				"name":"Made by hand","type":"api","start_date":"2026-01-01T00:00:00Z",
				"questions":[{"type":"open","question":"Why?","originalQuestionIndex":0}],
				"conditions":{"url":"https://example.com/?a=1&b=2","urlMatchType":"exact"}}]}`))

			resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: env.Factories(), Steps: []resource.TestStep{{
				ConfigFile: file("adopted.tf"), ConfigVariables: config.Variables{"id": config.StringVariable(id)},
				ConfigPlanChecks: planned(plancheck.ResourceActionNoop),
				Check: func(*terraform.State) error {
					for _, request := range env.Journal() {
						assert.Equal(t, http.MethodGet, request.Method, request.Path)
					}
					return nil
				},
			}}})
		})
	}
}

// The list data source reads all pages. The singular data source finds a survey by name or by ID.
func TestAccSurveyDataSources(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t, manySurveys(110))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: env.Factories(),
		Steps: []resource.TestStep{{
			ConfigFile: file("data_sources.tf"),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("all", knownvalue.Int64Exact(110)),
				statecheck.ExpectKnownOutputValue("archived", knownvalue.Int64Exact(11)),
				statecheck.ExpectKnownOutputValue("widgets", knownvalue.Int64Exact(55)),
				statecheck.ExpectKnownOutputValue("named", knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("Survey 007")})),
				statecheck.ExpectKnownOutputValue("same", knownvalue.StringExact("Why 7?")),
			},
		}},
	})
}

// changesOnly asserts that the plan changes only this attribute and contains no unknown value.
type changesOnly string

// CheckPlan implements plancheck.PlanCheck.
func (attribute changesOnly) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	for _, one := range req.Plan.ResourceChanges {
		before, okBefore := one.Change.Before.(map[string]any)
		after, okAfter := one.Change.After.(map[string]any)
		if !okBefore || !okAfter {
			resp.Error = fmt.Errorf("%s is not updated in place", one.Address)
			return
		}

		var lines []string
		for name := range before {
			if !reflect.DeepEqual(before[name], after[name]) {
				lines = append(lines, name)
			}
		}

		if unknown := fmt.Sprint(one.Change.AfterUnknown); strings.Contains(unknown, "true") {
			resp.Error = fmt.Errorf("the plan of %s prints (known after apply): %s", one.Address, unknown)
		}

		if !slices.Equal(lines, []string{string(attribute)}) {
			resp.Error = fmt.Errorf("the plan of %s prints %d changed attributes: %v", one.Address, len(lines), lines)
		}
	}
}
