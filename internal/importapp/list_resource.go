package importapp

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
)

type listResourceModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	Name           types.String `tfsdk:"name"`
	PluginType     types.String `tfsdk:"plugin_type"`
}

// NewListResource returns the list resource posthog_pipeline_import_app, not configured yet:
// the import apps that an organization owns, for terraform query.
func NewListResource() list.ListResource {
	return &lookup.ListResource[listResourceModel, Fields, *listResourceModel]{
		Objects:  lookup.Objects[Fields]{TypeName: "pipeline_import_app", Plural: "pipeline import apps", Parent: lookup.Organization, All: owned},
		Schema:   listResourceSchema,
		Name:     func(f Fields) string { return f.Name.ValueString() },
		Identity: func(f Fields) any { return identityOf(f) },
		State:    importedState,
	}
}

func listResourceSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The pipeline import apps that an organization owns; those that match every given filter. " +
			"Terraform stops at 100 of them unless the block has a `limit`. " +
			"Global apps of other organizations cannot be managed and are left out.",
		Attributes: map[string]schema.Attribute{
			"organization_id": schema.StringAttribute{Optional: true, MarkdownDescription: "Organization to look in; the `organization_id` of the provider when left out."},
			"name":            schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps whose name contains this text, in any letter case."},
			"plugin_type":     schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps of this type."},
		},
	}
}

// importedState is an app as an import fills a state.
func importedState(ctx context.Context, f Fields, diags *diag.Diagnostics) tftypes.Value {
	var m Model
	attribute.Decode(ctx, attribute.AllNull(ctx, objectType()), objectType(), &m, diags)
	m.Fields = f

	var state tftypes.Value
	attribute.Encode(ctx, m, objectType(), &state, diags)
	return state
}

// ParentID implements lookup.Filter.
func (m *listResourceModel) ParentID() *types.String { return &m.OrganizationID }

// Matches implements lookup.Filter.
func (m *listResourceModel) Matches(f Fields) bool {
	return strings.Contains(strings.ToLower(f.Name.ValueString()), strings.ToLower(m.Name.ValueString())) &&
		(m.PluginType.IsNull() || m.PluginType.Equal(f.PluginType))
}
