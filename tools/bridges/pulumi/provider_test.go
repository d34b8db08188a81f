// Package pulumi_test describes the provider to Pulumi's bridge, which generates a Pulumi
// provider from it. The tests generate the schema of that provider and manage a survey with
// it. tools/bridges/README.md lists the differences.
package pulumi_test

import (
	pfbridge "github.com/pulumi/pulumi-terraform-bridge/v3/pkg/pf/tfbridge"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge"
	"github.com/pulumi/pulumi-terraform-bridge/v3/pkg/tfbridge/tokens"

	posthog "github.com/surveys-as-code/terraform-provider-posthog/provider"
)

// describedProvider describes the provider to the bridge, for its programs tfgen and resource.
func describedProvider(version string) tfbridge.ProviderInfo {
	info := tfbridge.ProviderInfo{
		P:            pfbridge.ShimProvider(posthog.New(version)()),
		Name:         "posthog",
		Version:      version,
		MetadataInfo: tfbridge.NewProviderMetadata([]byte("{}")),
		Resources: map[string]*tfbridge.ResourceInfo{
			// Pulumi's IDs are strings; an app's ID is a number.
			"posthog_pipeline_import_app": {
				Fields: map[string]*tfbridge.SchemaInfo{"id": {Type: "string"}},
			},
		},
	}
	info.MustComputeTokens(tokens.SingleModule("posthog_", "index", tokens.MakeStandard(info.Name)))
	return info
}
