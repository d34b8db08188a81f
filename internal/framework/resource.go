package framework

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

var (
	_ resource.ResourceWithConfigure      = (*Resource[struct{}])(nil)
	_ resource.ResourceWithIdentity       = (*Resource[struct{}])(nil)
	_ resource.ResourceWithImportState    = (*Resource[struct{}])(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource[struct{}])(nil)
	_ resource.ResourceWithValidateConfig = (*Resource[struct{}])(nil)
)

// Resource implements every resource. M is its model. An object is identified by its parent and its ID.
type Resource[M any] struct {
	*Data

	// TypeName is the type of the resource, without the provider's name.
	TypeName string
	// Describe returns the resource's schema, and Type the schema's type, which is built only once.
	Describe func() schema.Schema
	Type     func() attr.Type
	// Noun is the noun for an object in errors.
	Noun string
	// Parent is the kind of parent of the object, and ParentID returns the attribute with its ID.
	Parent   Parent
	ParentID func(m *M) *types.String
	// IdentityID is the ID in the object's identity. ParseID parses an ID, and returns false for any other text.
	IdentityID identityschema.Attribute
	ParseID    func(text string) (attr.Value, bool)
	// ImportForm describes the format of an import ID.
	ImportForm string
	// Operations perform the calls that are specific to the resource.
	Operations Operations[M]
}

// Operations are what a resource does in each [Call]. They run only if the values of the call are valid and, except for
// Plan, if the provider is configured.
type Operations[M any] struct {
	// Plan changes the planned object. For a planned destroy, it only adds diagnostics.
	Plan func(ctx context.Context, c *Call[M])
	// Create, Read, and Update store the object with [Call.Store] or [Call.Keep].
	Create, Read, Update func(ctx context.Context, c *Call[M])
	Delete               func(ctx context.Context, c *Call[M])
}

// Metadata implements resource.Resource.
func (r *Resource[M]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.TypeName
}

// Schema implements resource.Resource.
func (r *Resource[M]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = r.Describe()
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *Resource[M]) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		r.Parent.Argument(): identityschema.StringAttribute{
			OptionalForImport: true, Description: fmt.Sprintf("%s of the %[2]s. Defaults to the %[2]s of the provider.", r.Parent.form, r.Parent.Noun),
		},
		"id": r.IdentityID,
	}}
}

// Configure implements resource.ResourceWithConfigure.
func (r *Resource[M]) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.Data = receive(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig implements resource.ResourceWithValidateConfig. It refuses texts that PostHog cannot store.
func (r *Resource[M]) ValidateConfig(ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	attribute.RefuseNUL(ctx, req.Config, &resp.Diagnostics)
}

// ModifyPlan implements resource.ResourceWithModifyPlan. Plan modifiers for single attributes are in the schema.
func (r *Resource[M]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	c := &Call[M]{
		IsNew: req.State.Raw.IsNull(), IsDestroy: req.Plan.Raw.IsNull(), Private: resp.Private, Diags: &resp.Diagnostics,
		resource: r, config: req.Config.Raw, planned: req.Plan.Raw, prior: req.State.Raw,
	}
	if c.decode(ctx); c.Diags.HasError() {
		return
	}

	r.Operations.Plan(ctx, c)
	if !c.IsDestroy && !c.Diags.HasError() {
		attribute.Encode(ctx, c.Planned, r.Type(), &resp.Plan.Raw, c.Diags)
	}
}

// Create implements resource.Resource.
func (r *Resource[M]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	r.perform(ctx, "create", req.Plan, &Call[M]{
		IsNew: true, Private: resp.Private, Diags: &resp.Diagnostics,
		config: req.Config.Raw, planned: req.Plan.Raw, state: &resp.State, identity: resp.Identity,
	}, func(ctx context.Context, c *Call[M]) {
		parent, ok := r.Parent.AtApply(r.Data, *r.ParentID(&c.Planned), c.Diags)
		if ok {
			*r.ParentID(&c.Planned) = parent
			r.Operations.Create(ctx, c)
		}
	})
}

// Read implements resource.Resource.
func (r *Resource[M]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	imported := attribute.AllNull(ctx, r.Type())
	r.perform(ctx, "read", req.State, &Call[M]{
		IsImport: attribute.EqualExcept(req.State.Raw, imported, "id", r.Parent.Argument()), Private: resp.Private, Diags: &resp.Diagnostics,
		prior: req.State.Raw, state: &resp.State, identity: resp.Identity,
	}, r.Operations.Read)
}

// Update implements resource.Resource.
func (r *Resource[M]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	r.perform(ctx, "update", req.Plan, &Call[M]{
		Private: resp.Private, Diags: &resp.Diagnostics,
		config: req.Config.Raw, planned: req.Plan.Raw, prior: req.State.Raw, state: &resp.State, identity: resp.Identity,
	}, r.Operations.Update)
}

// Delete implements resource.Resource.
func (r *Resource[M]) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	r.perform(ctx, "delete", req.State, &Call[M]{Private: req.Private, Diags: &resp.Diagnostics, prior: req.State.Raw}, r.Operations.Delete)
}

// perform performs an operation within the timeout in values.
func (r *Resource[M]) perform(ctx context.Context, name string, values Values, c *Call[M], operate func(context.Context, *Call[M])) {
	ctx, cancel := Operation(ctx, name, values, c.Diags)
	defer cancel()

	c.resource = r
	c.decode(ctx)
	if c.Diags.HasError() || !r.Ready(c.Diags) {
		return
	}
	if !c.IsNew {
		SetIdentity(ctx, c.identity, c.Prior, c.Diags)
	}
	operate(ctx, c)
}

// ImportState implements resource.ResourceWithImportState. It accepts PARENT/ID, ID, or a resource identity.
func (r *Resource[M]) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	parent, text, isWhole := strings.Cut(req.ID, "/")
	if !isWhole {
		parent, text = "", req.ID
	}
	if req.ID == "" && req.Identity != nil {
		identity, _ := attribute.Plain(req.Identity.Raw).(map[string]any)
		parent, text = jsonvalue.String(identity[r.Parent.Argument()]), jsonvalue.String(identity["id"])
	}

	id, ok := r.ParseID(text)
	if !ok || isWhole && parent == "" {
		resp.Diagnostics.AddError(fmt.Sprintf("Could not import %s %q", r.Noun, cmp.Or(req.ID, text)), r.ImportForm)
		return
	}
	parentID, ok := r.Parent.Find(r.Data, types.StringValue(parent), &resp.Diagnostics)
	if !ok {
		return
	}

	for name, value := range map[string]attr.Value{r.Parent.Argument(): parentID, "id": id} {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
		if resp.Identity != nil {
			resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root(name), value)...)
		}
	}
}
