package lookup

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// List is the model of a data source that lists objects.
type List[M, F any] interface {
	Filter[M, F]
	// Found is the attribute that takes the objects.
	Found() *[]F
}

// ListDataSource lists the objects of a resource type. M is its model, F that of an object.
type ListDataSource[M, F any, P List[M, F]] struct {
	providerdata.DataSource
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
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
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
