package provider

import (
	"context"
	"log"
	"os"
	"runtime/debug"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
)

// NewServer serves the provider over protocol version 6. It wraps the framework with the fast path, configurations
// that look hand-written, and readable texts. Each server needs its own Provider.
func NewServer(p *Provider) (tfprotov6.ProviderServer, error) {
	slow, err := protocol.Wrap(providerserver.NewProtocol6(p)())
	if err != nil {
		return nil, err
	}
	fast, err := fastpath.New(slow, p.Version, p.configured.Load, map[string]fastpath.Resource{
		"posthog_survey":              terraform.FastPath(),
		"posthog_pipeline_import_app": importapp.FastPath(),
	})
	if err != nil {
		return nil, err
	}

	generating := protocol.WithGeneratedConfig(fast, p.configured.Load, map[string]protocol.GeneratedConfig{
		"posthog_survey":              terraform.GeneratedConfig(),
		"posthog_pipeline_import_app": importapp.GeneratedConfig(),
	})
	return p.readable(keyless{protocol.WithNullArguments(generating), p.IsWithoutKey}), nil
}

// NewSlowServer returns a server without the fast path, for tests that compare the fast path with the framework.
func NewSlowServer(p *Provider) (tfprotov6.ProviderServer, error) {
	slow, err := protocol.Wrap(providerserver.NewProtocol6(p)())
	if err != nil {
		return nil, err
	}
	return p.readable(slow), nil
}

// readable wraps a server so that the CLI can print its texts unchanged.
func (p *Provider) readable(server protocol.Server) tfprotov6.ProviderServer {
	return protocol.WithReadableTexts(server, func() protocol.Types { return blockTypes(p) })
}

// blockTypes returns the types of all blocks that the provider supports.
func blockTypes(p *Provider) protocol.Types {
	ctx := context.Background()

	var block provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &block)
	types := protocol.Types{
		Provider: block.Schema.Type(), Resources: map[string]attr.Type{}, DataSources: map[string]attr.Type{}, Actions: map[string]attr.Type{},
	}

	for _, construct := range p.Resources(ctx) {
		var named resource.MetadataResponse
		var served resource.SchemaResponse
		construct().Metadata(ctx, resource.MetadataRequest{ProviderTypeName: typeName}, &named)
		construct().Schema(ctx, resource.SchemaRequest{}, &served)
		types.Resources[named.TypeName] = served.Schema.Type()
	}

	for _, construct := range p.DataSources(ctx) {
		var named datasource.MetadataResponse
		var served datasource.SchemaResponse
		construct().Metadata(ctx, datasource.MetadataRequest{ProviderTypeName: typeName}, &named)
		construct().Schema(ctx, datasource.SchemaRequest{}, &served)
		types.DataSources[named.TypeName] = served.Schema.Type()
	}

	for _, construct := range p.Actions(ctx) {
		var named action.MetadataResponse
		var served action.SchemaResponse
		construct().Metadata(ctx, action.MetadataRequest{ProviderTypeName: typeName}, &named)
		construct().Schema(ctx, action.SchemaRequest{}, &served)
		types.Actions[named.TypeName] = served.Schema.Type()
	}
	return types
}

// RedactLog removes API keys and header values from the standard library's log, which Terraform adds to its own log.
func RedactLog() { log.SetOutput(client.LogWriter(os.Stderr)) }

// CollectLess sets GOGC to 400 unless the variable is set. A provider runs for a single command and uses little memory.
// With Go's default of 100, garbage collection takes up a third of the CPU time of a plan that changes surveys. Call it
// only in a process that does nothing but run the provider.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
