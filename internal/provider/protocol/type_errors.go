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
	diagnostics
	// types is called only if there is an error.
	types func() Types
}

// WithTypeErrors makes errors about values of the wrong type legible.
func WithTypeErrors(next Server, types func() Types) Server {
	s := &typeErrors{types: sync.OnceValue(types)}
	s.diagnostics = diagnostics{next, s.legible}
	return s
}

// configured is the configuration of a request, and the type of its block; nil for a request
// without one.
func (s *typeErrors) configured(request any) (*tfprotov6.DynamicValue, attr.Type) {
	switch req := request.(type) {
	case *tfprotov6.ValidateResourceConfigRequest:
		return req.Config, s.types().Resources[req.TypeName]
	case *tfprotov6.ValidateDataResourceConfigRequest:
		return req.Config, s.types().DataSources[req.TypeName]
	case *tfprotov6.ReadDataSourceRequest:
		return req.Config, s.types().DataSources[req.TypeName]
	case *tfprotov6.ValidateActionConfigRequest:
		return req.Config, s.types().Actions[req.ActionType]
	case *tfprotov6.InvokeActionRequest:
		return req.Config, s.types().Actions[req.ActionType]
	case *tfprotov6.ValidateProviderConfigRequest:
		return req.Config, s.types().Provider
	case *tfprotov6.ConfigureProviderRequest:
		return req.Config, s.types().Provider
	}
	return nil, nil
}

// legible returns the diagnostics of a configuration unchanged, unless it has values that
// the type cannot hold. Without an error it checks nothing.
func (s *typeErrors) legible(ctx context.Context, request any, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic {
	if !slices.ContainsFunc(diags, isError) {
		return diags
	}
	config, typ := s.configured(request)
	if config == nil {
		return diags
	}
	placeInvalidJSON(diags)
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
