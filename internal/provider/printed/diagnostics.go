package printed

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s *Server) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.framework.ValidateProviderConfig(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s *Server) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.framework.ConfigureProvider(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.framework.ValidateResourceConfig(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s *Server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	resp, err := s.framework.UpgradeResourceState(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s *Server) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	resp, err := s.framework.UpgradeResourceIdentity(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ReadResource implements tfprotov6.ResourceServer.
func (s *Server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	resp, err := s.framework.ReadResource(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s *Server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.framework.PlanResourceChange(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s *Server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.framework.ApplyResourceChange(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s *Server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	resp, err := s.framework.ImportResourceState(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// MoveResourceState implements tfprotov6.ResourceServer.
func (s *Server) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	resp, err := s.framework.MoveResourceState(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s *Server) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	resp, err := s.framework.GenerateResourceConfig(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s *Server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.framework.ValidateDataResourceConfig(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s *Server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.framework.ReadDataSource(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s *Server) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	resp, err := s.framework.ValidateActionConfig(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// PlanAction implements tfprotov6.ActionServer.
func (s *Server) PlanAction(ctx context.Context, req *tfprotov6.PlanActionRequest) (*tfprotov6.PlanActionResponse, error) {
	resp, err := s.framework.PlanAction(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s *Server) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	resp, err := s.framework.ValidateListResourceConfig(ctx, req)
	if resp != nil {
		escaped(resp.Diagnostics)
	}
	return resp, err
}
