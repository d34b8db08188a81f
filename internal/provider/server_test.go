package provider_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Terraform makes some calls only if the provider advertises support for them: generated configuration, moved blocks
// across providers, and plans for a destroy.
func TestCapabilities(t *testing.T) {
	t.Parallel()

	server, err := provider.NewServer(provider.New("test"))
	require.NoError(t, err)
	want := &tfprotov6.ServerCapabilities{
		GetProviderSchemaOptional: true, MoveResourceState: true, PlanDestroy: true, GenerateResourceConfig: true,
	}

	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	assert.Equal(t, want, schemas.ServerCapabilities)

	metadata, err := server.GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	require.NoError(t, err)
	assert.Equal(t, want, metadata.ServerCapabilities)
}

// setting matches the description of an attribute that can be set.
var setting = regexp.MustCompile(`(?i)left out|leaving it out|another one|stand beside|conflicts with|removing it|from the configuration changes|set it|replaces|forces|at most|made up|generated for|write-only|belongs in`)

// Data source pages describe what is returned, not how to set it.
func TestDataSourcesDescribeWhatTheyReturn(t *testing.T) {
	t.Parallel()
	resp, err := providerserver.NewProtocol6(&provider.Provider{})().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for name, schema := range resp.DataSourceSchemas {
		assertDescribed(t, name, schema.Block.Attributes)
	}
}

func assertDescribed(t *testing.T, parent string, attributes []*tfprotov6.SchemaAttribute) {
	t.Helper()
	for _, a := range attributes {
		path := parent + "." + a.Name
		assert.NotEmpty(t, a.Description, path)
		if a.Computed && !a.Optional {
			assert.NotRegexp(t, setting, a.Description, path)
		}
		if a.NestedType != nil {
			assertDescribed(t, path, a.NestedType.Attributes)
		}
	}
}

// OpenTofu sends no value for null, and Terraform sends a null.
func TestFunctionsTakeTheNullOfEveryCLI(t *testing.T) {
	t.Parallel()

	server, err := provider.NewServer(provider.New("test"))
	require.NoError(t, err)
	null, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, tftypes.NewValue(tftypes.DynamicPseudoType, nil))
	require.NoError(t, err)

	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for name, function := range schemas.Functions {
		for _, parameter := range function.Parameters {
			// The CLI itself refuses null for other parameters.
			assert.True(t, !parameter.AllowNullValue || parameter.Type.Is(tftypes.DynamicPseudoType), "%s: a parameter that accepts null must be dynamic", name)
		}
	}

	for cli, argument := range map[string]*tfprotov6.DynamicValue{"Terraform": &null, "OpenTofu": {}, "no value": nil} {
		for _, function := range []string{"questions", "flow"} {
			resp, err := server.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: function, Arguments: []*tfprotov6.DynamicValue{argument}})
			require.NoError(t, err, cli)
			require.Nil(t, resp.Error, "%s %s: %+v", cli, function, resp.Error)
		}
	}
}

// Each of these configurations has one wrong question attribute, on its own line below the brace that opens the
// question.
const (
	wrongScale = `resource "posthog_survey" "s" {
  name = "Lines"
  type = "popover"
  questions = [
    { type = "open", question = "Why?" },
    {
      type     = "rating"
      question = "How?"
      scale    = 6
    },
  ]
}
`
	wrongType = `resource "posthog_survey" "s" {
  name = "Lines"
  type = "popover"
  questions = [
    { type = "open", question = "Why?" },
    {
      question = "How?"

      type = "nps"
    },
  ]
}
`
	// This map key is written as a number. Terraform 1.16 cannot resolve a path into it.
	wrongResponse = `resource "posthog_survey" "s" {
  name = "Lines"
  type = "popover"
  questions = [
    {
      type      = "single_choice"
      question  = "Which?"
      choices   = ["a", "b"]
      branching = { type = "response_based", response_values = { 0 = "7" } }
    },
  ]
}
`
)

// onLine matches a diagnostic that Terraform prints with a line of the configuration and the full path in its text.
func onLine(line, path string) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`on \S+ line \d+, in [^\n]*\n[\s│]*\d+:\s+%s\n(?s:.*)%s`, regexp.QuoteMeta(line), regexp.QuoteMeta(path)))
}

