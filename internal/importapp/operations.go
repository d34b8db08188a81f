package importapp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// sessionOnly ends the descriptions of operations that PostHog does not offer to API keys.
const sessionOnly = " PostHog rejects API keys for this operation. A self-hosted or compatible instance can allow them."

// responseModel holds the attributes shared by all data sources that return an operation's HTTP
// response.
type responseModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	JSON           types.String `tfsdk:"json"`
}

// ParentID implements framework.Response.
func (m *responseModel) ParentID() *types.String { return &m.OrganizationID }

// Body implements framework.Response.
func (m *responseModel) Body() *types.String { return &m.JSON }

// appModel is the responseModel for an operation on one app.
type appModel struct {
	responseModel
	AppID types.Int64 `tfsdk:"app_id"`
}

// newResponseDataSource returns a data source that returns the HTTP response to an operation on an
// organization's apps.
func newResponseDataSource[M any, P framework.Response[M]](
	typeName, description string, attributes map[string]schema.Attribute, attempt func(P) framework.Attempt,
	request func(context.Context, *client.PipelineImportApps, P) (json.RawMessage, error), fill func(P, json.RawMessage) error,
) datasource.DataSource {
	return framework.Operated[M, P]{
		TypeName: typeName, Description: description + sessionOnly, Parent: framework.Organization, Attempt: attempt, Fill: fill,
		Attributes: attributes,
		Request: func(ctx context.Context, c *client.Client, m P) (json.RawMessage, error) {
			return request(ctx, c.PipelineImportApps(m.ParentID().ValueString()), m)
		},
	}.New()
}

// tries returns the attempt for an operation on all apps.
func tries[P any](verb, noun string) func(P) framework.Attempt {
	return func(P) framework.Attempt { return framework.Attempt{Verb: verb, Noun: noun} }
}

func appIDAttribute() schema.Attribute {
	return schema.Int64Attribute{Required: true, MarkdownDescription: "ID of the app."}
}

type activityModel struct {
	responseModel
	framework.Activity
}

// NewActivityDataSource returns the data source posthog_pipeline_import_apps_activity, which lists
// who installed, changed, and uninstalled apps. It is not configured yet.
func NewActivityDataSource() datasource.DataSource {
	return newResponseDataSource("pipeline_import_apps_activity", "Lists who installed, changed, and uninstalled import apps, newest first.",
		framework.ActivityAttributes(),
		tries[*activityModel]("read", "activity of import apps"),
		func(ctx context.Context, apps *client.PipelineImportApps, m *activityModel) (json.RawMessage, error) {
			return apps.AllActivity(ctx, m.EntryLimit())
		},
		func(m *activityModel, body json.RawMessage) error { return m.Fill(body) })
}

type repositoryModel struct {
	responseModel
	Apps []repositoryApp `tfsdk:"apps"`
}

// NewRepositoryDataSource returns the data source posthog_pipeline_import_apps_repository, which
// lists the apps that can be installed. It is not configured yet.
func NewRepositoryDataSource() datasource.DataSource {
	return newResponseDataSource("pipeline_import_apps_repository", "Lists the import apps that you can install.",
		map[string]schema.Attribute{
			"apps": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "Import apps.",
				NestedObject: schema.NestedAttributeObject{Attributes: repositoryAttributes()},
			},
		},
		tries[*repositoryModel]("list", "import apps of the repository"),
		func(ctx context.Context, apps *client.PipelineImportApps, _ *repositoryModel) (json.RawMessage, error) {
			return apps.Repository(ctx)
		},
		framework.DecodeBody(func(m *repositoryModel, apps []repositoryApp) { m.Apps = apps }))
}

// repositoryApp is one app that can be installed.
type repositoryApp struct {
	Name        *string `json:"name" tfsdk:"name"`
	URL         *string `json:"url" tfsdk:"url"`
	Description *string `json:"description" tfsdk:"description"`
	Icon        *string `json:"icon" tfsdk:"icon"`
	Maintainer  *string `json:"maintainer" tfsdk:"maintainer"`
	Verified    *bool   `json:"verified" tfsdk:"verified"`
}

func repositoryAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":        schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the app."},
		"url":         schema.StringAttribute{Computed: true, MarkdownDescription: "URL of the app's code. To install the app, set `url` to this URL."},
		"description": schema.StringAttribute{Computed: true, MarkdownDescription: "Description of the app."},
		"icon":        schema.StringAttribute{Computed: true, MarkdownDescription: "URL of the app's icon."},
		"maintainer":  schema.StringAttribute{Computed: true, MarkdownDescription: "Maintainer of the app: `official` or `community`."},
		"verified":    schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether PostHog verified the app."},
	}
}

type sourceModel struct {
	appModel
	// Files maps file names to texts.
	Files map[string]*string `tfsdk:"files"`
}

