package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/acctest"
)

// A way to read that there isn't is refused, wherever it is written.
func TestBadReadMode(t *testing.T) {
	t.Parallel()

	env := acctest.Start(t)
	env.Environment["POSTHOG_READ_MODE"] = "bulk"
	server, err := env.Factories()["posthog"]()
	require.NoError(t, err)

	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	typ, ok := schemas.Provider.ValueType().(tftypes.Object)
	require.True(t, ok)

	config := func(mode any) *tfprotov6.DynamicValue {
		values := map[string]tftypes.Value{}
		for name, one := range typ.AttributeTypes {
			values[name] = tftypes.NewValue(one, nil)
		}

		values["read_mode"] = tftypes.NewValue(tftypes.String, mode)
		value, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, values))
		require.NoError(t, err)
		return &value
	}

	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{Config: config(nil)})
	require.NoError(t, err)
	assert.Contains(t, acctest.Diagnostics(configured.Diagnostics).Text(), `POSTHOG_READ_MODE is "bulk"; it must be "auto" or "single".`)

	validated, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: config("bulk")})
	require.NoError(t, err)
	assert.True(t, acctest.Diagnostics(validated.Diagnostics).HasError())
}
