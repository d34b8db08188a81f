// Package protocol contains middleware between Terraform and the plugin framework's provider
// server. Each type wraps a server, improves the calls that its file describes, and forwards all
// other calls.
package protocol

import (
	"context"
	"fmt"
	"iter"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Server contains all methods of the plugin framework's server. A server that wraps another one embeds it.
type Server interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Wrap returns the plugin framework's provider server as the innermost Server. It returns an error if the framework's
// server lacks a method.
func Wrap(framework tfprotov6.ProviderServer) (Server, error) {
	server, ok := framework.(Server)
	if !ok {
		return nil, fmt.Errorf("%T does not serve all that the framework serves", framework)
	}
	return server, nil
}

// Around intercepts every server call whose response may concern PostHog objects. It does not intercept calls that
// describe the provider.
type Around struct {
	Server
	// Call receives the request, and calls next to get the response.
	Call func(ctx context.Context, request any, next func(context.Context) (any, error))
}

func around[Request, Response any](
	ctx context.Context, s Around, req Request, call func(context.Context, Request) (*Response, error),
) (resp *Response, err error) {
	s.Call(ctx, req, func(ctx context.Context) (any, error) {
		resp, err = call(ctx, req)
		return resp, err
	})
	return resp, err
}

// Each edits the elements of a stream while they are read. It returns nil for a nil stream.
func Each[T any](stream iter.Seq[T], edit func(*T)) iter.Seq[T] {
	if stream == nil {
		return nil
	}
	return func(yield func(T) bool) {
		for element := range stream {
			edit(&element)
			if !yield(element) {
				return
			}
		}
	}
}

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s Around) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return around(ctx, s, req, s.Server.ValidateProviderConfig)
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s Around) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return around(ctx, s, req, s.Server.ConfigureProvider)
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s Around) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return around(ctx, s, req, s.Server.ValidateResourceConfig)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s Around) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return around(ctx, s, req, s.Server.UpgradeResourceState)
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s Around) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return around(ctx, s, req, s.Server.UpgradeResourceIdentity)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s Around) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return around(ctx, s, req, s.Server.ReadResource)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s Around) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return around(ctx, s, req, s.Server.PlanResourceChange)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s Around) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return around(ctx, s, req, s.Server.ApplyResourceChange)
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s Around) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return around(ctx, s, req, s.Server.ImportResourceState)
}

// MoveResourceState implements tfprotov6.ResourceServer.
func (s Around) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return around(ctx, s, req, s.Server.MoveResourceState)
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s Around) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return around(ctx, s, req, s.Server.GenerateResourceConfig)
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s Around) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return around(ctx, s, req, s.Server.ValidateDataResourceConfig)
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s Around) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return around(ctx, s, req, s.Server.ReadDataSource)
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s Around) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	return around(ctx, s, req, s.Server.ValidateActionConfig)
}

// PlanAction implements tfprotov6.ActionServer.
func (s Around) PlanAction(ctx context.Context, req *tfprotov6.PlanActionRequest) (*tfprotov6.PlanActionResponse, error) {
	return around(ctx, s, req, s.Server.PlanAction)
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s Around) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return around(ctx, s, req, s.Server.ValidateListResourceConfig)
}

// ListResource implements tfprotov6.ListResourceServer.
func (s Around) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	return around(ctx, s, req, s.Server.ListResource)
}

// InvokeAction implements tfprotov6.ActionServer.
func (s Around) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	return around(ctx, s, req, s.Server.InvokeAction)
}

// CallFunction implements tfprotov6.FunctionServer.
func (s Around) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	return around(ctx, s, req, s.Server.CallFunction)
}

// nullArguments works around an OpenTofu bug: for a null argument to a provider function, OpenTofu sends no value,
// which the framework cannot decode. This server inserts the null.
type nullArguments struct{ Server }

// WithNullArguments inserts the null arguments of functions that the CLI omits.
func WithNullArguments(next Server) Server { return nullArguments{next} }

// CallFunction implements tfprotov6.FunctionServer. All parameters of the provider's functions are dynamic, so the
// inserted null needs no type.
func (s nullArguments) CallFunction(ctx context.Context, req *tfprotov6.CallFunctionRequest) (*tfprotov6.CallFunctionResponse, error) {
	null, err := tfprotov6.NewDynamicValue(tftypes.DynamicPseudoType, tftypes.NewValue(tftypes.DynamicPseudoType, nil))
	if err != nil {
		return nil, err
	}

	for i, argument := range req.Arguments {
		if argument == nil || len(argument.MsgPack) == 0 && len(argument.JSON) == 0 {
			req.Arguments[i] = &null
		}
	}
	return s.Server.CallFunction(ctx, req)
}
