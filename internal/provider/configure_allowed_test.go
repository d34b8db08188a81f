package provider_test

import (
	"maps"
	"os"

	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

const (
	otherOrganization = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cee"
	guardedSurvey     = "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d"
)

// guarded starts a server with a survey in project 2 and an app in another organization, and a
// provider that may only go to project 1 and to its own organization.
func guarded(t *testing.T) *acctest.Env {
	t.Helper()
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(`{
		"organizations": [{"id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd"}, {"id": "`+otherOrganization+`"}],
		"projects": [{"id": 1, "organization_id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd"}, {"id": 2, "organization_id": "018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd"}],
		"users": [{"id": 1, "email": "a@example.com", "organization_ids": ["018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6cdd", "`+otherOrganization+`"]}],
		"surveys": [{"project_id": "2", "id": "`+guardedSurvey+`", "name": "Theirs", "type": "popover"}],
		"pipeline_import_apps": [{"organization_id": "`+otherOrganization+`", "id": 9, "name": "Theirs"}]
	}`))
	env.Environment["POSTHOG_ALLOWED_PROJECT_IDS"] = "1"
	env.Environment["POSTHOG_ALLOWED_ORGANIZATION_IDS"] = env.OrganizationID
	return env
}

// refusedAbout asserts that the guard refused, and that nothing was sent.
func refusedAbout(t *testing.T, env *acctest.Env, diags acctest.Diagnostics, about string) {
	t.Helper()
	require.True(t, diags.HasError(), about)
	assert.Contains(t, diags.Text(), " is not one of allowed_", about)
	assert.Empty(t, env.Journal(), about)
}

// argumentsOf are arguments of a block about another project or organization; nil for a block
// that is about neither.
func argumentsOf(block *tfprotov6.SchemaBlock) map[string]any {
	arguments := map[string]any{}
	about := false
	for _, attribute := range block.Attributes {
		isID := attribute.Name == "id" && attribute.Optional
		switch {
		case attribute.Name == "project_id" && (attribute.Optional || attribute.Required):
			arguments["project_id"], about = "2", true
		case attribute.Name == "organization_id" && (attribute.Optional || attribute.Required):
			arguments["organization_id"], about = otherOrganization, true
		case (attribute.Required || isID) && attribute.ValueType().Is(tftypes.String):
			arguments[attribute.Name] = guardedSurvey
		case (attribute.Required || isID) && attribute.ValueType().Is(tftypes.Number):
			arguments[attribute.Name] = 9
		case attribute.Required && attribute.ValueType().Is(tftypes.Map{}):
			arguments[attribute.Name] = map[string]any{"plugin.json": "{}"}
		}
	}
	if !about {
		return nil
	}
	return arguments
}

// No data source, list resource or action makes a request about a project or an organization
// that is not allowed.
func TestGuardHoldsForEveryBlock(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)

	tried := 0
	for name, schema := range schemas.DataSourceSchemas {
		arguments := argumentsOf(schema.Block)
		if name == "posthog_project" {
			arguments = map[string]any{"id": 2}
		}
		if arguments != nil {
			_, diags := env.ReadDataSource(t, name, arguments)
			refusedAbout(t, env, diags, "data source "+name)
			tried++
		}
	}
	for name, schema := range schemas.ListResourceSchemas {
		_, diags := env.List(t, name, argumentsOf(schema.Block), false, 10)
		refusedAbout(t, env, diags, "list resource "+name)
		tried++
	}
	for name, schema := range schemas.ActionSchemas {
		_, diags := env.Invoke(t, name, argumentsOf(schema.Schema.Block))
		refusedAbout(t, env, diags, "action "+name)
		tried++
	}
	assert.GreaterOrEqual(t, tried, 22)
}

// A resource with a project or an organization of its own is refused at plan, on the argument;
// an import before it reads.
func TestGuardHoldsForResources(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config   map[string]any
		at, byID string
	}{
		"posthog_survey":              {map[string]any{"name": "NPS", "type": "api", "project_id": "2"}, `AttributeName("project_id")`, "2/" + guardedSurvey},
		"posthog_pipeline_import_app": {map[string]any{"plugin_type": "source", "name": "App", "organization_id": otherOrganization}, `AttributeName("organization_id")`, otherOrganization + "/9"},
	} {
		env := guarded(t)
		resource := env.Resource(t, name)
		diags := resource.Plan(c.config).Diagnostics
		refusedAbout(t, env, diags, name)
		assert.Equal(t, c.at, diags.Errors()[0].Attribute.String())
		refusedAbout(t, env, resource.Import(c.byID), name)
	}
}