// Terraform before 1.16 and OpenTofu show the line of the element.
func TestAccB1ValuesShowTheLineOfTheElement(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipAbove(version.Must(version.NewVersion("1.15.99")))},
		ProtoV6ProviderFactories: acctest.Start(t).Factories(),
		Steps: []resource.TestStep{
			{Config: wrongScale, ExpectError: onLine("{", "questions[1].scale")},
			{Config: wrongResponse, ExpectError: onLine("{", `questions[0].branching.response_values["0"]`)},
		},
	})
}

func TestAccB1PlanShowsTheLineOfTheElement(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipAbove(version.Must(version.NewVersion("1.15.99")))},
		ProtoV6ProviderFactories: acctest.Start(t).Factories(),
		Steps:                    []resource.TestStep{{Config: wrongType, ExpectError: onLine("{", "questions[1].type")}},
	})
}

func TestAccB1PlanShowsTheLineOfTheAttribute(t *testing.T) {
	t.Parallel()
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{tfversion.SkipBelow(version.Must(version.NewVersion("1.16.0")))},
		ProtoV6ProviderFactories: acctest.Start(t).Factories(),
		Steps: []resource.TestStep{
			{Config: wrongType, ExpectError: onLine(`type = "nps"`, "questions[1].type")},
			{Config: wrongScale, ExpectError: onLine("scale    = 6", "questions[1].scale")},
			{Config: wrongResponse, ExpectError: onLine(`branching = { type = "response_based", response_values = { 0 = "7" } }`, `questions[0].branching.response_values["0"]`)},
		},
	})
}

const secretText = "TOPSECRET"

// fractions are configurations with a number that its attribute can't hold, by the error's path.
func fractions() map[string]map[string]any {
	question := func(more map[string]any) []any {
		one := map[string]any{"type": "open", "question": secretText}
		maps.Copy(one, more)
		return []any{map[string]any{"type": "open", "question": secretText}, one}
	}
	return map[string]map[string]any{
		`AttributeName("responses_limit")`: {"responses_limit": 333.3333333},
		`AttributeName("linked_flag_id")`:  {"linked_flag_id": 1.5},
		`AttributeName("iteration_count")`: {"iteration_count": 1e30},
		// Longer paths end at a step that every CLI can resolve to a line. The text contains the complete path.
		`AttributeName("questions").ElementKeyInt(1): Not a whole number: questions[1].branching.index`: {
			"questions": question(map[string]any{"branching": map[string]any{"type": "specific_question", "index": 0.5}}),
		},
		`AttributeName("questions").ElementKeyInt(1): Not a whole number: questions[1].validation[0].value`: {
			"questions": question(map[string]any{"validation": []any{map[string]any{"type": "min_length", "value": 1.5}}}),
		},
	}
}

// A fraction in a whole number causes one error at its position, and neither validate nor plan prints a configuration
// value.
func TestA2FractionPrintsNoValue(t *testing.T) {
	t.Parallel()

	for at, fraction := range fractions() {
		t.Run(at, func(t *testing.T) {
			t.Parallel()

			env := acctest.Start(t)
			config := map[string]any{"name": secretText, "type": "popover", "description": secretText}
			maps.Copy(config, fraction)
			object := env.Resource(t, "posthog_survey")

			for verb, diags := range map[string]acctest.Diagnostics{"validate": object.Validate(config), "plan": object.Plan(config).Diagnostics} {
				require.Len(t, diags, 1, "%s: %s", verb, diags.Text())
				text := diags.Text()
				assert.Contains(t, text, "ERROR "+at, verb)
				assert.Contains(t, text, "Not a whole number", verb)
				assert.NotContains(t, text, secretText)
				assert.NotRegexp(t, `333|1\.5|0\.5|e\+30|big\.Float|basetypes|tftypes|fault of the provider`, text)
				assert.Less(t, len(text), 500)
			}

			assert.Empty(t, env.Journal())
		})
	}
}

// If a value is unknown in the plan and a fraction at apply, it is rejected in the same way, because Terraform
// validates again.
func TestA2FractionKnownLater(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	object := env.Resource(t, "posthog_survey")
	config := map[string]any{"name": "S", "type": "popover", "description": secretText, "responses_limit": tftypes.UnknownValue}
	require.Empty(t, object.Plan(config).Diagnostics.Errors().Text())
	config["responses_limit"] = 1.5
	diags := object.Apply(config)
	require.Len(t, diags, 1)
	assert.NotContains(t, diags.Text(), secretText)
}

