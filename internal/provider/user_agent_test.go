package provider_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// Every request names the provider and the CLI with their versions, and what
// TF_APPEND_USER_AGENT has.
func TestUserAgent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ version, added, want string }{
		"plain":       {"1.11.4", "", "terraform-provider-posthog/test Terraform/1.11.4"},
		"with more":   {"1.11.4", " ci/7 (nightly)\n", "terraform-provider-posthog/test Terraform/1.11.4 ci/7 (nightly)"},
		"blank":       {"1.12.0", " ", "terraform-provider-posthog/test Terraform/1.12.0"},
		"no versions": {"", "ci/7", "terraform-provider-posthog/test ci/7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			agents := map[string]bool{}
			proxy := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				agents[r.Header.Get("User-Agent")] = true
				env.Server.ServeHTTP(rw, r)
			}))
			t.Cleanup(proxy.Close)
			env.Environment["POSTHOG_BASE_URL"], env.Environment["TF_APPEND_USER_AGENT"] = proxy.URL, c.added

			readSurveys(t, env, c.version)
			assert.Equal(t, map[string]bool{c.want: true}, agents)
		})
	}
}

// What no header can carry is reported with the name of the variable, before anything is sent.
func TestUnsendableUserAgent(t *testing.T) {
	t.Parallel()
	env := acctest.Start(t)
	for _, added := range []string{"ci\r\nX-Injected: 1", "Prüfung/1"} {
		diags := env.Configure(t, map[string]any{}, map[string]string{"TF_APPEND_USER_AGENT": added})
		require.Len(t, diags, 1, diags.Text())
		assert.Equal(t, "Invalid TF_APPEND_USER_AGENT", diags[0].Summary)
	}
	assert.Empty(t, env.Journal())
}

// readSurveys reads the data source posthog_surveys as a CLI of a version does.
func readSurveys(t *testing.T, env *acctest.Env, cliVersion string) {
	t.Helper()
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)

	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: cliVersion, Config: nothingSet(t, schemas.Provider),
	})
	require.NoError(t, err)
	require.Empty(t, acctest.Diagnostics(configured.Diagnostics).Text())

	read, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "posthog_surveys", Config: nothingSet(t, schemas.DataSourceSchemas["posthog_surveys"]),
	})
	require.NoError(t, err)
	require.Empty(t, acctest.Diagnostics(read.Diagnostics).Text())
}

// nothingSet is a configuration without any argument.
func nothingSet(t *testing.T, schema *tfprotov6.Schema) *tfprotov6.DynamicValue {
	t.Helper()
	typ, ok := schema.ValueType().(tftypes.Object)
	require.True(t, ok)
	attributes := map[string]tftypes.Value{}
	for name, attribute := range typ.AttributeTypes {
		attributes[name] = tftypes.NewValue(attribute, nil)
	}

	value, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, attributes))
	require.NoError(t, err)
	return &value
}
