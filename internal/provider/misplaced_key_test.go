package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// The key in the place of any other setting is an error that does not repeat it.
func TestMisplacedKeyIsNotRepeated(t *testing.T) {
	t.Parallel()
	const key = "phx_misplacedKey0815"
	for variable, value := range map[string]string{
		"POSTHOG_BASE_URL": "http://user:" + key + "@svc.invalid", "POSTHOG_PROJECT_ID": key, "POSTHOG_ORGANIZATION_ID": key,
		"POSTHOG_REQUEST_TIMEOUT": key, "POSTHOG_REQUESTS_PER_MINUTE": key, "POSTHOG_READ_MODE": key, "POSTHOG_HEADERS": key,
	} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			env := acctest.Start(t)
			env.Environment["POSTHOG_API_KEY"], env.Environment[variable] = key, value
			server, err := env.Factories()["posthog"]()
			require.NoError(t, err)
			schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
			require.NoError(t, err)
			typ, ok := schemas.Provider.ValueType().(tftypes.Object)
			require.True(t, ok)
			values := map[string]tftypes.Value{}
			for name, attribute := range typ.AttributeTypes {
				values[name] = tftypes.NewValue(attribute, nil)
			}
			config, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, values))
			require.NoError(t, err)

			configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: &config})
			require.NoError(t, err)
			diagnostics := acctest.Diagnostics(configured.Diagnostics)
			assert.True(t, diagnostics.HasError())
			assert.NotContains(t, diagnostics.Text(), key)
		})
	}
}
