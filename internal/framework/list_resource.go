package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ListResource lists a resource type's objects for terraform query. M is the block's model, and F the model of one
// object.
type ListResource[M, F any, P Filter[M, F]] struct {
	*Data
	Objects[F]

	// Schema returns the schema of the block.
	Schema func() schema.Schema
	// Name returns an object's name in Terraform.
	Name func(object F) string
	// State returns the object as an import reads it.
	State func(ctx context.Context, object F, diags *diag.Diagnostics) tftypes.Value
}

// Configure implements list.ListResourceWithConfigure.
func (l *ListResource[M, F, P]) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	l.Data = receive(req.ProviderData, &resp.Diagnostics)
}

// Metadata implements list.ListResource.
func (l *ListResource[M, F, P]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + l.TypeName
}

// ListResourceConfigSchema implements list.ListResource.
func (l *ListResource[M, F, P]) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = l.Schema()
}

// List implements list.ListResource.
func (l *ListResource[M, F, P]) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	filter := P(new(M))
	diags := req.Config.Get(ctx, filter)
	if diags.HasError() || !l.Ready(&diags) {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	parent, ok := l.Parent.Find(l.Data, *filter.ParentID(), &diags)
	if !ok {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}

	stream.Results = func(push func(list.ListResult) bool) {
		ctx, cancel := Lookup(ctx)
		defer cancel()
		l.pushMatching(ctx, req, filter, parent, push)
	}
}

// pushMatching yields the matching objects, up to the limit.
func (l *ListResource[M, F, P]) pushMatching(ctx context.Context, req list.ListRequest, filter P, parent types.String, push func(list.ListResult) bool) {
	pushed := int64(0)
	for object, err := range l.All(ctx, l.Client, parent) {
		if err != nil {
			if diags := l.listDiagnostic(parent, err); len(diags) > 0 {
				push(list.ListResult{Diagnostics: diags})
			}
			return
		}
		if !filter.Matches(object) {
			continue
		}
		if pushed++; !push(l.result(ctx, req, object)) || pushed == req.Limit {
			return
		}
	}
}

// result returns an object with its identity and, if the query includes it, its state.
func (l *ListResource[M, F, P]) result(ctx context.Context, req list.ListRequest, object F) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = l.Name(object)
	SetIdentity(ctx, result.Identity, object, &result.Diagnostics)
	if !req.IncludeResource {
		return result
	}
	if state := l.State(ctx, object, &result.Diagnostics); !result.Diagnostics.HasError() {
		result.Resource.Raw = state
	}
	return result
}
