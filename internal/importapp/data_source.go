package importapp

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var (
	_ datasource.DataSourceWithConfigure        = (*DataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*DataSource)(nil)
)

// DataSource is the data source posthog_pipeline_import_app: one app, by id or by name.
type DataSource struct{ providerdata.DataSource }

// NewDataSource returns the data source posthog_pipeline_import_app, not configured yet.
func NewDataSource() datasource.DataSource { return &DataSource{} }

// Metadata implements datasource.DataSource.
func (d *DataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_pipeline_import_app"
}

// Schema implements datasource.DataSource.
func (d *DataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := returnedAttributes()
	attributes["id"] = schema.Int64Attribute{Optional: true, Computed: true, MarkdownDescription: "Number of the app. Either this or `name`."}
	attributes["name"] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Name of the app, if no other has the same. Either this or `id`."}
	attributes["organization_id"] = organizationAttribute()
	resp.Schema = schema.Schema{
		MarkdownDescription: "One pipeline import app that an organization can see, by its id or its name.", Attributes: attributes,
	}
}

// returnedAttributes are the attributes of the resource that the service returns.
func returnedAttributes() map[string]schema.Attribute {
	attributes := maps.Clone(ResourceSchema().Attributes)
	delete(attributes, providerdata.TimeoutsName)
	for _, name := range []string{"url_query", "url_query_wo", "url_query_wo_version"} {
		delete(attributes, name)
	}
	return attribute.ReadOnly(attributes, readDescriptions)
}

func organizationAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: "Organization to look in; the `organization_id` of the provider when left out.",
	}
}

// ConfigValidators implements datasource.DataSourceWithConfigValidators.
func (d *DataSource) ConfigValidators(context.Context) []datasource.ConfigValidator {
	return []datasource.ConfigValidator{attribute.ExactlyOneOf("id", "name")}
}

// Read implements datasource.DataSource.
func (d *DataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var wanted Fields
	resp.Diagnostics.Append(req.Config.Get(ctx, &wanted)...)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	organization, ok := d.Organization(wanted.OrganizationID, &resp.Diagnostics)
	if !ok {
		return
	}
	wanted.OrganizationID = organization

	apps := d.Client.PipelineImportApps(organization.ValueString())
	var found Fields
	var err error
	if wanted.ID.IsNull() {
		found, err = byName(ctx, apps, wanted, &resp.Diagnostics)
	} else {
		found, err = byID(ctx, apps, wanted)
	}

	switch {
	case client.IsRemoved(err):
		resp.Diagnostics.Append(attempt("read", wanted).Removed(err)...)
		resp.Diagnostics.Append(resp.State.Set(ctx, &wanted)...)
	case err != nil:
		resp.Diagnostics.Append(attempt("read", wanted).Diagnostic(err, nil))
	case !resp.Diagnostics.HasError():
		resp.Diagnostics.Append(resp.State.Set(ctx, &found)...)
	}
}

func byID(ctx context.Context, apps *client.PipelineImportApps, wanted Fields) (Fields, error) {
	wire, err := apps.Retrieve(ctx, wanted.ID.ValueInt64())
	if err != nil {
		return Fields{}, err
	}
	return FromAPI(wire, Fields{OrganizationID: wanted.OrganizationID}, &attribute.Response{}), nil
}

// byName searches the whole list, since names of apps are not unique.
func byName(ctx context.Context, apps *client.PipelineImportApps, wanted Fields, diags *diag.Diagnostics) (Fields, error) {
	var found []Fields
	for one, err := range apps.List(ctx, client.ListOptions{}) {
		if err != nil {
			return Fields{}, err
		}
		if m := FromAPI(one, Fields{OrganizationID: wanted.OrganizationID}, &attribute.Response{}); m.Name.Equal(wanted.Name) {
			found = append(found, m)
		}
	}

	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		diags.AddAttributeError(path.Root("name"), fmt.Sprintf("No import app is called %s", wanted.Name),
			fmt.Sprintf("Looked through all import apps of organization %s. Names are compared exactly, capitals and blanks included.",
				wanted.OrganizationID.ValueString()))
	default:
		ids := make([]string, len(found))
		for i, m := range found {
			ids[i] = m.ID.String()
		}
		diags.AddAttributeError(path.Root("name"), fmt.Sprintf("%d import apps are called %s", len(found), wanted.Name),
			fmt.Sprintf("In organization %s the name belongs to the apps %s. Say which one is meant: give its id instead of the name.",
				wanted.OrganizationID.ValueString(), strings.Join(ids, ", ")))
	}
	return Fields{}, nil
}
