package environment

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/testca"
)

// posthog-sync reaches a private PostHog instance with the certificates in the environment variables.
func TestPrivateServiceOfVariables(t *testing.T) {
	t.Parallel()
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	dir := t.TempDir()
	served := ca.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"count":0,"next":null,"previous":null,"results":[]}`)) // the client may have closed the connection
	}), true)
	for name, text := range map[string]string{"ca.pem": ca.PEM, "client.pem": cert, "client.key": key} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	values := map[string]string{
		"POSTHOG_BASE_URL": served.URL, "POSTHOG_API_KEY": "phx_a", "POSTHOG_PROJECT_ID": "1", "POSTHOG_MAX_RETRIES": "0",
		"POSTHOG_CA_CERT": filepath.Join(dir, "ca.pem"), "POSTHOG_CLIENT_CERT": filepath.Join(dir, "client.pem"), "POSTHOG_CLIENT_KEY": filepath.Join(dir, "client.key"),
	}
	getenv := func(name string) string { return values[name] }

	e, err := FromVariables(getenv)
	require.NoError(t, err)
	options, err := e.Options(getenv)
	require.NoError(t, err)
	c, err := client.New(options)
	require.NoError(t, err)
	for _, err := range c.Surveys("1").List(t.Context(), client.ListOptions{}) {
		require.NoError(t, err)
	}

	values["POSTHOG_INSECURE_SKIP_VERIFY"] = "1"
	options, err = e.Options(getenv)
	require.NoError(t, err)
	assert.True(t, options.TLS.InsecureSkipVerify)
	assert.Contains(t, e.Notices(getenv)[0], "can impersonate PostHog and read the API key")
	values["POSTHOG_INSECURE_SKIP_VERIFY"] = "phx_misplaced"
	_, err = e.Options(getenv)
	assert.EqualError(t, err, `environment "default": insecure_skip_verify (POSTHOG_INSECURE_SKIP_VERIFY) must be true or false`)
	values["POSTHOG_CA_CERT"] = "/nowhere"
	_, err = e.Options(getenv)
	assert.ErrorContains(t, err, `environment "default": ca_cert (POSTHOG_CA_CERT) is the path of a file that cannot be read: `)
}

// The provider's guard and retry settings also apply to posthog-sync.
func TestGuardAndRetriesOfVariables(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"POSTHOG_API_KEY": "phx_a", "POSTHOG_PROJECT_ID": "1", "POSTHOG_ALLOWED_PROJECT_IDS": "1, 2", "POSTHOG_ALLOWED_ORGANIZATION_IDS": "o", "POSTHOG_MAX_RETRIES": "3",
	}
	getenv := func(name string) string { return values[name] }
	e, err := FromVariables(getenv)
	require.NoError(t, err)
	options, err := e.Options(getenv)
	require.NoError(t, err)
	assert.Equal(t, client.Allowed{ProjectIDs: []string{"1", "2"}, OrganizationIDs: []string{"o"}}, options.Allowed)
	assert.Equal(t, 3, *options.MaxRetries)

	values["POSTHOG_MAX_RETRIES"] = "phx_misplaced"
	_, err = e.Options(getenv)
	assert.EqualError(t, err, "max_retries (POSTHOG_MAX_RETRIES) must be a whole number, or 0 to disable retries")
}
