package terraform

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/lookup"
)

// responseModel has the attributes that the data sources share which return the response of
// an operation.
type responseModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	JSON      types.String `tfsdk:"json"`
}

// ParentID implements lookup.Response.
func (m *responseModel) ParentID() *types.String { return &m.ProjectID }

// Body implements lookup.Response.
func (m *responseModel) Body() *types.String { return &m.JSON }

func responseAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": projectAttribute(),
		"json":       schema.StringAttribute{Computed: true, MarkdownDescription: "The whole response as JSON text. Null when it has no body."},
	}
}

type responsesCountModel struct {
	responseModel
	Counts map[string]int64 `tfsdk:"counts"`
}

// NewResponsesCountDataSource returns the data source posthog_survey_responses_count, not
// configured yet: how many responses the surveys of a project have.
func NewResponsesCountDataSource() datasource.DataSource {
	return &lookup.ResponseDataSource[responsesCountModel, *responsesCountModel]{
		TypeName: "survey_responses_count",
		Description: "How many responses the surveys of a project have. A survey without responses is not in the map: " +
			"read it with `lookup(data.posthog_survey_responses_count.all.counts, posthog_survey.nps.id, 0)`.",
		Attributes: responsesCountAttributes,
		Parent:     lookup.Project,
		Attempt: func(*responsesCountModel) diagnose.Attempt {
			return diagnose.Attempt{Verb: "read", Noun: "responses count of surveys"}
		},
		Request: requestCounts,
		Fill:    lookup.Decoded(func(m *responsesCountModel, counts map[string]int64) { m.Counts = counts }),
	}
}

func responsesCountAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"counts": schema.MapAttribute{
			ElementType: types.Int64Type, Computed: true,
			MarkdownDescription: "Number of responses by the id of the survey, deleted surveys included. Null when the response has no body.",
		},
	}
	maps.Copy(attributes, responseAttributes())
	return attributes
}

func requestCounts(ctx context.Context, c *client.Client, m *responsesCountModel) (json.RawMessage, error) {
	counts, err := c.Surveys(m.ProjectID.ValueString()).ResponsesCount(ctx)
	if err != nil || counts == nil {
		return nil, err
	}
	return json.Marshal(counts)
}
