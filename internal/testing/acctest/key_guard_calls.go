package acctest

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// These are the calls whose responses depend on a configuration or on the service.

func (g *keyGuard) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ValidateProviderConfig, req)
}

func (g *keyGuard) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ConfigureProvider, req)
}

func (g *keyGuard) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ValidateResourceConfig, req)
}

func (g *keyGuard) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.UpgradeResourceState, req)
}

func (g *keyGuard) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ReadResource, req)
}

func (g *keyGuard) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.PlanResourceChange, req)
}

func (g *keyGuard) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ApplyResourceChange, req)
}

func (g *keyGuard) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ImportResourceState, req)
}

func (g *keyGuard) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ReadDataSource, req)
}

// ListResource implements tfprotov6.ListResourceServer.
func (g *keyGuard) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := guardedCall(ctx, g, g.ListResourceServer.ListResource, req)
	if stream != nil {
		stream.Results = searchedStream(g, stream.Results)
	}
	return stream, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (g *keyGuard) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := guardedCall(ctx, g, g.ActionServer.InvokeAction, req)
	if stream != nil {
		stream.Events = searchedStream(g, stream.Events)
	}
	return stream, err
}

// searchedStream searches each element of a stream as it passes.
func searchedStream[T any](g *keyGuard, stream iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for element := range stream {
			g.search(fmt.Sprintf("%T", element), reflect.ValueOf(element))
			if !yield(element) {
				return
			}
		}
	}
}
