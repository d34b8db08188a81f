package framework

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// Parent is what objects are looked for in: a project or an organization.
type Parent struct {
	// Noun is how errors call it: project.
	Noun string
	// Find returns the configured one or, where there is none, that of the provider.
	Find func(data *Data, configured types.String, diags *diag.Diagnostics) (types.String, bool)
}

// Project and Organization are the parents of surveys and of import apps.
var (
	Project      = Parent{"project", (*Data).Project}
	Organization = Parent{"organization", (*Data).Organization}
)

func (p Parent) name(id types.String) string { return p.Noun + " " + id.ValueString() }

// configured reads the configuration of a data source into its model and sets the parent there.
// It reports false, with an error, if nothing can be looked up.
func (p Parent) configured(
	ctx context.Context, data *Data, config tfsdk.Config, m interface{ ParentID() *types.String }, diags *diag.Diagnostics,
) (types.String, bool) {
	diags.Append(config.Get(ctx, m)...)
	if diags.HasError() || !data.Ready(diags) {
		return types.String{}, false
	}

	parent, ok := p.Find(data, *m.ParentID(), diags)
	if ok {
		*m.ParentID() = parent
	}
	return parent, ok
}

// Objects are the objects of a resource type, as lists show them. F is the model of one.
type Objects[F any] struct {
	// TypeName is that of the list resource or data source, without the provider's name.
	TypeName string
	// Plural is how errors call them: surveys.
	Plural string
	Parent Parent
	// All yields the objects of a parent in the order of the service.
	All func(ctx context.Context, c *client.Client, parent types.String) iter.Seq2[F, error]
}

// failed is what is said of a list that could not be read: an error, and no more than a
// warning of one that the service has removed, which may be nothing.
func (o Objects[F]) failed(parent types.String, err error) diag.Diagnostics {
	attempt := Attempt{Verb: "list", Noun: o.Plural, Parent: o.Parent.name(parent)}
	if client.IsRemoved(err) {
		return attempt.Removed(err)
	}
	return diag.Diagnostics{attempt.Diagnostic(err, nil)}
}

// Filter is the model of a block that lists objects: where to look, and which are wanted.
type Filter[M, F any] interface {
	*M
	// ParentID is the attribute that names the parent.
	ParentID() *types.String
	// Matches reports whether an object passes every filter that is set.
	Matches(object F) bool
}

// List is the model of a data source that lists objects.
type List[M, F any] interface {
	Filter[M, F]
	// Found is the attribute that takes the objects.
	Found() *[]F
}

// ListDataSource lists the objects of a resource type. M is its model, F that of an object.
type ListDataSource[M, F any, P List[M, F]] struct {
	DataSource
	Objects[F]
	// Attributes are those of the data source.
	Attributes func() schema.Schema
}

// Metadata implements datasource.DataSource.
func (d *ListDataSource[M, F, P]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.TypeName
}

// Schema implements datasource.DataSource.
func (d *ListDataSource[M, F, P]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.Attributes()
}

// Read implements datasource.DataSource.
func (d *ListDataSource[M, F, P]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := Lookup(ctx, &resp.Diagnostics)
	defer end()

	m := P(new(M))
	parent, ok := d.Parent.configured(ctx, d.Data, req.Config, m, &resp.Diagnostics)
	if !ok {
		return
	}

	*m.Found() = []F{}
	for object, err := range d.All(ctx, d.Client, parent) {
		if client.IsRemoved(err) {
			resp.Diagnostics.Append(d.failed(parent, err)...)
			*m.Found() = []F{}
			break
		}
		if err != nil {
			resp.Diagnostics.Append(d.failed(parent, err)...)
			return
		}
		if m.Matches(object) {
			*m.Found() = append(*m.Found(), object)
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

// Response is the model of a data source that returns the response of an operation.
type Response[M any] interface {
	*M
	// ParentID is the attribute that names the parent.
	ParentID() *types.String
	// Body is the attribute that takes the response as JSON text.
	Body() *types.String
}

// ResponseDataSource returns the response of an operation. The interface documents no body
// for these operations, so that everything but the arguments can be null, and a body of
// another shape is no error: the attribute with the JSON text has it.
type ResponseDataSource[M any, P Response[M]] struct {
	DataSource
	// TypeName is that of the data source, without the provider's name.
	TypeName string
	// Description and Attributes are those of its schema.
	Description string
	Attributes  func() map[string]schema.Attribute
	Parent      Parent
	// Attempt says what is tried, for errors.
	Attempt func(m P) Attempt
	// Arguments are the attributes that an error of the service can be about, by the name of
	// the parameter.
	Arguments map[string]path.Path
	// Request makes the request. No body is nil.
	Request func(ctx context.Context, c *client.Client, m P) (json.RawMessage, error)
	// Fill sets the attributes from a body; nothing if it has another shape.
	Fill func(m P, body json.RawMessage) error
}

// Metadata implements datasource.DataSource.
func (d *ResponseDataSource[M, P]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.TypeName
}

// Schema implements datasource.DataSource.
func (d *ResponseDataSource[M, P]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{MarkdownDescription: d.Description, Attributes: d.Attributes()}
}

// Read implements datasource.DataSource.
func (d *ResponseDataSource[M, P]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := Lookup(ctx, &resp.Diagnostics)
	defer end()

	m := P(new(M))
	parent, ok := d.Parent.configured(ctx, d.Data, req.Config, m, &resp.Diagnostics)
	if !ok {
		return
	}

	attempt := d.Attempt(m)
	attempt.Parent = d.Parent.name(parent)
	body, err := d.Request(ctx, d.Client, m)
	if err != nil && !client.IsRemoved(err) {
		resp.Diagnostics.Append(attempt.Diagnostic(err, d.Arguments))
		return
	}
	if err != nil {
		resp.Diagnostics.Append(attempt.Removed(err)...)
	}

	if body != nil {
		*m.Body() = types.StringValue(string(body))
		if err := d.Fill(m, body); err != nil {
			resp.Diagnostics.Append(attempt.OtherShape(err))
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, m)...)
}

// Decoded is a Fill by a type that a body is decoded into.
func Decoded[P, T any](fill func(m P, decoded T)) func(P, json.RawMessage) error {
	return func(m P, body json.RawMessage) error {
		var decoded T
		err := jsonvalue.Unmarshal(body, &decoded)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return fmt.Errorf("%s is a JSON %s", cmp.Or(wrong.Field, "a value in it"), wrong.Value)
		}
		// The part that fits would be misleading.
		if err == nil {
			fill(m, decoded)
		}
		return err
	}
}
