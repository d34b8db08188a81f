// Package protocol stands between the CLI and the plugin framework's provider server: each
// type of it is a server before a server, which improves the calls that it names and passes
// on the others. What one of them is for, its file says.
package protocol

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Server is all that the plugin framework serves. One that wraps another embeds it.
type Server interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	tfprotov6.StateStoreServer
}

// Wrap returns the plugin framework's provider server as the innermost Server. The error is
// that of a framework that serves less.
func Wrap(framework tfprotov6.ProviderServer) (Server, error) {
	server, ok := framework.(Server)
	if !ok {
		return nil, fmt.Errorf("%T does not serve all that the framework serves", framework)
	}
	return server, nil
}

// diagnostics edits the diagnostics of every call whose responses hold some about objects of
// the service. Descriptions of the provider pass.
type diagnostics struct {
	Server
	// edit returns the diagnostics in place of those of the response to a request.
	edit func(ctx context.Context, request any, diags []*tfprotov6.Diagnostic) []*tfprotov6.Diagnostic
}

// edited makes a call, and edits the diagnostics of its response. Each response has them in a
// field of the same name, which no interface gives access to.
func edited[Request, Response any](
	ctx context.Context, s diagnostics, req Request, call func(context.Context, Request) (*Response, error),
) (*Response, error) {
	resp, err := call(ctx, req)
	if resp == nil {
		return resp, err
	}
	field := reflect.ValueOf(resp).Elem().FieldByName("Diagnostics")
	if diags, ok := reflect.TypeAssert[[]*tfprotov6.Diagnostic](field); ok {
		field.Set(reflect.ValueOf(s.edit(ctx, req, diags)))
	}
	return resp, err
}

// each edits the elements of a stream as they pass.
func each[T any](stream iter.Seq[T], edit func(*T)) iter.Seq[T] {
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
func (s diagnostics) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return edited(ctx, s, req, s.Server.ValidateProviderConfig)
}

// ConfigureProvider implements tfprotov6.ProviderServer.
func (s diagnostics) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return edited(ctx, s, req, s.Server.ConfigureProvider)
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s diagnostics) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return edited(ctx, s, req, s.Server.ValidateResourceConfig)
}

// UpgradeResourceState implements tfprotov6.ResourceServer.
func (s diagnostics) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return edited(ctx, s, req, s.Server.UpgradeResourceState)
}

// UpgradeResourceIdentity implements tfprotov6.ResourceServer.
func (s diagnostics) UpgradeResourceIdentity(ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return edited(ctx, s, req, s.Server.UpgradeResourceIdentity)
}

// ReadResource implements tfprotov6.ResourceServer.
func (s diagnostics) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return edited(ctx, s, req, s.Server.ReadResource)
}

// PlanResourceChange implements tfprotov6.ResourceServer.
func (s diagnostics) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return edited(ctx, s, req, s.Server.PlanResourceChange)
}

// ApplyResourceChange implements tfprotov6.ResourceServer.
func (s diagnostics) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return edited(ctx, s, req, s.Server.ApplyResourceChange)
}

// ImportResourceState implements tfprotov6.ResourceServer.
func (s diagnostics) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return edited(ctx, s, req, s.Server.ImportResourceState)
}

// MoveResourceState implements tfprotov6.ResourceServer.
func (s diagnostics) MoveResourceState(ctx context.Context, req *tfprotov6.MoveResourceStateRequest) (*tfprotov6.MoveResourceStateResponse, error) {
	return edited(ctx, s, req, s.Server.MoveResourceState)
}

// GenerateResourceConfig implements tfprotov6.ResourceServer.
func (s diagnostics) GenerateResourceConfig(ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return edited(ctx, s, req, s.Server.GenerateResourceConfig)
}

// ValidateDataResourceConfig implements tfprotov6.DataSourceServer.
func (s diagnostics) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return edited(ctx, s, req, s.Server.ValidateDataResourceConfig)
}

// ReadDataSource implements tfprotov6.DataSourceServer.
func (s diagnostics) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return edited(ctx, s, req, s.Server.ReadDataSource)
}

// ValidateActionConfig implements tfprotov6.ActionServer.
func (s diagnostics) ValidateActionConfig(ctx context.Context, req *tfprotov6.ValidateActionConfigRequest) (*tfprotov6.ValidateActionConfigResponse, error) {
	return edited(ctx, s, req, s.Server.ValidateActionConfig)
}

// PlanAction implements tfprotov6.ActionServer.
func (s diagnostics) PlanAction(ctx context.Context, req *tfprotov6.PlanActionRequest) (*tfprotov6.PlanActionResponse, error) {
	return edited(ctx, s, req, s.Server.PlanAction)
}

// ValidateListResourceConfig implements tfprotov6.ListResourceServer.
func (s diagnostics) ValidateListResourceConfig(ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return edited(ctx, s, req, s.Server.ValidateListResourceConfig)
}

// ListResource implements tfprotov6.ListResourceServer.
func (s diagnostics) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := s.Server.ListResource(ctx, req)
	if stream == nil || stream.Results == nil {
		return stream, err
	}

	stream.Results = each(stream.Results, func(result *tfprotov6.ListResourceResult) {
		result.Diagnostics = s.edit(ctx, req, result.Diagnostics)
	})
	return stream, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (s diagnostics) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := s.Server.InvokeAction(ctx, req)
	if stream == nil || stream.Events == nil {
		return stream, err
	}

	stream.Events = each(stream.Events, func(event *tfprotov6.InvokeActionEvent) {
		if completed, ok := event.Type.(tfprotov6.CompletedInvokeActionEventType); ok {
			completed.Diagnostics = s.edit(ctx, req, completed.Diagnostics)
			event.Type = completed
		}
	})
	return stream, err
}

// nullArguments works around OpenTofu, which omits null arguments of provider functions: it
// sends no value at all, which the framework cannot decode. The server inserts the null.
type nullArguments struct{ Server }

// WithNullArguments gives functions the nulls that the CLI omits.
func WithNullArguments(next Server) Server { return nullArguments{next} }

// CallFunction implements tfprotov6.FunctionServer. All functions of the provider have
// dynamic parameters, whose null has no type.
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