// NewSourceDataSource returns the data source posthog_pipeline_import_app_source, which returns one
// app's code. It is not configured yet.
func NewSourceDataSource() datasource.DataSource {
	return newResponseDataSource("pipeline_import_app_source", "Reads the code of an import app.",
		map[string]schema.Attribute{
			"app_id": appIDAttribute(),
			"files":  schema.MapAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "Contents by file name."},
		},
		func(m *sourceModel) framework.Attempt {
			return framework.Attempt{Verb: "read", Noun: "source of import app", ID: m.AppID.String()}
		},
		func(ctx context.Context, apps *client.PipelineImportApps, m *sourceModel) (json.RawMessage, error) {
			return apps.Source(ctx, m.AppID.ValueInt64())
		},
		framework.DecodeBody(func(m *sourceModel, files map[string]*string) { m.Files = files }))
}

type unsubscribeConfigsModel struct {
	responseModel
	Configs []unsubscribeConfig `tfsdk:"configs"`
}

// NewUnsubscribeConfigsDataSource returns the data source
// posthog_pipeline_import_apps_exports_unsubscribe_configs, which lists the configurations of apps
// that export data. It is not configured yet.
func NewUnsubscribeConfigsDataSource() datasource.DataSource {
	return newResponseDataSource("pipeline_import_apps_exports_unsubscribe_configs", "Lists the enabled configurations of apps that export data.",
		map[string]schema.Attribute{
			"configs": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "Configurations.",
				NestedObject: schema.NestedAttributeObject{Attributes: unsubscribeAttributes()},
			},
		},
		tries[*unsubscribeConfigsModel]("list", "configurations of apps that export data"),
		func(ctx context.Context, apps *client.PipelineImportApps, _ *unsubscribeConfigsModel) (json.RawMessage, error) {
			return apps.ExportsUnsubscribeConfigs(ctx)
		},
		framework.DecodeBody(func(m *unsubscribeConfigsModel, configs []unsubscribeConfig) { m.Configs = configs }))
}

// unsubscribeConfig is the configuration of one app in one project.
type unsubscribeConfig struct {
	ID      *int64    `json:"id" tfsdk:"id"`
	AppID   *int64    `json:"plugin" tfsdk:"app_id"`
	TeamID  *int64    `json:"team_id" tfsdk:"team_id"`
	Enabled *bool     `json:"enabled" tfsdk:"enabled"`
	Name    *string   `json:"name" tfsdk:"name"`
	Config  *jsonText `json:"config" tfsdk:"config"`
}

// jsonText holds a response value as JSON text.
type jsonText string

// UnmarshalJSON implements json.Unmarshaler.
func (t *jsonText) UnmarshalJSON(raw []byte) error {
	*t = jsonText(raw)
	return nil
}

func unsubscribeAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"id":      schema.Int64Attribute{Computed: true, MarkdownDescription: "ID of the configuration."},
		"app_id":  schema.Int64Attribute{Computed: true, MarkdownDescription: "ID of the app."},
		"team_id": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the project."},
		"enabled": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the configuration is switched on."},
		"name":    schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the configuration."},
		"config":  schema.StringAttribute{Computed: true, MarkdownDescription: "Configuration as JSON text, in which PostHog masks secrets."},
	}
}

type unusedModel struct {
	responseModel
	AppIDs []int64 `tfsdk:"app_ids"`
}

// NewUnusedDataSource returns the data source posthog_pipeline_import_apps_unused, which lists the
// apps that no configuration uses. It is not configured yet.
func NewUnusedDataSource() datasource.DataSource {
	return newResponseDataSource("pipeline_import_apps_unused", "Lists the import apps that no enabled configuration of the organization uses.",
		map[string]schema.Attribute{
			"app_ids": schema.ListAttribute{ElementType: types.Int64Type, Computed: true, MarkdownDescription: "Numbers of the apps."},
		},
		tries[*unusedModel]("list", "unused import apps"),
		func(ctx context.Context, apps *client.PipelineImportApps, _ *unusedModel) (json.RawMessage, error) {
			return apps.UnusedIDs(ctx)
		},
		framework.DecodeBody(func(m *unusedModel, ids []int64) { m.AppIDs = ids }))
}

type updatesModel struct {
	appModel
	Tag       types.String `tfsdk:"tag"`
	LatestTag types.String `tfsdk:"latest_tag"`
}

// checkedVersions are an app's versions in the response to a check for updates.
type checkedVersions struct {
	Plugin struct {
		Tag       *string `json:"tag"`
		LatestTag *string `json:"latest_tag"`
	} `json:"plugin"`
}

