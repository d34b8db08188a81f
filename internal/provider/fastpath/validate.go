package fastpath

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// ValidateResourceConfig implements tfprotov6.ResourceServer. In a plan Terraform
// validates the configuration of an object that was just read. What the service holds is
// valid, so a configuration that equals it needs no check.
//
// This cannot wait for PlanResourceChange: that is not called for a resource which a test
// overrides, and where changes are ignored it is called with another configuration.
func (s *Server) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok {
		return s.Server.ValidateResourceConfig(ctx, req)
	}

	config, err := objectOf(req.Config)
	if err != nil {
		return s.Server.ValidateResourceConfig(ctx, req)
	}

	read := resource.justRead.take(config)
	if isNoOp(ctx, resource.rules, config, read) {
		return &tfprotov6.ValidateResourceConfigResponse{}, nil
	}
	if isAttributeUnchanged(ctx, resource.rules, config, read, resource.Costly) {
		short := *req
		short.Config = config.without(resource.Costly)
		req = &short
	}
	return s.Server.ValidateResourceConfig(ctx, req)
}
