package importapp

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

type activityModel struct {
	responseModel
	Limit   types.Int64      `tfsdk:"limit"`
	Entries []activity.Entry `tfsdk:"entries"`
}

// NewActivityDataSource returns the data source posthog_pipeline_import_apps_activity, not
// configured yet: who installed, changed and uninstalled apps.
func NewActivityDataSource() datasource.DataSource {
	return responseOf("pipeline_import_apps_activity", "Who installed, changed and uninstalled import apps, newest first.",
		map[string]schema.Attribute{
			"limit": activity.LimitAttribute(),
			"entries": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The changes, newest first.",
				NestedObject: schema.NestedAttributeObject{Attributes: activity.Attributes()},
			},
		},
		tries[*activityModel]("read", "activity of import apps"),
		func(ctx context.Context, apps *client.PipelineImportApps, m *activityModel) (json.RawMessage, error) {
			return apps.AllActivity(ctx, activity.Limit(m.Limit))
		},
		func(m *activityModel, body json.RawMessage) (err error) {
			m.Entries, err = activity.Entries(body)
			return err
		})
}
