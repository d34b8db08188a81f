package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Action implements every action. M is its model.
type Action[M any] struct {
	*Data

	// TypeName is the type of the action, without the provider's name.
	TypeName string
	// Description and Attributes are part of its schema.
	Description string
	Attributes  map[string]schema.Attribute
	// Parent is the kind of parent of the object, and ParentID returns the attribute with its ID.
	Parent   Parent
	ParentID func(m *M) *types.String
	// Run performs the action. It adds an error, or reports progress.
	Run func(ctx context.Context, data *Data, m *M, resp *action.InvokeResponse)
}

// Configure implements action.ActionWithConfigure.
func (a *Action[M]) Configure(_ context.Context, req action.ConfigureRequest, resp *action.ConfigureResponse) {
	a.Data = receive(req.ProviderData, &resp.Diagnostics)
}

// Metadata implements action.Action.
func (a *Action[M]) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + a.TypeName
}

// Schema implements action.Action.
func (a *Action[M]) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: a.Description, Attributes: a.Attributes}
}

// Invoke implements action.Action.
func (a *Action[M]) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	ctx, cancel := Lookup(ctx)
	defer cancel()

	var m M
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	if resp.Diagnostics.HasError() || !a.Ready(&resp.Diagnostics) {
		return
	}
	parent, ok := a.Parent.Find(a.Data, *a.ParentID(&m), &resp.Diagnostics)
	if !ok {
		return
	}
	*a.ParentID(&m) = parent
	a.Run(ctx, a.Data, &m, resp)
}
