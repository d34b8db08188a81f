package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// A bridge reads the metadata and the schemas, and fails on blocks with at most one element, which it can't
// represent.
func TestBridgeReadsTheProvider(t *testing.T) {
	t.Parallel()
	p := posthog.New("1.2.3")
	require.NotSame(t, p(), p(), "each call must return a new provider")

	var metadata provider.MetadataResponse
	p().Metadata(t.Context(), provider.MetadataRequest{}, &metadata)
	assert.Equal(t, "posthog", metadata.TypeName)
	assert.Equal(t, "1.2.3", metadata.Version)

	server, err := providerserver.NewProtocol6WithError(p())()
	require.NoError(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	require.Empty(t, schemas.Diagnostics)
	require.Contains(t, schemas.ResourceSchemas, "posthog_survey")
	require.Contains(t, schemas.ResourceSchemas, "posthog_pipeline_import_app")
	for name, one := range schemas.ResourceSchemas {
		assert.Empty(t, one.Block.BlockTypes, "resource %s has blocks", name)
	}
}

// A configured provider that a bridge embeds reads the surveys of a server.
func TestBridgeUsesTheProvider(t *testing.T) {
	t.Parallel()
	service := testserver.Start(t, testserver.Options{})
	server, err := providerserver.NewProtocol6WithError(posthog.New("test")())()
	require.NoError(t, err)
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)

	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: objectOf(t, schemas.Provider, map[string]string{
			"base_url": service.URL, "api_key": service.APIKey, "project_id": service.ProjectID,
		}),
	})
	require.NoError(t, err)
	require.Empty(t, configured.Diagnostics)

	read, err := server.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "posthog_surveys", Config: objectOf(t, schemas.DataSourceSchemas["posthog_surveys"], nil),
	})
	require.NoError(t, err)
	require.Empty(t, read.Diagnostics)
	require.Len(t, service.Journal(), 1)
	assert.Equal(t, "surveys_list", service.Journal()[0].Operation)
}

// objectOf returns a configuration that sets only the given strings.
func objectOf(t *testing.T, schema *tfprotov6.Schema, set map[string]string) *tfprotov6.DynamicValue {
	t.Helper()
	object, ok := schema.ValueType().(tftypes.Object)
	require.True(t, ok)
	values := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		values[name] = tftypes.NewValue(kind, nil)
		if text, ok := set[name]; ok {
			values[name] = tftypes.NewValue(kind, text)
		}
	}
	value, err := tfprotov6.NewDynamicValue(object, tftypes.NewValue(object, values))
	require.NoError(t, err)
	return &value
}
