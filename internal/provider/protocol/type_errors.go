package protocol

import (
	"context"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// Types are the types of all blocks that can be configured.
type Types struct {
	// Provider is the type of the provider block.
	Provider attr.Type
	// Resources, DataSources and Actions are those of the blocks of a resource, data source
	// or action type, by its name.
	Resources, DataSources, Actions map[string]attr.Type
}

// typeErrors refuses configurations that hold a value which an attribute's type cannot
// hold, such as a fraction in a whole number.
//
// The plugin framework refuses them too, but as a fault of the provider, once for each
// attribute around the value, and with the objects around it printed in full: values that
// Terraform holds as sensitive would be in the log. This server puts one error a value in
// place of those, which names the attribute and no value. Of a text that is no JSON it says
// where.
type typeErrors struct {
	Server
	// types is called only if there is an error.
	types func() Types
}

// WithTypeErrors makes errors about values of the wrong type legible.
func WithTypeErrors(next Server, types func() Types) Server {
	return &typeErrors{next, sync.OnceValue(types)}
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s *typeErrors) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.Server.ValidateResourceConfig(ctx, req)
	if err == nil {
		resp.Diagnostics = s.legible(ctx, resp.Diagnostics, req.Config, func(t Types) attr.Type { return t.Resources[req.TypeName] })
	}
	return resp, err
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s *typeErrors) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.Server.ValidateDataResourceConfig(ctx, req)
	if err == nil {
		resp.Diagnostics = s.legible(ctx, resp.Diagnostics, req.Config, func(t Types) attr.Type { return t.DataSources[req.TypeName] })
	}
	return resp, err
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s *typeErrors) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.Server.ReadDataSource(ctx, req)
	if err == nil {
		resp.Diagnostics = s.legible(ctx, resp.Diagnostics, req.Config, func(t Types) attr.Type { return t.DataSources[req.TypeName] })
	}
	return resp, err
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s *typeErrors) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.Server.ValidateActionConfig(ctx, req)
	if err == nil {
		resp.Diagnostics = s.legible(ctx, resp.Diagnostics, req.Config, func(t Types) attr.Type { return t.Actions[req.ActionType] })
	}
	return resp, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (s *typeErrors) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.Server.InvokeAction(ctx, req)
	if err != nil {
		return stream, err
	}

	stream.Events = each(stream.Events, func(event *tfprotov6.InvokeActionEvent) {
		if completed, ok := event.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
			completed.Diagnostics = s.legible(ctx, completed.Diagnostics, req.Config, func(t Types) attr.Type { return t.Actions[req.ActionType] })
			event.Type = completed
		}
	})
	return stream, nil
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s *typeErrors) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.Server.ValidateProviderConfig(ctx, req)
	if err == nil {
		resp.Diagnostics = s.legible(ctx, resp.Diagnostics, req.Config, func(t Types) attr.Type { return t.Provider })
	}
	return resp, err
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s *typeErrors) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.Server.ConfigureProvider(ctx, req)
	if err == nil {
		resp.Diagnostics = s.legible(ctx, resp.Diagnostics, req.Config, func(t Types) attr.Type { return t.Provider })
	}
	return resp, err
}

// legible returns the diagnostics of a configuration unchanged, unless it has values that
// the type cannot hold. Without an error it checks nothing.
func (s *typeErrors) legible(
	ctx context.Context, diags []*tfprotov6.Diagnostic, config *tfprotov6.DynamicValue, choose func(Types) attr.Type,
) []*tfprotov6.Diagnostic {
	if config == nil || !slices.ContainsFunc(diags, isError) {
		return diags
	}
	placeInvalidJSON(diags)
	typ := choose(s.types())
	if typ == nil { // a block that the provider does not serve
		return diags
	}
	raw, err := config.Unmarshal(typ.TerraformType(ctx))
	if err != nil {
		return diags
	}

	var found []*tfprotov6.Diagnostic
	for _, misfit := range attribute.TypeMismatches(ctx, raw, typ) {
		d := misfit.Diagnostic()
		found = append(found, &tfprotov6.Diagnostic{
			Severity: tfprotov6.DiagnosticSeverityError, Summary: d.Summary(), Detail: d.Detail(), Attribute: attribute.TerraformPath(misfit.Path),
		})
	}
	if found == nil {
		return diags
	}
	return found
}

func isError(d *tfprotov6.Diagnostic) bool { return d.Severity == tfprotov6.DiagnosticSeverityError }