// What a state has from another project stays, whatever is tried.
func TestGuardHoldsForTheState(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	environment := maps.Clone(env.Environment)
	delete(env.Environment, "POSTHOG_ALLOWED_PROJECT_IDS")
	survey := env.Resource(t, "posthog_survey")
	require.Empty(t, survey.Import("2/"+guardedSurvey).Text())
	before := len(env.Journal())

	env.Environment = environment
	env.NextRun(t, survey)
	config := map[string]any{"name": "Ours", "type": "popover", "project_id": "2"}
	for step, diags := range map[string]acctest.Diagnostics{
		"refresh": survey.Refresh(), "update": survey.Apply(config), "plan of destroy": survey.PlanDestroy().Diagnostics, "destroy": survey.Destroy(),
	} {
		assert.Contains(t, diags.Text(), "project 2 is not one of allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which has 1", step)
	}
	assert.Len(t, env.Journal(), before)
}

// A default of the provider that is not allowed is one error, when it is configured.
func TestGuardOfTheDefaults(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	for argument, value := range map[string]string{"project_id": "2", "organization_id": otherOrganization} {
		diags := env.Configure(t, map[string]any{argument: value}, nil)
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, `AttributeName("`+argument+`")`, diags[0].Attribute.String())
	}
	assert.Contains(t, env.Configure(t, map[string]any{"project_id": "@current"}, nil).Text(), "@current is whichever project the user of the API key has open")
	assert.Empty(t, env.Configure(t, map[string]any{"project_id": "2", "allowed_project_ids": []any{"1", "2"}}, nil), "the block is before the environment")
}

// Ids that are known only after apply are no error, and allow nothing before.
func TestGuardUnknown(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	for _, unknown := range []any{tftypes.UnknownValue, []any{"1", tftypes.UnknownValue}} {
		diags := env.Configure(t, map[string]any{"project_id": "2", "allowed_project_ids": unknown}, nil)
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, tfprotov6.DiagnosticSeverityWarning, diags[0].Severity)
		assert.Equal(t, "The provider is not configured yet", diags[0].Summary)
	}
}

// Terraform refuses at apply what it did not know at plan, and the survey of an alias, and
// creates nothing of either.
func TestAccGuard(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := guarded(t)
	config, err := os.ReadFile("testdata/guarded.tf")
	require.NoError(t, err)
	s := newShell(t, env, env.URL, built(t))
	s.env = append(s.env, "POSTHOG_ALLOWED_PROJECT_IDS=1")
	s.write("main.tf", string(config))

	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	assert.False(t, ok, output)
	assert.Contains(t, unwrapped(output), "project 2 is not one of allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which has 1")

	output, ok = s.run(env.APIKey, "plan", "-var=alias=true")
	assert.False(t, ok, output)
	assert.Contains(t, unwrapped(output), "project 1 is not one of allowed_project_ids (POSTHOG_ALLOWED_PROJECT_IDS), which has 2")
	assert.Empty(t, env.Journal())
}

// A set of ids that allows nothing is a mistake.
func TestAccGuardOfNothing(t *testing.T) {
	t.Parallel()
	env := guarded(t)
	cli := env.CLI(t)
	for _, ids := range []string{"[]", `[""]`, "[null]"} {
		cli.Write("main.tf", `
			terraform {
			  required_providers {
			    posthog = { source = "surveys-as-code/posthog" }
			  }
			}
			provider "posthog" {
			  allowed_project_ids = `+ids+`
			}
			data "posthog_surveys" "all" {}`)
		output, code := cli.Exit("plan")
		assert.Equal(t, 1, code, output)
		assert.Contains(t, output, "Invalid allowed_project_ids", ids)
	}
	assert.Empty(t, env.Journal())
}
