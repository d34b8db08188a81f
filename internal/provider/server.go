package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/importapp"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/genconfig"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/linepath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/nullargument"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/printed"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/typecheck"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/terraform"
)

// NewServer serves the provider over protocol version 6, with the fast path before the
// framework, generated configurations that read as if written by hand, and diagnostics that
// print no objects, point at lines in every version of the CLI and are safe to print. Each
// server needs its own Provider.
func NewServer(p *Provider) (tfprotov6.ProviderServer, error) {
	checked, err := newChecked(p)
	if err != nil {
		return nil, err
	}

	fast, err := fastpath.New(checked, p.Version, p.configured.Load, map[string]fastpath.Resource{
		"posthog_survey":              terraform.FastPath(),
		"posthog_pipeline_import_app": importapp.FastPath(),
	})
	if err != nil {
		return nil, err
	}

	generating, err := genconfig.New(fast, p.configured.Load, map[string]genconfig.Resource{
		"posthog_survey":              terraform.GeneratedConfig(),
		"posthog_pipeline_import_app": importapp.GeneratedConfig(),
	})
	if err != nil {
		return nil, err
	}

	complete, err := nullargument.New(generating)
	if err != nil {
		return nil, err
	}

	return newPrinted(complete)
}

// NewSlowServer is a server without the fast path, for the tests that hold the fast path
// against the framework.
func NewSlowServer(p *Provider) (tfprotov6.ProviderServer, error) {
	checked, err := newChecked(p)
	if err != nil {
		return nil, err
	}
	return newPrinted(checked)
}

// newPrinted stands before all others: what it returns is printed as it is.
func newPrinted(next tfprotov6.ProviderServer) (tfprotov6.ProviderServer, error) {
	lines, err := linepath.New(next)
	if err != nil {
		return nil, err
	}
	return printed.New(lines)
}

// newChecked is the server of the framework, with errors of values that people can read.
func newChecked(p *Provider) (tfprotov6.ProviderServer, error) {
	return typecheck.New(providerserver.NewProtocol6(p)(), func() typecheck.Types { return blockTypes(p) })
}

// blockTypes are the types of all blocks that the provider serves.
func blockTypes(p *Provider) typecheck.Types {
	ctx := context.Background()

	var block provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &block)
	all := typecheck.Types{
		Provider: block.Schema.Type(), Resources: map[string]attr.Type{}, DataSources: map[string]attr.Type{}, Actions: map[string]attr.Type{},
	}

	for _, construct := range p.Resources(ctx) {
		var named resource.MetadataResponse
		var served resource.SchemaResponse
		construct().Metadata(ctx, resource.MetadataRequest{ProviderTypeName: typeName}, &named)
		construct().Schema(ctx, resource.SchemaRequest{}, &served)
		all.Resources[named.TypeName] = served.Schema.Type()
	}

	for _, construct := range p.DataSources(ctx) {
		var named datasource.MetadataResponse
		var served datasource.SchemaResponse
		construct().Metadata(ctx, datasource.MetadataRequest{ProviderTypeName: typeName}, &named)
		construct().Schema(ctx, datasource.SchemaRequest{}, &served)
		all.DataSources[named.TypeName] = served.Schema.Type()
	}

	for _, construct := range p.Actions(ctx) {
		var named action.MetadataResponse
		var served action.SchemaResponse
		construct().Metadata(ctx, action.MetadataRequest{ProviderTypeName: typeName}, &named)
		construct().Schema(ctx, action.SchemaRequest{}, &served)
		all.Actions[named.TypeName] = served.Schema.Type()
	}
	return all
}
