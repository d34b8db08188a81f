package provider_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/testca"
)

// The settings of TLS are taken from the environment, as text and as the path of a file.
func TestTLSFromEnvironment(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	keyFile := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(keyFile, []byte(key), 0o600))
	env.Environment["POSTHOG_BASE_URL"] = ca.Serve(t, env.Server, true).URL
	env.Environment["POSTHOG_CA_CERT"], env.Environment["POSTHOG_CLIENT_CERT"], env.Environment["POSTHOG_CLIENT_KEY"] = ca.PEM, cert, keyFile

	_, diags := env.ReadDataSource(t, "posthog_surveys", map[string]any{})
	require.Empty(t, diags.Text())
	assert.Equal(t, 1, env.Operations()["surveys_list"])

	delete(env.Environment, "POSTHOG_CLIENT_CERT")
	delete(env.Environment, "POSTHOG_CLIENT_KEY")
	_, diags = env.ReadDataSource(t, "posthog_surveys", map[string]any{})
	assert.Contains(t, diags.Text(), "set client_cert (POSTHOG_CLIENT_CERT) and client_key (POSTHOG_CLIENT_KEY)")
	assert.Equal(t, 1, env.Operations()["surveys_list"])
}

// What cannot be used is an error on the argument, which repeats no key.
func TestInvalidTLS(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	cert, _ := testca.New(t).Pair(t)
	const damaged = "MIGHAgEAMBMGByqGSM49\nAgEGCCqGSM49AwEHBG0wawIBAQQg"

	for argument, c := range map[string]struct {
		block       map[string]any
		environment map[string]string
		want        string
	}{
		"ca_cert":     {map[string]any{"ca_cert": "/nowhere/ca.pem"}, nil, "ca_cert (POSTHOG_CA_CERT) is the path of a file that cannot be read: no such file or directory."},
		"client_key":  {map[string]any{"client_cert": cert, "client_key": damaged}, nil, "client_key (POSTHOG_CLIENT_KEY) is neither PEM text"},
		"client_cert": {map[string]any{"client_key": cert}, nil, "client_cert (POSTHOG_CLIENT_CERT) is not set, and client_key is"},
		"insecure_skip_verify": {nil, map[string]string{"POSTHOG_INSECURE_SKIP_VERIFY": "phx_misplaced"},
			"insecure_skip_verify (POSTHOG_INSECURE_SKIP_VERIFY) must be true or false."},
	} {
		diags := env.Configure(t, c.block, c.environment)
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, "Invalid "+argument, diags[0].Summary)
		assert.Contains(t, diags[0].Detail, c.want)
		assert.Equal(t, `AttributeName("`+argument+`")`, diags[0].Attribute.String())

		for _, secret := range []string{damaged[:20], "phx_misplaced"} {
			assert.NotContains(t, diags.Text(), secret)
		}
	}
}

// A service that is not verified is warned of, with what to do instead.
func TestUnverifiedServiceIsWarnedOf(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	served := testca.New(t).Serve(t, env.Server, false)
	for _, environment := range []map[string]string{
		{"POSTHOG_BASE_URL": served.URL, "POSTHOG_INSECURE_SKIP_VERIFY": "true"},
		{"POSTHOG_BASE_URL": served.URL, "POSTHOG_INSECURE_SKIP_VERIFY": "false"},
	} {
		block := map[string]any{}
		if environment["POSTHOG_INSECURE_SKIP_VERIFY"] == "false" {
			block["insecure_skip_verify"] = true
		}
		diags := env.Configure(t, block, environment)
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, tfprotov6.DiagnosticSeverityWarning, diags[0].Severity)
		assert.Contains(t, diags[0].Detail, "anyone between here and 127.0.0.1 can pose as the service")
	}
	assert.Empty(t, env.Configure(t, map[string]any{"insecure_skip_verify": true}, nil), "plain http has a warning of its own")
}

// Terraform creates, plans and destroys a survey on a service that only trusts its own
// clients, and a wrong authority is an error that names the argument.
func TestAccPrivateService(t *testing.T) {
	t.Parallel()
	drivesCLI(t)
	env := acctest.Start(t)
	ca := testca.New(t)
	cert, key := ca.Pair(t)
	config, err := os.ReadFile("testdata/private_service.tf")
	require.NoError(t, err)
	s := newShell(t, env, ca.Serve(t, env.Server, true).URL, built(t))
	for name, text := range map[string]string{"main.tf": string(config), "ca.pem": ca.PEM, "client.pem": cert, "client.key": key} {
		s.write(name, text)
	}

	output, ok := s.run(env.APIKey, "apply", "-auto-approve")
	require.True(t, ok, output)
	output, ok = s.run(env.APIKey, "plan", "-detailed-exitcode")
	require.True(t, ok, output)
	require.Len(t, env.Surveys(t), 1)

	s.write("ca.pem", testca.New(t).PEM)
	output, ok = s.run(env.APIKey, "plan")
	assert.False(t, ok)
	assert.Contains(t, unwrapped(output), "the authorities of ca_cert (POSTHOG_CA_CERT) did not sign its certificate")

	s.write("ca.pem", ca.PEM)
	output, ok = s.run(env.APIKey, "destroy", "-auto-approve")
	require.True(t, ok, output)
	assert.Empty(t, env.Surveys(t))
}

// unwrapped is what a CLI printed in lines of any width as one line.
func unwrapped(output string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ", "╷", " ", "╵", " ").Replace(output)), " ")
}