// Data sources behave in the same way.
func TestA2FractionInADataSource(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	_, diags := env.ReadDataSource(t, "posthog_pipeline_import_app", map[string]any{"id": 1.5})
	require.Len(t, diags, 1, diags.Text())
	assert.Contains(t, diags.Text(), `AttributeName("id"): Not a whole number`)
}

// Actions behave in the same way. Their other arguments may also be sensitive.
func TestFractionInAnAction(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	_, diags := env.Invoke(t, "posthog_pipeline_import_app_update_source", map[string]any{"app_id": 1.5, "source": map[string]any{"index.ts": secretText}})
	require.Len(t, diags, 1, diags.Text())
	assert.Contains(t, diags.Text(), `AttributeName("app_id"): Not a whole number`)
	assert.NotContains(t, diags.Text(), secretText)
	assert.Empty(t, env.Journal())
}

// B6: Terraform's output for a change to a large survey's schedule or audience is short: it shows only those of the
// survey's flags that may change.
func TestAccB6ShortPlans(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t, acctest.Profile(testserver.Hosted))
	s := newShell(t, env, env.URL, built(t))
	config, err := os.ReadFile("testdata/eight_questions.tf")
	require.NoError(t, err)
	s.write("main.tf", string(config))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)

	for _, step := range []struct {
		name, variables     string
		mostChanged, mostIn int
	}{
		{"launch", `status = "running"`, 10, 25},
		{"conditions", "status = \"running\"\nurl = \"/b\"", 10, 25},
		{"percentage", "status = \"running\"\npercentage = 20", 30, 60},
		{"archive", "status = \"running\"\npercentage = 20\narchived = true", 10, 25},
		{"stop", "status = \"completed\"\npercentage = 20\narchived = true", 10, 25},
	} {
		s.write("terraform.tfvars", step.variables)
		output, ok := s.run(env.APIKey, "apply", "-auto-approve")
		require.True(t, ok, output)
		diff := diffIn(t, output)
		assert.LessOrEqual(t, changedLines(diff), step.mostChanged, "%s\n%s", step.name, diff)
		assert.LessOrEqual(t, strings.Count(diff, "\n"), step.mostIn, "%s\n%s", step.name, diff)

		output, ok = s.run(env.APIKey, "plan", "-detailed-exitcode")
		require.True(t, ok, output)
	}
}

// diffIn returns the part of Terraform's or OpenTofu's output that shows the changes.
func diffIn(t *testing.T, output string) string {
	t.Helper()
	_, after, ok := strings.Cut(output, " will perform the following actions:")
	require.True(t, ok, output)
	diff, _, ok := strings.Cut(after, "Plan: ")
	require.True(t, ok, output)
	return diff
}

func changedLines(diff string) int {
	return len(regexp.MustCompile(`(?m)^ +[~+-] `).FindAllString(diff, -1))
}

// A8: a replacement is rejected if its create is certain to fail because the deletion policy keeps the name in use.
func TestAccA8PolicyAtReplacement(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	s := newShell(t, env, env.URL, built(t))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)

	s.write("main.tf", strings.Replace(secretConfig, `name = "NPS"`, "name = \"NPS\"\n  deletion_policy = \"abandon\"", 1))
	output, ok = s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)
	output, ok = s.run(env.APIKey, "plan", "-replace=posthog_survey.test")
	assert.False(t, ok, output)
	assert.Contains(t, output, "The replacement would fail because its name stays taken")
}

// A1: a destroy shows which flag is deleted with the survey, and a replacement that would lose the survey and the
// flag is refused.
func TestAccA1DestroyAndReplace(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t, acctest.Profile(testserver.Hosted), acctest.Fixtures(
		`{"feature_flags":[{"id":2,"project_id":"1","key":"beta-users","active":true}]}`))
	s := newShell(t, env, env.URL, built(t))
	s.write("main.tf", strings.Replace(secretConfig, `name = "NPS"`, "name = \"NPS\"\n  targeting_flag_id = 2", 1))
	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)

	output, ok = s.run(env.APIKey, "plan", "-destroy")
	require.True(t, ok, output)
	assert.Contains(t, output, `PostHog will delete feature flag "beta-users" (id 2)`)
	output, ok = s.run(env.APIKey, "plan", "-replace=posthog_survey.test")
	assert.False(t, ok, output)
	assert.Contains(t, strings.Join(strings.Fields(output), " "), `The replacement would lose the survey and feature flag "beta-users" (id 2)`)
}
