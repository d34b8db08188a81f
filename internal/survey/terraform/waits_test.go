package terraform_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Every throttle and every failure that passes is waited out, and long waits are reported.
func TestWaitsAreToldOnce(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	survey := env.Resource(t, "posthog_survey")
	config := map[string]any{"name": "NPS", "type": "popover"}

	env.SetFaults(testserver.Fault{Method: "POST", To: 3, RetryAfter: "90"})
	diags := survey.Apply(config)
	require.False(t, diags.HasError(), diags.Text())
	assert.Contains(t, diags.Text(), "WARNING")
	assert.Contains(t, diags.Text(), "The service asked for fewer requests: It answered 429, and requests waited for 4m3")

	env.SetFaults(testserver.Fault{Method: "GET", To: 6, Status: 502})
	diags = survey.Refresh()
	require.False(t, diags.HasError(), diags.Text())
	assert.Contains(t, diags.Text(), "The service failed for a while")

	env.SetFaults(testserver.Fault{Method: "PATCH", To: 2, Drop: "after"})
	config["name"] = "NPS 2"
	diags = survey.Apply(config)
	require.Empty(t, diags.Text(), "a short wait is not worth a word")
	assert.Equal(t, "NPS 2", only(t, env)["name"])

	env.SetFaults(testserver.Fault{Method: "DELETE", To: 1, Drop: "after"})
	require.Empty(t, survey.Destroy().Text())
	assert.Empty(t, env.Surveys(t))
}
