package provider_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// max_retries bounds the requests of an operation; what is said of the failure names it.
func TestMaxRetriesFromEnvironment(t *testing.T) {
	t.Parallel()
	for variable, requests := range map[string]int{"0": 1, "3": 4} {
		env := acctest.Start(t)
		env.SetFaults(testserver.Fault{Operation: "surveys_list", Status: 503})
		env.Environment["POSTHOG_MAX_RETRIES"] = variable
		_, diags := env.ReadDataSource(t, "posthog_surveys", map[string]any{})
		assert.Contains(t, diags.Text(), "max_retries, POSTHOG_MAX_RETRIES,")
		assert.Equal(t, requests, env.Operations()["surveys_list"])
	}
}

// A create that failed without a response is never repeated because of max_retries.
func TestMaxRetriesNeverRepeatACreate(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	env.Environment["POSTHOG_MAX_RETRIES"] = "0"
	env.SetFaults(testserver.Fault{Operation: "surveys_create", Status: 500})
	survey := env.Resource(t, "posthog_survey")
	diags := survey.Apply(map[string]any{"name": "NPS", "type": "api"})
	require.True(t, diags.HasError())
	assert.Contains(t, diags.Text(), "Whether it was created is not known")
	assert.Equal(t, 1, env.Operations()["surveys_create"])
}

// The block is before the environment, and what cannot be used is an error on the argument.
func TestInvalidMaxRetries(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	diags := env.Configure(t, nil, map[string]string{"POSTHOG_MAX_RETRIES": "phx_misplaced"})
	require.Len(t, diags, 1, diags.Text())
	assert.Equal(t, "Invalid max_retries", diags[0].Summary)
	assert.Contains(t, diags[0].Detail, "max_retries (POSTHOG_MAX_RETRIES) must be a whole number")
	assert.NotContains(t, diags.Text(), "phx_misplaced")
	assert.Empty(t, env.Configure(t, map[string]any{"max_retries": 0}, map[string]string{"POSTHOG_MAX_RETRIES": "many"}))
}
