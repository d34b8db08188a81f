package importapp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var (
	_ action.ActionWithConfigure = (*UpgradeAction)(nil)
	_ action.ActionWithConfigure = (*UpdateSourceAction)(nil)

	_ action.ActionWithValidateConfig = (*UpdateSourceAction)(nil)
)

// UpgradeAction is the action posthog_pipeline_import_app_upgrade.
type UpgradeAction struct{ providerdata.Action }

// UpdateSourceAction is the action posthog_pipeline_import_app_update_source.
type UpdateSourceAction struct{ providerdata.Action }

type upgradeModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	AppID          types.Int64  `tfsdk:"app_id"`
}

type updateSourceModel struct {
	upgradeModel
	// Source are texts by file name; a null text deletes the file.
	Source map[string]*string `tfsdk:"source"`
}

// NewUpgradeAction returns posthog_pipeline_import_app_upgrade, not configured yet.
func NewUpgradeAction() action.Action { return &UpgradeAction{} }

// NewUpdateSourceAction returns posthog_pipeline_import_app_update_source, not
// configured yet.
func NewUpdateSourceAction() action.Action { return &UpdateSourceAction{} }

// Metadata implements action.Action.
func (a *UpgradeAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_pipeline_import_app_upgrade"
}

// Metadata implements action.Action.
func (a *UpdateSourceAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_pipeline_import_app_update_source"
}

// withoutActions says what the users of OpenTofu do, which has no actions.
func withoutActions(method, operation string) string {
	return " OpenTofu has no actions: there, call the service, `" + method + " /api/organizations/{organization_id}/pipeline_import_apps/{app_id}/" + operation + "/`."
}

// Schema implements action.Action.
func (a *UpgradeAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Installs the newest version of an import app's code." + sessionOnly + withoutActions("POST", "upgrade"),
		Attributes:          codeActionAttributes(),
	}
}

// Schema implements action.Action.
func (a *UpdateSourceAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Changes files of an import app's code. Files that are not given stay as they are." + sessionOnly + withoutActions("PATCH", "update_source"),
		Attributes:          codeActionAttributes(),
	}
	resp.Schema.Attributes["source"] = schema.MapAttribute{
		ElementType: types.StringType, Required: true, MarkdownDescription: "Texts by file name; null deletes the file.",
	}
}

// ValidateConfig implements action.ActionWithValidateConfig.
func (a *UpdateSourceAction) ValidateConfig(ctx context.Context, req action.ValidateConfigRequest, resp *action.ValidateConfigResponse) {
	var source types.Map
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("source"), &source)...)
	if attribute.IsKnown(source) && len(source.Elements()) == 0 {
		resp.Diagnostics.AddAttributeError(path.Root("source"), "Missing files",
			"source is empty. Name at least one file: its text, or null to delete it.")
	}
}

func codeActionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"organization_id": schema.StringAttribute{Optional: true, MarkdownDescription: "Organization of the app; the `organization_id` of the provider when left out."},
		"app_id":          schema.Int64Attribute{Required: true, MarkdownDescription: "Number of the app."},
	}
}

// Invoke implements action.Action.
func (a *UpgradeAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m upgradeModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	apps, tried, ok := m.app(a.Data, "upgrade", "import app", resp)
	if !ok {
		return
	}

	if _, err := apps.Upgrade(ctx, m.AppID.ValueInt64(), api.PipelineImportAppRequest{}); err != nil {
		resp.Diagnostics.Append(tried.Diagnostic(err, nil))
		return
	}
	resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("Import app %s is upgraded.", m.AppID)})
}

// Invoke implements action.Action.
func (a *UpdateSourceAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	ctx, end := providerdata.Lookup(ctx, &resp.Diagnostics)
	defer end()

	var m updateSourceModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &m)...)
	apps, tried, ok := m.app(a.Data, "update", "source of import app", resp)
	if !ok {
		return
	}

	body, err := json.Marshal(m.Source)
	if err == nil {
		_, err = apps.UpdateSource(ctx, m.AppID.ValueInt64(), body)
	}
	if err != nil {
		resp.Diagnostics.Append(tried.Diagnostic(err, nil))
		return
	}
	sent := "1 file was sent"
	if n := len(m.Source); n != 1 {
		sent = fmt.Sprintf("%d files were sent", n)
	}
	resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf("The source of import app %s is updated: %s.", m.AppID, sent)})
}

// app returns the apps of the action's organization, and the name of its app in errors.
func (m upgradeModel) app(data *providerdata.Data, verb, noun string, resp *action.InvokeResponse) (*client.PipelineImportApps, diagnose.Attempt, bool) {
	if resp.Diagnostics.HasError() || !data.Ready(&resp.Diagnostics) {
		return nil, diagnose.Attempt{}, false
	}
	organization, ok := data.Organization(m.OrganizationID, &resp.Diagnostics)
	if !ok {
		return nil, diagnose.Attempt{}, false
	}

	id := organization.ValueString()
	tried := diagnose.Attempt{Verb: verb, Noun: noun, ID: m.AppID.String(), Parent: "organization " + id}
	return data.Client.PipelineImportApps(id), tried, true
}
