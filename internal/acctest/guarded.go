package acctest

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// These are the calls whose answers depend on a configuration or on the service.

func (g *guarded) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return call(ctx, g, g.ProviderServer.ValidateProviderConfig, req)
}

func (g *guarded) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return call(ctx, g, g.ProviderServer.ConfigureProvider, req)
}

func (g *guarded) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return call(ctx, g, g.ProviderServer.ValidateResourceConfig, req)
}

func (g *guarded) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return call(ctx, g, g.ProviderServer.UpgradeResourceState, req)
}

func (g *guarded) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return call(ctx, g, g.ProviderServer.ReadResource, req)
}

func (g *guarded) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return call(ctx, g, g.ProviderServer.PlanResourceChange, req)
}

func (g *guarded) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return call(ctx, g, g.ProviderServer.ApplyResourceChange, req)
}

func (g *guarded) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return call(ctx, g, g.ProviderServer.ImportResourceState, req)
}

func (g *guarded) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return call(ctx, g, g.ProviderServer.ReadDataSource, req)
}

// ListResource implements tfprotov6.ListResourceServer.
func (g *guarded) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := call(ctx, g, g.ListResourceServer.ListResource, req)
	if stream != nil {
		stream.Results = searched(g, stream.Results)
	}
	return stream, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (g *guarded) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := call(ctx, g, g.ActionServer.InvokeAction, req)
	if stream != nil {
		stream.Events = searched(g, stream.Events)
	}
	return stream, err
}

// searched searches each element of a stream as it passes.
func searched[T any](g *guarded, stream iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for element := range stream {
			g.search(fmt.Sprintf("%T", element), reflect.ValueOf(element))
			if !yield(element) {
				return
			}
		}
	}
}
