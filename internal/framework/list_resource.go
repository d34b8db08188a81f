package framework

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ListResource lists the objects of a resource type for terraform query. M is the model of
// its block, F that of an object.
type ListResource[M, F any, P Filter[M, F]] struct {
	Resource
	Objects[F]
	// Schema is that of the block.
	Schema func() schema.Schema
	// Name is how Terraform calls an object.
	Name func(object F) string
	// Identity is the model of the object's identity.
	Identity func(object F) any
	// State is the object as an import reads it.
	State func(ctx context.Context, object F, diags *diag.Diagnostics) tftypes.Value
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
		var waited diag.Diagnostics
		ctx, end := Lookup(ctx, &waited)
		more := l.pushMatching(ctx, req, filter, parent, push)
		end()

		// How long the list took is known at its end: a result of its own.
		if more && len(waited) > 0 {
			push(list.ListResult{Diagnostics: waited})
		}
	}
}

// pushMatching pushes the objects that match, up to the limit, and reports whether more
// results may follow.
func (l *ListResource[M, F, P]) pushMatching(
	ctx context.Context, req list.ListRequest, filter P, parent types.String, push func(list.ListResult) bool,
) bool {
	limited := limited{Limit: req.Limit, Plural: l.Plural, Push: push}
	for object, err := range l.All(ctx, l.Client, parent) {
		if err != nil {
			diags := l.failed(parent, err)
			if len(diags) == 0 {
				break
			}
			return limited.Fail(list.ListResult{Diagnostics: diags})
		}
		if filter.Matches(object) && !limited.Add(l.result(ctx, req, object)) {
			return false
		}
	}
	return limited.End()
}

// result is an object with its identity and, where the query includes it, its state.
func (l *ListResource[M, F, P]) result(ctx context.Context, req list.ListRequest, object F) list.ListResult {
	result := req.NewListResult(ctx)
	result.DisplayName = l.Name(object)
	SetIdentity(ctx, result.Identity, l.Identity(object), &result.Diagnostics)
	if !req.IncludeResource {
		return result
	}
	if state := l.State(ctx, object, &result.Diagnostics); !result.Diagnostics.HasError() {
		result.Resource.Raw = state
	}
	return result
}

// limited passes on the results of a list resource up to the limit of the list block, and
// warns when there are more. Terraform reads nothing after the result that reaches the
// limit, so that result has the warning, and waits for it.
type limited struct {
	// Limit is that of the request; 0 for none.
	Limit int64
	// Plural is what is listed: surveys.
	Plural string
	// Push passes a result to the stream.
	Push func(list.ListResult) bool

	pushed int64
	last   *list.ListResult
}

// Add passes a result on, and reports whether more are wanted.
func (l *limited) Add(result list.ListResult) bool {
	if l.last != nil {
		l.stop()
		return false
	}

	if l.pushed++; l.pushed == l.Limit {
		l.last = &result
		return true
	}
	return l.Push(result)
}

// Fail passes an error on. After the last result that is wanted it only means that others
// were not read.
func (l *limited) Fail(result list.ListResult) bool {
	if l.last != nil {
		l.stop()
		return false
	}
	return l.Push(result)
}

// End passes on the last result where there was none after it, and reports whether more
// results may follow.
func (l *limited) End() bool {
	if l.last != nil {
		l.Push(*l.last)
		return false
	}
	return true
}

// stop passes on the last result, with the warning.
func (l *limited) stop() {
	l.last.Diagnostics.AddWarning(
		fmt.Sprintf("List of %s stopped at its limit", l.Plural),
		fmt.Sprintf("The list block has %d, its limit, and there are more. Set a higher limit in the block: without one, Terraform stops at 100.", l.Limit),
	)
	l.Push(*l.last)
}
