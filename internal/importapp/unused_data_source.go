package importapp

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
)

type unusedModel struct {
	responseModel
	AppIDs []int64 `tfsdk:"app_ids"`
}

// NewUnusedDataSource returns the data source posthog_pipeline_import_apps_unused, not
// configured yet: the apps that no configuration uses.
func NewUnusedDataSource() datasource.DataSource {
	return responseOf("pipeline_import_apps_unused", "The import apps that no enabled configuration of the organization uses.",
		map[string]schema.Attribute{
			"app_ids": schema.ListAttribute{ElementType: types.Int64Type, Computed: true, MarkdownDescription: "Numbers of the apps."},
		},
		tries[*unusedModel]("list", "unused import apps"),
		func(ctx context.Context, apps *client.PipelineImportApps, _ *unusedModel) (json.RawMessage, error) {
			return apps.Unused(ctx)
		},
		lookup.Decoded(func(m *unusedModel, ids []int64) { m.AppIDs = ids }))
}
