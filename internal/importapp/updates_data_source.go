package importapp

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
)

type updatesModel struct {
	appModel
	Tag       types.String `tfsdk:"tag"`
	LatestTag types.String `tfsdk:"latest_tag"`
}

// checkedVersions are the versions of an app in the response to a check for updates.
type checkedVersions struct {
	Plugin struct {
		Tag       *string `json:"tag"`
		LatestTag *string `json:"latest_tag"`
	} `json:"plugin"`
}

// NewUpdatesDataSource returns the data source posthog_pipeline_import_app_updates, not
// configured yet: whether one app has a newer version.
func NewUpdatesDataSource() datasource.DataSource {
	return responseOf("pipeline_import_app_updates",
		"Whether an import app has a newer version: the service looks for the newest tag of its code.",
		map[string]schema.Attribute{
			"app_id":     appIDAttribute(),
			"tag":        schema.StringAttribute{Computed: true, MarkdownDescription: "The version that is installed."},
			"latest_tag": schema.StringAttribute{Computed: true, MarkdownDescription: "The newest version."},
		},
		func(m *updatesModel) diagnose.Attempt {
			return diagnose.Attempt{Verb: "check for updates of", Noun: "import app", ID: m.AppID.String()}
		},
		func(ctx context.Context, apps *client.PipelineImportApps, m *updatesModel) (json.RawMessage, error) {
			return apps.CheckForUpdates(ctx, m.AppID.ValueInt64())
		},
		lookup.Decoded(func(m *updatesModel, checked checkedVersions) {
			m.Tag, m.LatestTag = types.StringPointerValue(checked.Plugin.Tag), types.StringPointerValue(checked.Plugin.LatestTag)
		}))
}
