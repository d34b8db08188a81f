package protocol

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

// GeneratedConfig describes how to generate an imported object's configuration.
type GeneratedConfig struct {
	Type tftypes.Type
	// Configuration returns the configuration for a state. After an import with this configuration, the plan is
	// empty.
	Configuration func(ctx context.Context, data *framework.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value
}

// configGenerator generates an imported object's configuration (plan and query with -generate-config-out, Terraform
// 1.14
// and later). Like a hand-written configuration, it omits values that can be omitted. The framework implements the
// call
// but does not advertise it.
type configGenerator struct {
	Server
	resources map[string]GeneratedConfig
	// data returns the configured provider, or nil before it is configured.
	data func() *framework.Data
}

// WithGeneratedConfig adds generated configurations for resource types, by type name.
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
		// A configuration with too many values is better than none.
		return s.Server.GenerateResourceConfig(ctx, req)
	}
	encoded, err := tfprotov6.NewDynamicValue(resource.Type, config)
	if err != nil {
		return nil, fmt.Errorf("could not encode the configuration of a %s: %w", req.TypeName, err)
	}
	return &tfprotov6.GenerateResourceConfigResponse{Config: &encoded}, nil
}
