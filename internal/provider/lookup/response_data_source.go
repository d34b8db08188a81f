package lookup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

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
	providerdata.DataSource
	// TypeName is that of the data source, without the provider's name.
	TypeName string
	// Description and Attributes are those of its schema.
	Description string
	Attributes  func() map[string]schema.Attribute
	Parent      Parent
	// Attempt says what is tried, for errors.
	Attempt func(m P) diagnose.Attempt
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
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
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
