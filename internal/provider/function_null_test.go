package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// OpenTofu sends no value for null, Terraform sends a null.
func TestFunctionsTakeTheNullOfEveryCLI(t *testing.T) {
	t.Parallel()

	server, err := provider.NewServer(provider.New("test"))
	require.NoError(t, err)
	null, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, tftypes.NewValue(tftypes.DynamicPseudoType, nil))
	require.NoError(t, err)

	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for name, function := range schemas.Functions {
		for _, parameter := range function.Parameters {
			// The CLI itself refuses null for the others.
			assert.True(t, !parameter.AllowNullValue || parameter.Type.Is(tftypes.DynamicPseudoType), "%s: a null of another type is needed", name)
		}
	}

	for cli, argument := range map[string]*tfprotov6.DynamicValue{"Terraform": &null, "OpenTofu": {}, "no value": nil} {
		for _, function := range []string{"questions", "flow"} {
			resp, err := server.CallFunction(t.Context(), &tfprotov6.CallFunctionRequest{Name: function, Arguments: []*tfprotov6.DynamicValue{argument}})
			require.NoError(t, err, cli)
			require.Nil(t, resp.Error, "%s %s: %+v", cli, function, resp.Error)
		}
	}
}
