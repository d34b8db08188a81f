package hclfile

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// ProviderSource is the source of the provider, under the host of whatever registry
// the CLI uses.
const ProviderSource = "surveys-as-code/posthog"

// IsProviderSource reports whether a source is the provider's, on any registry.
func IsProviderSource(source string) bool {
	return source == ProviderSource || strings.HasSuffix(source, "/"+ProviderSource)
}

// RequiredProviders is the block that names the provider.
func RequiredProviders() []byte {
	file := hclwrite.NewEmptyFile()
	required := file.Body().AppendNewBlock("terraform", nil).Body().AppendNewBlock("required_providers", nil).Body()
	required.SetAttributeRaw("posthog", object([]entry{{"source", quoted(ProviderSource)}}))
	return trimmed(file)
}

// ProviderBlock is the block that configures the provider for a project and an
// organization; "" leaves one out.
func ProviderBlock(projectID, organizationID string) []byte {
	file := hclwrite.NewEmptyFile()
	provider := file.Body().AppendNewBlock("provider", []string{"posthog"}).Body()
	if projectID != "" {
		provider.SetAttributeValue("project_id", cty.StringVal(projectID))
	}
	if organizationID != "" {
		provider.SetAttributeValue("organization_id", cty.StringVal(organizationID))
	}
	return trimmed(file)
}
