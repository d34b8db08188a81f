package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// nouns are the resources, each with a configuration, a change to it, and the name of its objects.
var nouns = map[string]struct {
	config, change map[string]any
	called         string
}{
	"posthog_survey":              {map[string]any{"name": "NPS", "type": "popover"}, map[string]any{"description": "new"}, "survey"},
	"posthog_pipeline_import_app": {map[string]any{"name": "Orders", "plugin_type": "source"}, map[string]any{"description": "new"}, "pipeline import app"},
}

// with returns a configuration with other values.
func with(config, values map[string]any) map[string]any {
	config = maps.Clone(config)
	maps.Copy(config, values)
	return config
}

func timeouts(operation, length string) map[string]any {
	return map[string]any{"timeouts": map[string]any{operation: length}}
}

// Adding, changing, or removing timeouts updates only the state.
func TestTimeoutsAreNotSent(t *testing.T) {
	t.Parallel()
	for typeName, noun := range nouns {
		t.Run(typeName, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			object := env.Resource(t, typeName)
			require.Empty(t, object.Apply(noun.config).Errors().Text())
			sent := len(env.Journal())
			for _, change := range []map[string]any{timeouts("create", "30m"), timeouts("update", "1h30m"), {"timeouts": map[string]any{}}, nil} {
				config := with(noun.config, change)
				before := object.Plan(noun.config).Attributes(t)
				plan := object.Plan(config)
				assert.False(t, object.IsEmpty(plan), change)
				assert.Empty(t, plan.RequiresReplace)
				assert.Empty(t, plan.Diagnostics.Text())
				after := plan.Attributes(t)
				delete(before, "timeouts")
				delete(after, "timeouts")
				assert.Equal(t, before, after)
				require.Empty(t, object.Apply(config).Text())
				assert.True(t, object.IsEmpty(object.Plan(config)))
			}
			assert.Nil(t, object.State("timeouts"))
			assert.Len(t, env.Journal(), sent)

			// If timeouts change together with another attribute, the request does not contain them.
			require.Empty(t, object.Apply(with(with(noun.config, noun.change), timeouts("update", "5m"))).Text())
			assert.JSONEq(t, `{"description":"new"}`, env.RequestBodies(t, http.MethodPatch)[0])
			require.Empty(t, object.Refresh().Text())
			assert.Equal(t, "5m", object.State("timeouts").(map[string]any)["update"]) //nolint:forcetypeassert // or the test fails
		})
	}
}

// A state that was written when timeouts was a block has the same values, and plans no change.
func TestTimeoutsOfABlockLoad(t *testing.T) {
	t.Parallel()
	for typeName, noun := range nouns {
		env := acctest.Start(t)
		object := env.Resource(t, typeName)
		require.Empty(t, object.Apply(noun.config).Errors().Text())
		for _, c := range []struct {
			block  any
			config map[string]any
		}{
			{nil, noun.config},
			{map[string]any{"create": "30m", "read": nil, "update": nil, "delete": nil}, with(noun.config, timeouts("create", "30m"))},
		} {
			require.Empty(t, object.Upgrade(func(attributes map[string]any) { attributes["timeouts"] = c.block }).Text())
			require.Empty(t, object.Refresh().Errors().Text())
			assert.True(t, object.IsEmpty(object.Plan(c.config)), "%s with %v", typeName, c.block)
		}
	}
}

// Bridges to other tools cannot represent a single nested block.
func TestResourcesHaveNoBlocks(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for name, one := range schemas.ResourceSchemas {
		assert.Empty(t, one.Block.BlockTypes, name)
	}
}

// An import does not contain the configured timeouts, so the first apply adds them to the state without a request.
func TestTimeoutsAfterImport(t *testing.T) {
	t.Parallel()
	for typeName, noun := range nouns {
		env := acctest.Start(t)
		r := env.Resource(t, typeName)
		require.Empty(t, r.Apply(with(noun.config, timeouts("read", "5m"))).Errors().Text())
		imported := env.Resource(t, typeName)
		require.Empty(t, imported.Import(fmt.Sprint(r.State("id"))).Text())
		assert.Nil(t, imported.State("timeouts"))
		assert.True(t, imported.IsEmpty(imported.Plan(noun.config)))

		sent := len(env.Journal())
		require.Empty(t, imported.Apply(with(noun.config, timeouts("read", "5m"))).Text())
		assert.Len(t, env.Journal(), sent)
	}
}

// An invalid duration is rejected in the plan, on its line. An unknown duration is accepted.
func TestTimeoutsAreChecked(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)

	for typeName, noun := range nouns {
		object := env.Resource(t, typeName)
		for _, operation := range []string{"create", "read", "update", "delete"} {
			at := tftypes.NewAttributePath().WithAttributeName("timeouts") // where every CLI finds the line
			for text, want := range map[string]string{
				"0s": "Use a duration greater than zero", "-5m": "Use a duration greater than zero",
				"soon": "such as 90s, 30m, or 2h", "30": `is "30", a number without a unit. Use a duration`, "": "Use a duration",
			} {
				errs := object.Plan(with(noun.config, timeouts(operation, text))).Diagnostics.Errors()
				require.Len(t, errs, 1, "%s = %q: %s", operation, text, errs.Text())
				assert.True(t, at.Equal(errs[0].Attribute), "%s", errs[0].Attribute)
				assert.Contains(t, errs[0].Detail, want)
			}
		}

		unknown := map[string]any{"timeouts": map[string]any{"create": tftypes.UnknownValue, "read": "1ms"}}
		assert.Empty(t, object.Plan(with(noun.config, unknown)).Diagnostics.Errors().Text())
	}

	for operation := range env.Operations() {
		assert.NotContains(t, operation, "create")
	}
}

