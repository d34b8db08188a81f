package protocol

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

// GeneratedConfig says how the configuration of an imported object of a resource type is
// generated.
type GeneratedConfig struct {
	Type tftypes.Type
	// Configuration returns the configuration for a state. An import with it plans no
	// change.
	Configuration func(ctx context.Context, data *framework.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value
}

// configGenerator serves Terraform's call for the configuration of an imported object
// (plan and query with -generate-config-out, Terraform 1.14 and later) with one that reads
// as written by hand: without what a configuration can omit. The framework implements the
// call and does not announce it.
type configGenerator struct {
	Server
	resources map[string]GeneratedConfig
	// data returns the configured provider, nil before it is configured.
	data func() *framework.Data
}

// WithGeneratedConfig generates the configurations of resource types, by their names.
func WithGeneratedConfig(next Server, data func() *framework.Data, resources map[string]GeneratedConfig) Server {
	return &configGenerator{next, resources, data}
}

// GetProviderSchema implements tfprotov6.ProviderServer.
func (s *configGenerator) GetProviderSchema(ctx context.Context, req *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	resp, err := s.Server.GetProviderSchema(ctx, req)
	if resp != nil {
		announce(&resp.ServerCapabilities)
	}
	return resp, err
}

// GetMetadata implements tfprotov6.ProviderServer.
func (s *configGenerator) GetMetadata(ctx context.Context, req *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	resp, err := s.Server.GetMetadata(ctx, req)
	if resp != nil {
		announce(&resp.ServerCapabilities)
	}
	return resp, err
}

func announce(capabilities **tfprotov6.ServerCapabilities) {
	if *capabilities == nil {
		*capabilities = &tfprotov6.ServerCapabilities{}
	}
	(*capabilities).GenerateResourceConfig = true
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s *configGenerator) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	resource, ok := s.resources[req.TypeName]
	if !ok || req.State == nil {
		return s.Server.GenerateResourceConfig(ctx, req)
	}
	state, err := req.State.Unmarshal(resource.Type)
	if err != nil {
		return nil, fmt.Errorf("could not decode the state of a %s: %w", req.TypeName, err)
	}

	var diags diag.Diagnostics
	config := resource.Configuration(ctx, s.data(), state, &diags)
	if diags.HasError() {
		// One that says too much is better than none.
		return s.Server.GenerateResourceConfig(ctx, req)
	}
	encoded, err := tfprotov6.NewDynamicValue(resource.Type, config)
	if err != nil {
		return nil, fmt.Errorf("could not encode the configuration of a %s: %w", req.TypeName, err)
	}
	return &tfprotov6.GenerateResourceConfigResponse{Config: &encoded}, nil
}
