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

type sourceModel struct {
	appModel
	// Files are texts by file name.
	Files map[string]types.String `tfsdk:"files"`
}

// NewSourceDataSource returns the data source posthog_pipeline_import_app_source, not
// configured yet: the code of one app.
func NewSourceDataSource() datasource.DataSource {
	return responseOf("pipeline_import_app_source", "The code of an import app.",
		map[string]schema.Attribute{
			"app_id": appIDAttribute(),
			"files":  schema.MapAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: "Texts by file name."},
		},
		func(m *sourceModel) diagnose.Attempt {
			return diagnose.Attempt{Verb: "read", Noun: "source of import app", ID: m.AppID.String()}
		},
		func(ctx context.Context, apps *client.PipelineImportApps, m *sourceModel) (json.RawMessage, error) {
			return apps.Source(ctx, m.AppID.ValueInt64())
		},
		lookup.Decoded(func(m *sourceModel, files map[string]*string) {
			if files != nil {
				m.Files = map[string]types.String{}
			}
			for name, text := range files {
				m.Files[name] = types.StringPointerValue(text)
			}
		}))
}