// NewUpdatesDataSource returns the data source posthog_pipeline_import_app_updates, which reports
// whether one app has a newer version. It is not configured yet.
func NewUpdatesDataSource() datasource.DataSource {
	return newResponseDataSource("pipeline_import_app_updates",
		"Checks whether an import app has a newer version. PostHog looks for the newest tag of its code.",
		map[string]schema.Attribute{
			"app_id":     appIDAttribute(),
			"tag":        schema.StringAttribute{Computed: true, MarkdownDescription: "Installed version."},
			"latest_tag": schema.StringAttribute{Computed: true, MarkdownDescription: "Newest version."},
		},
		func(m *updatesModel) framework.Attempt {
			return framework.Attempt{Verb: "check for updates of", Noun: "import app", ID: m.AppID.String()}
		},
		func(ctx context.Context, apps *client.PipelineImportApps, m *updatesModel) (json.RawMessage, error) {
			return apps.CheckForUpdates(ctx, m.AppID.ValueInt64())
		},
		framework.DecodeBody(func(m *updatesModel, checked checkedVersions) {
			m.Tag, m.LatestTag = types.StringPointerValue(checked.Plugin.Tag), types.StringPointerValue(checked.Plugin.LatestTag)
		}))
}

type upgradeModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	AppID          types.Int64  `tfsdk:"app_id"`
}

type updateSourceModel struct {
	upgradeModel
	// Source maps file names to texts. A null text deletes the file.
	Source map[string]*string `tfsdk:"source"`
}

// NewUpgradeAction returns the action posthog_pipeline_import_app_upgrade, not configured yet.
func NewUpgradeAction() action.Action {
	return &framework.Action[upgradeModel]{
		TypeName:    "pipeline_import_app_upgrade",
		Description: "Installs the newest version of an import app's code." + sessionOnly + withoutActions("POST", "upgrade"),
		Attributes:  codeActionAttributes(),
		Parent:      framework.Organization, ParentID: func(m *upgradeModel) *types.String { return &m.OrganizationID },
		Run: func(ctx context.Context, data *framework.Data, m *upgradeModel, resp *action.InvokeResponse) {
			_, err := m.apps(data).Upgrade(ctx, m.AppID.ValueInt64(), api.PipelineImportAppRequest{})
			m.tell("upgrade", "import app", err, fmt.Sprintf("Import app %s is upgraded.", m.AppID), resp)
		},
	}
}

// NewUpdateSourceAction returns the action posthog_pipeline_import_app_update_source, not
// configured yet.
func NewUpdateSourceAction() action.Action {
	attributes := codeActionAttributes()
	attributes["source"] = actionschema.MapAttribute{
		ElementType: types.StringType, Required: true, MarkdownDescription: "Contents by file name. Null deletes the file.",
		Validators: []validator.Map{someFiles},
	}
	return &framework.Action[updateSourceModel]{
		TypeName:    "pipeline_import_app_update_source",
		Description: "Changes files of an import app's code. Files that you omit stay unchanged." + sessionOnly + withoutActions("PATCH", "update_source"),
		Attributes:  attributes,
		Parent:      framework.Organization, ParentID: func(m *updateSourceModel) *types.String { return &m.OrganizationID },
		Run: func(ctx context.Context, data *framework.Data, m *updateSourceModel, resp *action.InvokeResponse) {
			body, err := json.Marshal(m.Source)
			if err == nil {
				_, err = m.apps(data).UpdateSource(ctx, m.AppID.ValueInt64(), body)
			}
			progress := "1 file was sent"
			if n := len(m.Source); n != 1 {
				progress = fmt.Sprintf("%d files were sent", n)
			}
			m.tell("update", "source of import app", err, fmt.Sprintf("The source of import app %s is updated: %s.", m.AppID, progress), resp)
		},
	}
}

// withoutActions explains what to do in OpenTofu, which has no actions.
func withoutActions(method, operation string) string {
	return " OpenTofu doesn't support actions. With OpenTofu, call the API: `" + method + " /api/organizations/{organization_id}/pipeline_import_apps/{app_id}/" + operation + "/`."
}

// someFiles requires a map with at least one file.
var someFiles = attribute.Map("at least one file", func(root path.Path, files types.Map) (title, detail string) {
	if len(files.Elements()) > 0 {
		return "", ""
	}
	return "Missing files", fmt.Sprintf("%s is empty. Set at least one file to its text, or to null to delete it.", root)
})

func codeActionAttributes() map[string]actionschema.Attribute {
	return map[string]actionschema.Attribute{
		"organization_id": actionschema.StringAttribute{Optional: true, MarkdownDescription: "UUID of the app's organization. Defaults to the `organization_id` of the provider."},
		"app_id":          actionschema.Int64Attribute{Required: true, MarkdownDescription: "ID of the app."},
	}
}

func (m *upgradeModel) apps(data *framework.Data) *client.PipelineImportApps {
	return data.Client.PipelineImportApps(m.OrganizationID.ValueString())
}

// tell adds an action's error, or reports the action's result.
func (m *upgradeModel) tell(verb, noun string, err error, done string, resp *action.InvokeResponse) {
	if err != nil {
		tried := framework.Attempt{Verb: verb, Noun: noun, ID: m.AppID.String(), Parent: framework.Organization.Label(m.OrganizationID.ValueString())}
		resp.Diagnostics.Append(tried.Diagnostic(err, nil))
		return
	}
	resp.SendProgress(action.InvokeProgressEvent{Message: done})
}
