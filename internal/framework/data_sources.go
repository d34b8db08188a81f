package framework

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// DataSource implements every data source. M is its model.
type DataSource[M any] struct {
	*Data

	// TypeName is the type of the data source, without the provider's name.
	TypeName string
	// Describe returns the data source's schema, except the attribute with the parent's ID.
	Describe func() schema.Schema
	// OneOf contains arguments of which exactly one must be set. It may be empty.
	OneOf []string
	// Decode reads a configuration. If it is nil, the plugin framework reads it.
	Decode func(ctx context.Context, config tfsdk.Config, m *M, diags *diag.Diagnostics)
	// Parent is the kind of parent to read from, and ParentID returns the attribute with the parent's ID. Both are nil
	// for a data source without a parent.
	Parent   Parent
	ParentID func(m *M) *types.String
	// Fill sets the attributes from PostHog's response. If it adds an error, nothing is stored, so Fill need not
	// return early.
	Fill func(ctx context.Context, data *Data, m *M, diags *diag.Diagnostics)
}

// Configure implements datasource.DataSourceWithConfigure.
func (d *DataSource[M]) Configure(_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse) {
	d.Data = receive(req.ProviderData, &resp.Diagnostics)
}

// Metadata implements datasource.DataSource.
func (d *DataSource[M]) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.TypeName
}

// Schema implements datasource.DataSource.
func (d *DataSource[M]) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = d.Describe()
	if d.ParentID != nil {
		resp.Schema.Attributes[d.Parent.Argument()] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: d.Parent.WhereToLook()}
	}
}

// ConfigValidators implements datasource.DataSourceWithConfigValidators.
func (d *DataSource[M]) ConfigValidators(context.Context) []datasource.ConfigValidator {
	if d.OneOf == nil {
		return nil
	}
	return []datasource.ConfigValidator{attribute.ExactlyOneOf(d.OneOf...)}
}

// Read implements datasource.DataSource.
func (d *DataSource[M]) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, cancel := Lookup(ctx)
	defer cancel()

	var m M
	diags := &resp.Diagnostics
	if d.Decode != nil {
		d.Decode(ctx, req.Config, &m, diags)
	} else {
		diags.Append(req.Config.Get(ctx, &m)...)
	}
	if diags.HasError() || !d.Ready(diags) {
		return
	}
	if d.ParentID != nil {
		parent, ok := d.Parent.Find(d.Data, *d.ParentID(&m), diags)
		if !ok {
			return
		}
		*d.ParentID(&m) = parent
	}

	if d.Fill(ctx, d.Data, &m, diags); !diags.HasError() {
		diags.Append(resp.State.Set(ctx, &m)...)
	}
}

// Objects lists a resource type's objects. F is the model of one object.
type Objects[F any] struct {
	// TypeName is the type of the list resource or data source, without the provider's name.
	TypeName string
	// Plural is the noun in errors, such as surveys.
	Plural string
	Parent Parent
	// All yields the objects of a parent in PostHog's order.
	All func(ctx context.Context, c *client.Client, parent types.String) iter.Seq2[F, error]
}

// listDiagnostic returns the diagnostics for a list that could not be read: an error, or at most a warning if PostHog
// has removed the operation.
func (o Objects[F]) listDiagnostic(parent types.String, err error) diag.Diagnostics {
	attempt := Attempt{Verb: "list", Noun: o.Plural, Parent: o.Parent.Label(parent.ValueString())}
	if client.IsRemoved(err) {
		return attempt.RemovalWarning(err)
	}
	return diag.Diagnostics{attempt.Diagnostic(err, nil)}
}

// Filter is the model of a block that lists objects: the parent to read from, and the filters.
type Filter[M, F any] interface {
	*M
	// ParentID returns the attribute with the parent's ID.
	ParentID() *types.String
	// Matches reports whether an object passes every filter that is set.
	Matches(object F) bool
}

// List is the model of a data source that lists objects.
type List[M, F any] interface {
	Filter[M, F]
	// Results returns the attribute that receives the objects.
	Results() *[]F
}

