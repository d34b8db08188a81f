package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// Terraform makes a call only when the provider announces it: generated configuration,
// moved blocks across providers, plans of a destroy.
func TestCapabilities(t *testing.T) {
	t.Parallel()

	server, err := provider.NewServer(provider.New("test"))
	require.NoError(t, err)
	want := &tfprotov6.ServerCapabilities{
		GetProviderSchemaOptional: true, MoveResourceState: true, PlanDestroy: true, GenerateResourceConfig: true,
	}

	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	assert.Equal(t, want, schemas.ServerCapabilities)

	metadata, err := server.GetMetadata(t.Context(), &tfprotov6.GetMetadataRequest{})
	require.NoError(t, err)
	assert.Equal(t, want, metadata.ServerCapabilities)
}
