package importapp

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/fastpath"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// importable says how import apps are imported. An id is a number as the service formats it.
var importable = framework.Importable{
	Noun: "pipeline import app", Parent: framework.Organization,
	ID: func(text string) (attr.Value, bool) {
		id, err := strconv.ParseInt(text, 10, 64)
		return types.Int64Value(id), err == nil && id > 0 && strconv.FormatInt(id, 10) == text
	},
	Form: "The import id of a pipeline import app is ORGANIZATION/ID or ID, where ORGANIZATION is the organization's UUID and ID the app's number, " +
		"for example 018d4b5c-7a3e-7f21-9c6d-2b8e4f5a6c7d/42. The data source posthog_pipeline_import_apps lists the apps with their numbers.",
}

// ImportState implements resource.ResourceWithImportState: by organization/id, by
// id alone, or by identity.
func (r *Resource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	importable.Import(ctx, r.Data, req, resp)
}

// importIDOf is the import id of an app.
func importIDOf(m Fields) string { return m.OrganizationID.ValueString() + "/" + m.ID.String() }

// GeneratedConfig describes how Terraform generates the configuration of an import app:
// with the attributes that posthog-sync export writes.
func GeneratedConfig() protocol.GeneratedConfig {
	return protocol.GeneratedConfig{Type: objectType().TerraformType(context.Background()), Configuration: generatedConfig}
}

func generatedConfig(ctx context.Context, data *framework.Data, state tftypes.Value, diags *diag.Diagnostics) tftypes.Value {
	var m Model
	attribute.Decode(ctx, state, objectType(), &m, diags)
	if diags.HasError() {
		return state
	}

	organization := m.OrganizationID
	m.Fields = configurationFor(m.Fields)
	if data == nil || organization.ValueString() != data.OrganizationID {
		m.OrganizationID = organization
	}

	config := state
	attribute.Encode(ctx, m, objectType(), &config, diags)
	return config
}

// FastPath describes the resource to the fast path.
func FastPath() fastpath.Resource {
	return fastpath.Resource{
		Schema:     ResourceSchema(),
		Parent:     "organization_id",
		Default:    func(d *framework.Data) string { return d.OrganizationID },
		IsComplete: func(fastpath.Object, fastpath.PrivateState) bool { return true },
		Read: func(ctx context.Context, c *client.Client, o fastpath.Object) (json.RawMessage, error) {
			return c.PipelineImportApps(o.String("organization_id")).ReadRaw(ctx, o.Int64("id"))
		},
	}
}