// NewListDataSource returns the data source that lists a resource type's objects. M is the data source's model, and F
// the model of one object.
func NewListDataSource[M, F any, P List[M, F]](objects Objects[F], describe func() schema.Schema) datasource.DataSource {
	return &DataSource[M]{
		TypeName: objects.TypeName, Describe: describe,
		Parent: objects.Parent, ParentID: func(m *M) *types.String { return P(m).ParentID() },
		Fill: func(ctx context.Context, data *Data, m *M, diags *diag.Diagnostics) {
			model := P(m)
			*model.Results() = []F{}
			for object, err := range objects.All(ctx, data.Client, *model.ParentID()) {
				switch {
				case err != nil:
					diags.Append(objects.listDiagnostic(*model.ParentID(), err)...)
					*model.Results() = []F{}
					return
				case model.Matches(object):
					*model.Results() = append(*model.Results(), object)
				}
			}
		},
	}
}

// Response is the model of a data source that returns an operation's response.
type Response[M any] interface {
	*M
	// ParentID returns the attribute with the parent's ID.
	ParentID() *types.String
	// Body returns the attribute that receives the response as JSON text.
	Body() *types.String
}

// Operated is a data source that returns an operation's response. The API document does not describe the bodies of
// these operations, so everything except the arguments can be null. If the body has a different format, only the
// attribute with the JSON text is set.
type Operated[M any, P Response[M]] struct {
	// TypeName is the type of the data source, without the provider's name.
	TypeName string
	// Description and Attributes are part of the data source's schema, which also contains the parent and the
	// response.
	Description string
	Attributes  map[string]schema.Attribute
	Parent      Parent
	// Attempt describes the operation in errors.
	Attempt func(m P) Attempt
	// Arguments maps parameters that PostHog's errors may mention to attributes.
	Arguments map[string]path.Path
	// Request sends the request. It returns nil if the response has no body.
	Request func(ctx context.Context, c *client.Client, m P) (json.RawMessage, error)
	// Fill sets the attributes from a body. It sets none if the body has a different format.
	Fill func(m P, body json.RawMessage) error
}

// New returns the data source, not configured yet.
func (o Operated[M, P]) New() datasource.DataSource {
	return &DataSource[M]{
		TypeName: o.TypeName,
		Describe: func() schema.Schema {
			attributes := maps.Clone(o.Attributes)
			attributes["json"] = schema.StringAttribute{
				Computed: true, MarkdownDescription: "Whole HTTP response as JSON text. Null if it has no body, as in the documented API.",
			}
			return schema.Schema{MarkdownDescription: o.Description, Attributes: attributes}
		},
		Parent: o.Parent, ParentID: func(m *M) *types.String { return P(m).ParentID() },
		Fill: o.fill,
	}
}

func (o Operated[M, P]) fill(ctx context.Context, data *Data, m *M, diags *diag.Diagnostics) {
	model := P(m)
	attempt := o.Attempt(model)
	attempt.Parent = o.Parent.Label(model.ParentID().ValueString())
	body, err := o.Request(ctx, data.Client, model)
	switch {
	case client.IsRemoved(err):
		diags.Append(attempt.RemovalWarning(err)...)
	case err != nil:
		diags.Append(attempt.Diagnostic(err, o.Arguments))
	case body != nil:
		*model.Body() = types.StringValue(string(body))
		if err := o.Fill(model, body); err != nil {
			diags.Append(attempt.OtherShape(err))
		}
	}
}

// DecodeBody returns a Fill that decodes the body into a type.
func DecodeBody[P, T any](fill func(m P, decoded T)) func(P, json.RawMessage) error {
	return func(m P, body json.RawMessage) error {
		var decoded T
		err := jsonvalue.Unmarshal(body, &decoded)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return fmt.Errorf("%s is a JSON %s", cmp.Or(wrong.Field, "a value in it"), wrong.Value)
		}
		// Attributes from a body that matches only in part would be misleading.
		if err == nil {
			fill(m, decoded)
		}
		return err
	}
}
