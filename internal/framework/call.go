package framework

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// ErrRefused is the error for a write that was not attempted. The diagnostics contain the reason.
var ErrRefused = errors.New("refused")

// Call is one of Terraform's calls for an object: a plan, create, read, update, or delete. It has the values that
// Terraform sent, and receives the results.
type Call[M any] struct {
	// Config, Planned, and Prior are zero in calls without them.
	Config, Planned, Prior M
	// IsNew is set if there is no prior object, IsDestroy if a plan destroys the object, and IsImport for the first
	// read of an imported object.
	IsNew, IsDestroy, IsImport bool
	// Private is the object's private state.
	Private attribute.PrivateState
	Diags   *diag.Diagnostics

	resource               *Resource[M]
	config, planned, prior tftypes.Value
	state                  *tfsdk.State
	identity               *tfsdk.ResourceIdentity
}

// Memory is the content of an object's private state.
type Memory interface {
	// Common returns the part that all kinds of objects have.
	Common() *attribute.ObjectMemory
	// AfterRead records the changes that a read made to a state.
	AfterRead(before, after tftypes.Value)
	// Save stores the memory in private state.
	Save(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics)
}

func (c *Call[M]) decode(ctx context.Context) {
	decode := func(raw tftypes.Value, target *M) {
		if !raw.IsNull() {
			attribute.Decode(ctx, raw, c.resource.Type(), target, c.Diags)
		}
	}

	decode(c.config, &c.Config)
	decode(c.planned, &c.Planned)
	decode(c.prior, &c.Prior)
}

// ChangesOnly reports whether an update changes none but the named attributes.
func (c *Call[M]) ChangesOnly(names ...string) bool {
	return attribute.EqualExcept(c.planned, c.prior, names...)
}

// Created stores the ID of a new object, which exists from then on, even if a later step fails.
func (c *Call[M]) Created(ctx context.Context, id attr.Value) {
	c.Diags.Append(c.state.SetAttribute(ctx, path.Root("id"), id)...)
	c.Diags.Append(c.state.SetAttribute(ctx, path.Root(c.resource.Parent.Argument()), *c.resource.ParentID(&c.Planned))...)
}

// Configured returns a function that reports whether the configuration contains an attribute.
func (c *Call[M]) Configured() func(name string) bool {
	return attribute.ConfiguredAttributes(c.config)
}

// WriteResponse returns what is known about the response to a create or an update.
func (c *Call[M]) WriteResponse(memory Memory) *attribute.Response {
	return &attribute.Response{IsWrite: true, Configured: c.Configured(), Memory: memory.Common().Echo}
}

// Store stores the object that a response contained.
func (c *Call[M]) Store(ctx context.Context, m M, a *attribute.Response, memory Memory) {
	c.setObject(ctx, m)

	common := memory.Common()
	common.Echo = a.Remembered
	switch {
	case a.IsWrite:
		common.AfterWrite(c.resource.Now())
	case c.IsImport:
		common.NoteImport(c.resource.Now())
	default:
		memory.AfterRead(c.prior, c.state.Raw)
	}
	memory.Save(ctx, c.Private, c.Diags)
}

// Keep stores an object without a response.
func (c *Call[M]) Keep(ctx context.Context, m M, memory Memory) {
	c.setObject(ctx, m)
	memory.Save(ctx, c.Private, c.Diags)
}

func (c *Call[M]) setObject(ctx context.Context, m M) {
	attribute.Encode(ctx, m, c.resource.Type(), &c.state.Raw, c.Diags)
	SetIdentity(ctx, c.identity, m, c.Diags)
}

// Unread handles an object that could not be read.
func (c *Call[M]) Unread(ctx context.Context, a Attempt, err error) {
	switch {
	case c.IsImport:
		a.Verb = "import"
		c.Diags.Append(a.Diagnostic(err, nil))
	case client.IsNotFound(err):
		c.Diags.AddWarning(fmt.Sprintf("The %s no longer exists: %s", a.Noun, a.objectName()),
			a.DescribeDeletion()+" Terraform removes it from the state, and the plan creates it again. If you no longer need it, remove it from the configuration.")
		c.state.RemoveResource(ctx)
	default:
		c.Diags.Append(a.Refresh(err))
	}
}

// SetIdentity sets an object's identity from the attributes of a model. It must run in create, read, and update, even
// for a deleted object. Terraform checks the identity after each operation, and a CLI without identities stores none.
func SetIdentity(ctx context.Context, identity *tfsdk.ResourceIdentity, model any, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	values := attribute.FromStruct(model)
	for name := range identity.Schema.GetAttributes() {
		diags.Append(identity.SetAttribute(ctx, path.Root(name), values[name])...)
	}
}
