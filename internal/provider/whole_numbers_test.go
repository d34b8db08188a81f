package provider_test

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

const secretText = "TOPSECRET"

// fractions are configurations with one number that its attribute cannot hold, by the
// path of the error.
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
		// Deeper paths end where every CLI finds the line, and the text has the rest.
		`AttributeName("questions").ElementKeyInt(1): Not a whole number: questions[1].branching.index`: {
			"questions": question(map[string]any{"branching": map[string]any{"type": "specific_question", "index": 0.5}}),
		},
		`AttributeName("questions").ElementKeyInt(1): Not a whole number: questions[1].validation[0].value`: {
			"questions": question(map[string]any{"validation": []any{map[string]any{"type": "min_length", "value": 1.5}}}),
		},
	}
}

// A fraction in a whole number is one error at its place, and no value of the
// configuration is printed, neither by validate nor by plan.
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

// A value that was unknown when the configuration was planned, and is a fraction when
// it is applied, is refused in the same way: Terraform validates it again.
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

// It is the same in data sources.
func TestA2FractionInADataSource(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	_, diags := env.ReadDataSource(t, "posthog_pipeline_import_app", map[string]any{"id": 1.5})
	require.Len(t, diags, 1, diags.Text())
	assert.Contains(t, diags.Text(), `AttributeName("id"): Not a whole number`)
}

// It is the same in actions, whose other arguments may be sensitive as well.
func TestFractionInAnAction(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	_, diags := env.Invoke(t, "posthog_pipeline_import_app_update_source", map[string]any{"app_id": 1.5, "source": map[string]any{"index.ts": secretText}})
	require.Len(t, diags, 1, diags.Text())
	assert.Contains(t, diags.Text(), `AttributeName("app_id"): Not a whole number`)
	assert.NotContains(t, diags.Text(), secretText)
	assert.Empty(t, env.Journal())
}
