package terraform

import (
	"context"
	"fmt"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

var (
	_ datasource.DataSourceWithConfigure        = (*DataSource)(nil)
	_ datasource.DataSourceWithConfigValidators = (*DataSource)(nil)
)

// DataSource is the data source posthog_survey: one survey, by id or by name.
type DataSource struct{ providerdata.DataSource }

// NewDataSource returns the data source posthog_survey, not configured yet.
func NewDataSource() datasource.DataSource { return &DataSource{} }

// Metadata implements datasource.DataSource.
func (d *DataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_survey"
}

// Schema implements datasource.DataSource.
func (d *DataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	attributes := returnedAttributes()
	attributes["id"] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "UUID of the survey. Either this or `name`."}
	attributes["name"] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Name of the survey. Either this or `id`."}
	attributes["project_id"] = projectAttribute()
	resp.Schema = schema.Schema{MarkdownDescription: "One survey of a project, by its id or its name.", Attributes: attributes}
}

// returnedAttributes are the attributes of the resource that the service returns.
func returnedAttributes() map[string]schema.Attribute {
	attributes := attribute.ReadOnly(surveyschema.Resource().Attributes, readDescriptions)
	maps.DeleteFunc(attributes, func(name string, _ schema.Attribute) bool {
		_, isProviderOnly := surveyschema.PolicyAttributes()[name]
		return isProviderOnly
	})
	return attributes
}

func projectAttribute() schema.Attribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, MarkdownDescription: "Project to look in; the `project_id` of the provider when left out.",
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

	var wanted survey.Fields
	attribute.Decode(ctx, req.Config.Raw, req.Config.Schema.Type(), &wanted, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !d.Ready(&resp.Diagnostics) {
		return
	}

	project, ok := d.Project(wanted.ProjectID, &resp.Diagnostics)
	if !ok {
		return
	}
	wanted.ProjectID = project

	surveys := d.Client.Surveys(project.ValueString())
	var found api.Survey
	var err error
	if wanted.ID.IsNull() {
		found, err = byName(ctx, surveys, wanted, &resp.Diagnostics)
	} else {
		found, err = surveys.Retrieve(ctx, wanted.ID.ValueString())
	}

	var fields survey.Fields
	if err == nil && !resp.Diagnostics.HasError() {
		fields, err = survey.FromAPI(ctx, found, survey.Fields{ProjectID: project}, &attribute.Response{})
	}
	if err != nil {
		resp.Diagnostics.Append(attempt("read", wanted).Diagnostic(err, nil))
	}

	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &fields)...)
}

// byName finds a survey in the list by name, which is unique in a project.
func byName(ctx context.Context, surveys *client.Surveys, wanted survey.Fields, diags *diag.Diagnostics) (api.Survey, error) {
	for one, err := range surveys.List(ctx, client.ListOptions{}) {
		if err != nil {
			return api.Survey{}, err
		}
		if attribute.StringOf(one.Name).Equal(wanted.Name) {
			return one, nil
		}
	}
	diags.AddAttributeError(path.Root("name"), fmt.Sprintf("No survey is called %s", wanted.Name),
		fmt.Sprintf("Looked through all surveys of project %s. Names are compared exactly, capitals and blanks included.", wanted.ProjectID.ValueString()))
	return api.Survey{}, nil
}
