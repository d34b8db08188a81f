package side

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

// A private service is reached with the files that posthog-sync.yaml names beside it, from any
// directory below, and the provider that plans gets the same.
func TestPrivateServiceOfAFile(t *testing.T) {
	t.Parallel()
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	dir := t.TempDir()
	served := ca.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"count":0,"next":null,"previous":null,"results":[]}`)) // the client may be gone
	}), true)
	for name, text := range map[string]string{
		"tls/ca.pem": ca.PEM, "tls/client.pem": cert, "tls/client.key": key,
		EnvironmentsFile: "environments:\n  a: {base_url: " + served.URL + ", project_id: \"1\", ca_cert: tls/ca.pem, client_cert: tls/client.pem, client_key: tls/client.key}",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	below := filepath.Join(dir, "below")
	require.NoError(t, os.Mkdir(below, 0o700))
	getenv := func(name string) string {
		return map[string]string{"POSTHOG_API_KEY": "phx_a", "POSTHOG_MAX_RETRIES": "0"}[name]
	}

	set, err := FindEnvironments("", below, getenv)
	require.NoError(t, err)
	e, err := set.Get("a")
	require.NoError(t, err)
	options, err := e.Options(getenv)
	require.NoError(t, err)
	c, err := client.New(options)
	require.NoError(t, err)
	for _, err := range c.Surveys("1").List(t.Context(), client.ListOptions{}) {
		require.NoError(t, err)
	}

	variables := e.Variables(getenv)
	assert.Equal(t, filepath.Join(dir, "tls", "ca.pem"), variables["POSTHOG_CA_CERT"])
	assert.Equal(t, filepath.Join(dir, "tls", "client.key"), variables["POSTHOG_CLIENT_KEY"])
	assert.Equal(t, "false", variables["POSTHOG_INSECURE_SKIP_VERIFY"])
}

// What a file does not say is in the variables; a certificate and its key come from one place.
func TestTLSOfVariables(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"POSTHOG_CA_CERT": "/v/ca.pem", "POSTHOG_CLIENT_CERT": "/v/client.pem", "POSTHOG_CLIENT_KEY": "/v/client.key", "POSTHOG_INSECURE_SKIP_VERIFY": "1",
	}
	getenv := func(name string) string { return values[name] }
	set, err := ParseEnvironments([]byte("environments:\n  own: {project_id: \"1\", client_cert: c.pem, insecure_skip_verify: false}\n  none: {project_id: \"2\"}"), "/f", getenv)
	require.NoError(t, err)

	own, err := set.Get("own")
	require.NoError(t, err)
	assert.Equal(t, []string{"/v/ca.pem", filepath.FromSlash("/f/c.pem"), ""}, []string{own.CACert, own.ClientCert, own.ClientKey})
	assert.False(t, own.InsecureSkipVerify)
	none, err := set.Get("none")
	require.NoError(t, err)
	assert.Equal(t, []string{"/v/ca.pem", "/v/client.pem", "/v/client.key"}, []string{none.CACert, none.ClientCert, none.ClientKey})
	assert.True(t, none.InsecureSkipVerify)
	assert.Contains(t, none.Notices(getenv)[0], "can pose as the service and read the API key")

	values["POSTHOG_INSECURE_SKIP_VERIFY"] = "phx_misplaced"
	_, err = FromVariables(getenv)
	assert.EqualError(t, err, "insecure_skip_verify (POSTHOG_INSECURE_SKIP_VERIFY) must be true or false")
}

// A file that cannot be used is refused with the name of the environment and the setting.
func TestTLSFileIsMissing(t *testing.T) {
	t.Parallel()
	getenv := func(name string) string {
		return map[string]string{"POSTHOG_API_KEY": "phx_a", "POSTHOG_PROJECT_ID": "1"}[name]
	}
	_, err := Environment{Name: "a", BaseURL: "https://x", APIKeyVariable: defaultKeyVariable, CACert: "/nowhere"}.Options(getenv)
	assert.ErrorContains(t, err, `environment "a": ca_cert (POSTHOG_CA_CERT) is the path of a file that cannot be read: `)
}

// The guard and the retries of the provider count for posthog-sync too.
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
	assert.EqualError(t, err, "max_retries (POSTHOG_MAX_RETRIES) must be a whole number, or 0 to send nothing again")
}
