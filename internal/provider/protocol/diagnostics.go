package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// diagnostics edits the diagnostics of every call whose responses hold some about objects of
// the service. Descriptions of the provider pass.
type diagnostics struct {
	Server
	edit func([]*tfprotov6.Diagnostic)
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s diagnostics) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.Server.ValidateProviderConfig(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s diagnostics) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.Server.ConfigureProvider(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s diagnostics) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.Server.ValidateResourceConfig(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s diagnostics) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.Server.UpgradeResourceState(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s diagnostics) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	resp, err := s.Server.UpgradeResourceIdentity(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ReadResource implements tfprotov6.ResourceServer.
func (s diagnostics) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.Server.ReadResource(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s diagnostics) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.Server.PlanResourceChange(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s diagnostics) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.Server.ApplyResourceChange(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s diagnostics) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.Server.ImportResourceState(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// MoveResourceState implements tfprotov6.ResourceServer.
func (s diagnostics) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	resp, err := s.Server.MoveResourceState(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s diagnostics) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	resp, err := s.Server.GenerateResourceConfig(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s diagnostics) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.Server.ValidateDataResourceConfig(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s diagnostics) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.Server.ReadDataSource(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s diagnostics) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.Server.ValidateActionConfig(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// PlanAction implements tfprotov6.ActionServer.
func (s diagnostics) PlanAction(ctx context.Context, req *tfprotov6.PlanActionRequest) (*tfprotov6.PlanActionResponse, error) {
	resp, err := s.Server.PlanAction(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s diagnostics) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	resp, err := s.Server.ValidateListResourceConfig(ctx, req)
	if resp != nil {
		s.edit(resp.Diagnostics)
	}
	return resp, err
}

// ListResource implements tfprotov6.ListResourceServer.
func (s diagnostics) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.Server.ListResource(ctx, req)
	if stream == nil || stream.Results == nil {
		return stream, err
	}

	results := stream.Results
	stream.Results = func(yield func(tfprotov6.ListResourceResult) bool) {
		for result := range results {
			s.edit(result.Diagnostics)
			if !yield(result) {
				return
			}
		}
	}
	return stream, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (s diagnostics) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.Server.InvokeAction(ctx, req)
	if stream == nil || stream.Events == nil {
		return stream, err
	}

	events := stream.Events
	stream.Events = func(yield func(tfprotov6.InvokeActionEvent) bool) {
		for event := range events {
			if completed, ok := event.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
				s.edit(completed.Diagnostics)
			}
			if !yield(event) {
				return
			}
		}
	}
	return stream, err
}