// The provider waits until the operation's timeout for a service that keeps requesting pauses or failing. The error
// contains the timeout and how to raise it.
func TestTimeoutIsTold(t *testing.T) {
	t.Parallel()
	for typeName, noun := range nouns {
		for operation, act := range map[string]func(*acctest.Resource, map[string]any) acctest.Diagnostics{
			"create": (*acctest.Resource).Apply,
			"read":   func(o *acctest.Resource, _ map[string]any) acctest.Diagnostics { return o.Refresh() },
			"update": func(o *acctest.Resource, config map[string]any) acctest.Diagnostics {
				return o.Apply(with(config, noun.change))
			},
			"delete": func(o *acctest.Resource, _ map[string]any) acctest.Diagnostics { return o.Destroy() },
		} {
			for why, fault := range map[string]testserver.Fault{
				"PostHog throttled requests": {Status: 429, RetryAfter: "90"},
				"PostHog failed":             {Status: 503, RetryAfter: "100"},
			} {
				if operation == "create" && fault.Status == 503 {
					continue // a create is sent again once, whatever the timeout
				}
				t.Run(typeName+" "+operation+" "+why, func(t *testing.T) {
					t.Parallel()
					env := acctest.Start(t)
					object := env.Resource(t, typeName)
					config := with(noun.config, timeouts(operation, "4m"))
					if operation != "create" {
						require.Empty(t, object.Apply(config).Errors().Text())
					}
					sent := len(env.Journal())
					env.SetFaults(fault)
					diags := act(object, config)
					require.Len(t, diags.Errors(), 1)
					text := diags.Text()
					assert.Contains(t, text, fmt.Sprintf("Could not %s %s", operation, noun.called))
					assert.Contains(t, text, "and the "+operation+" may take no longer than 4m ("+why)
					assert.Contains(t, text, "un the same command again")
					assert.Contains(t, text, "timeouts = {\n  "+operation+` = "8m"`)
					advice := map[string]string{"read": "Terraform uses the timeout in the state", "delete": "Terraform uses the timeout in the state"}
					assert.Contains(t, text, advice[operation])
					assert.Len(t, env.Journal()[sent:], 3)

					env.SetFaults()
					if operation == "create" {
						assert.Nil(t, object.State("id"))
						assert.Empty(t, env.Surveys(t))
						assert.Empty(t, env.Apps(t))
					}
					require.Empty(t, act(object, config).Errors().Text(), "the same operation must succeed a second time")
				})
			}
		}
	}
}

// The recommended timeout is long enough for the wait that PostHog requested. If no timeout would be, none is
// recommended.
func TestTimeoutThatIsAdvised(t *testing.T) {
	t.Parallel()
	for length, c := range map[string]struct{ asked, want, text string }{
		"1ns": {"1", `create = "1m"`, "may take no longer than 1ns"},
		"4m":  {"890", `create = "19m"`, "wait is 14m5"},
		"20m": {"864000", "Try again later", "wait is 10 days, and"},
		"5m":  {"Fri, 31 Dec 9999 23:59:59 GMT", "Try again later", "days, and"},
	} {
		env := acctest.Start(t)
		object := env.Resource(t, "posthog_survey")
		env.SetFaults(testserver.Fault{Method: "POST", RetryAfter: c.asked})
		diags := object.Apply(with(nouns["posthog_survey"].config, timeouts("create", length)))
		assert.Contains(t, diags.Text(), c.text)
		assert.Contains(t, diags.Text(), c.want)
		assert.LessOrEqual(t, env.Operations()["surveys_create"], 1)
	}
}

// A timeout that ends before the first request is reported in the same way.
func TestTimeoutIsOverAtOnce(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	object := env.Resource(t, "posthog_survey")
	diags := object.Apply(with(nouns["posthog_survey"].config, timeouts("create", "1ns")))
	assert.Contains(t, diags.Text(), "not sent: the create may take no longer than 1ns, and that time ran out before its turn came")
	assert.Contains(t, diags.Text(), "This request changed nothing")
	assert.NotContains(t, env.Operations(), "surveys_create")
}

// A data source has no timeouts, so the error does not recommend one.
func TestTimeoutOfDataSource(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.SetFaults(testserver.Fault{Status: 429, RetryAfter: "3600"})
	_, diags := env.ReadDataSource(t, "posthog_surveys", nil)
	text := diags.Errors().Text()
	assert.Contains(t, text, "operation may take no longer than 20m")
	assert.Contains(t, text, "Try again later")
}

// In Terraform, adding a timeouts attribute is the only change, nothing is sent, and an import without it still plans
// no change.
func TestAccTimeouts(t *testing.T) {
	t.Parallel()

	for address, config := range map[string]string{
		"posthog_survey.test":              "resource \"posthog_survey\" \"test\" {\n  name = \"NPS\"\n  type = \"popover\"\n%s}\n",
		"posthog_pipeline_import_app.test": "resource \"posthog_pipeline_import_app\" \"test\" {\n  name = \"Orders\"\n  plugin_type = \"source\"\n%s}\n",
	} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t)
			plain, bounded := fmt.Sprintf(config, ""), fmt.Sprintf(config, "  timeouts = {\n    create = \"30m\"\n  }\n")
			updates := resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate),
			}}

			resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: env.Factories(), Steps: []resource.TestStep{
				{Config: plain},
				{Config: bounded, ConfigPlanChecks: updates, Check: resource.TestCheckResourceAttr(address, "timeouts.create", "30m")},
				{Config: plain, ConfigPlanChecks: updates},
				{Config: plain, ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID},
			}})

			assert.Empty(t, env.RequestBodies(t, http.MethodPatch))
		})
	}
}
