package cli

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/environment"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// PostHog limits requests by API key. All environments with the same key must share one gate, even if they read the
// key from different variables or belong to different runs.
func TestEnvironmentsWithOneKeyShareAClient(t *testing.T) {
	t.Parallel()
	p := testProgram(t, testserver.Start(t))
	keys := map[string]string{"A": "phx_one", "B": "phx_one", "C": "phx_two"}
	p.getenv = func(name string) string { return keys[name] }

	clientOf := func(p *program, variable, project string) *client.Client {
		created, err := p.client(environment.Environment{Name: project, BaseURL: "http://127.0.0.1:1", APIKeyVariable: variable, ProjectID: project})
		require.NoError(t, err)
		return created
	}
	first := clientOf(p, "A", "1")
	assert.Same(t, first, clientOf(p, "B", "2"))
	assert.Same(t, first, clientOf(p.child("another"), "A", "3"))
	assert.NotSame(t, first, clientOf(p, "C", "1"))
}

// PostHog refuses import apps to a key that is limited to projects, whatever its scopes.
func TestNextStepForALimitedKey(t *testing.T) {
	t.Parallel()
	err := &client.Error{Status: http.StatusForbidden, Detail: "API keys with scoped projects are only supported on project-based endpoints."}
	assert.Contains(t, nextStep(err), "Use a key without that limit, or read and write only surveys with --kind surveys")
	assert.NotContains(t, nextStep(&client.Error{Status: http.StatusForbidden, Detail: "missing required scope survey:read"}), "--kind surveys")
}
