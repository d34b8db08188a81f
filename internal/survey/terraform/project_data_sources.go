package terraform

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// allActivityModel has the attributes of both data sources.
type allActivityModel struct {
	responseModel
	Limit   types.Int64               `tfsdk:"limit"`
	Entries []framework.ActivityEntry `tfsdk:"entries"`
}

type activityModel struct {
	allActivityModel
	SurveyID types.String `tfsdk:"survey_id"`
}

// limitArgument is the attribute that the service may refuse.
var limitArgument = map[string]path.Path{"limit": path.Root("limit")}

// NewActivityDataSource returns the data source posthog_survey_activity, not configured yet:
// who changed what of one survey.
func NewActivityDataSource() datasource.DataSource {
	return framework.Operated[activityModel, *activityModel]{
		TypeName:    "survey_activity",
		Description: "Who changed what of a survey, and when, newest first. The API key needs the scope `activity_log:read`.",
		Attributes: func() map[string]schema.Attribute {
			attributes := activityAttributes()
			attributes["survey_id"] = schema.StringAttribute{
				Required: true, MarkdownDescription: "UUID of the survey.", Validators: []validator.String{attribute.UUID},
			}
			return attributes
		},
		Parent: framework.Project,
		Attempt: func(m *activityModel) framework.Attempt {
			return framework.Attempt{Verb: "read", Noun: "activity of survey", ID: m.SurveyID.ValueString()}
		},
		Arguments: limitArgument,
		Request: func(ctx context.Context, c *client.Client, m *activityModel) (json.RawMessage, error) {
			return c.Surveys(m.ProjectID.ValueString()).Activity(ctx, m.SurveyID.ValueString(), framework.ActivityLimit(m.Limit))
		},
		Fill: func(m *activityModel, body json.RawMessage) error { return m.fill(body) },
	}.New()
}

// NewAllActivityDataSource returns the data source posthog_surveys_activity, not configured
// yet: the same for all surveys of a project.
func NewAllActivityDataSource() datasource.DataSource {
	return framework.Operated[allActivityModel, *allActivityModel]{
		TypeName: "surveys_activity",
		Description: "Who changed what of the surveys of a project, deleted ones too, newest first. " +
			"The API key needs the scope `activity_log:read`.",
		Attributes: activityAttributes,
		Parent:     framework.Project,
		Attempt: func(*allActivityModel) framework.Attempt {
			return framework.Attempt{Verb: "read", Noun: "activity of surveys"}
		},
		Arguments: limitArgument,
		Request: func(ctx context.Context, c *client.Client, m *allActivityModel) (json.RawMessage, error) {
			return c.Surveys(m.ProjectID.ValueString()).AllActivity(ctx, framework.ActivityLimit(m.Limit))
		},
		Fill: (*allActivityModel).fill,
	}.New()
}

func activityAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"limit": framework.ActivityLimitAttribute(),
		"entries": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "The changes, newest first. Null when the response has no body, as the interface documents it.",
			NestedObject: schema.NestedAttributeObject{Attributes: framework.ActivityAttributes()},
		},
	}
	maps.Copy(attributes, responseAttributes())
	return attributes
}

func (m *allActivityModel) fill(body json.RawMessage) (err error) {
	m.Entries, err = framework.ActivityEntries(body)
	return err
}

// responseModel has the attributes that the data sources share which return the response of
// an operation.
type responseModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	JSON      types.String `tfsdk:"json"`
}

// ParentID implements framework.Response.
func (m *responseModel) ParentID() *types.String { return &m.ProjectID }

// Body implements framework.Response.
func (m *responseModel) Body() *types.String { return &m.JSON }

func responseAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"project_id": framework.ProjectAttribute(),
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
	return framework.Operated[responsesCountModel, *responsesCountModel]{
		TypeName: "survey_responses_count",
		Description: "How many responses the surveys of a project have. A survey without responses is not in the map: " +
			"read it with `lookup(data.posthog_survey_responses_count.all.counts, posthog_survey.nps.id, 0)`.",
		Attributes: responsesCountAttributes,
		Parent:     framework.Project,
		Attempt: func(*responsesCountModel) framework.Attempt {
			return framework.Attempt{Verb: "read", Noun: "responses count of surveys"}
		},
		Request: requestCounts,
		Fill:    framework.Decoded(func(m *responsesCountModel, counts map[string]int64) { m.Counts = counts }),
	}.New()
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
