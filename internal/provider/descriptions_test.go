package provider_test

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
)

// setting matches the description of an attribute that can be set.
var setting = regexp.MustCompile(`(?i)left out|leaving it out|another one|stand beside|conflicts with|removing it|from the configuration changes|set it|replaces|forces|at most|made up|generated for|write-only|belongs in`)

// Data source pages describe what is returned, not how a resource is written.
func TestDataSourcesDescribeWhatTheyReturn(t *testing.T) {
	t.Parallel()
	resp, err := providerserver.NewProtocol6(&provider.Provider{})().GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	require.NoError(t, err)
	for name, schema := range resp.DataSourceSchemas {
		assertDescribed(t, name, schema.Block.Attributes)
	}
}

func assertDescribed(t *testing.T, parent string, attributes []*tfprotov6.SchemaAttribute) {
	t.Helper()
	for _, a := range attributes {
		path := parent + "." + a.Name
		assert.NotEmpty(t, a.Description, path)
		if a.Computed && !a.Optional {
			assert.NotRegexp(t, setting, a.Description, path)
		}
		if a.NestedType != nil {
			assertDescribed(t, path, a.NestedType.Attributes)
		}
	}
}
