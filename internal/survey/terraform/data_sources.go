package terraform

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

// NewDataSource returns the data source posthog_survey, which reads one survey by ID or name. It is
// not configured yet.
func NewDataSource() datasource.DataSource {
	return &framework.DataSource[survey.Fields]{
		TypeName: "survey", Describe: dataSourceSchema, OneOf: []string{"id", "name"},
		Decode: func(ctx context.Context, config tfsdk.Config, m *survey.Fields, diags *diag.Diagnostics) {
			attribute.Decode(ctx, config.Raw, config.Schema.Type(), m, diags)
		},
		Parent: framework.Project, ParentID: func(m *survey.Fields) *types.String { return &m.ProjectID },
		Fill: readOne,
	}
}

func dataSourceSchema() schema.Schema {
	attributes := returnedAttributes()
	attributes["id"] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "UUID of the survey. Set either `id` or `name`."}
	attributes["name"] = schema.StringAttribute{Optional: true, Computed: true, MarkdownDescription: "Name of the survey. Set either `id` or `name`."}
	return schema.Schema{MarkdownDescription: "Reads one survey of a project, by ID or name.", Attributes: attributes}
}

// returnedAttributes returns the resource attributes that PostHog returns.
func returnedAttributes() map[string]schema.Attribute {
	attributes := attribute.ReadOnly(surveyschema.Resource().Attributes, readDescriptions)
	maps.DeleteFunc(attributes, func(name string, _ schema.Attribute) bool {
		_, isProviderOnly := surveyschema.PolicyAttributes()[name]
		return isProviderOnly
	})
	return attributes
}

func readOne(ctx context.Context, data *framework.Data, m *survey.Fields, diags *diag.Diagnostics) {
	config := *m
	surveys := data.Client.Surveys(config.ProjectID.ValueString())
	var found api.Survey
	var err error
	if config.ID.IsNull() {
		found, err = byName(ctx, surveys, config, diags)
	} else {
		found, err = surveys.Retrieve(ctx, config.ID.ValueString())
	}

	if err == nil && !diags.HasError() {
		*m, err = survey.FromAPI(ctx, found, survey.Fields{ProjectID: config.ProjectID}, &attribute.Response{})
		*m = m.WithLinks(data.Client.BaseURL())
	}
	if err != nil {
		diags.Append(attempt("read", config).Diagnostic(err, nil))
	}
}

// byName finds a survey by its name, which is unique in a project.
func byName(ctx context.Context, surveys *client.Surveys, config survey.Fields, diags *diag.Diagnostics) (api.Survey, error) {
	for wire, err := range surveys.List(ctx, client.ListOptions{}) {
		if err != nil {
			return api.Survey{}, err
		}
		if attribute.StringField(wire.Name).Equal(config.Name) {
			return wire, nil
		}
	}
	diags.AddAttributeError(path.Root("name"), fmt.Sprintf("No survey is called %s", config.Name),
		fmt.Sprintf("The provider searched all surveys of project %s. Names must match exactly, including case and spaces.", config.ProjectID.ValueString()))
	return api.Survey{}, nil
}

// readDescriptions replaces descriptions that explain how to set a value, because a data source has
// no such settings.
var readDescriptions = attribute.Descriptions{
	"project_id":                      "ID of the project that contains the survey.",
	"name":                            "Name of the survey.",
	"schedule":                        "How often a person sees the survey: one of `once`, `recurring`, or `always`.",
	"base_language":                   "Language of the survey's text, as a BCP 47 code.",
	"status":                          "State of the survey, which follows from the dates: one of `draft`, `running`, or `completed`.",
	"start_date":                      "Date and time of the launch. Null for a draft.",
	"end_date":                        "Date and time when the survey stopped. Null if it hasn't stopped.",
	"targeting_flag_id":               "ID of the feature flag that decides who sees the survey, if the flag wasn't created for the survey.",
	"targeting_flag_filters":          "Release conditions that decide who sees the survey, as JSON, if PostHog stores them in a flag that it created for the survey.",
	"response_sampling_interval_type": "Unit of the sampling interval: one of `day`, `week`, or `month`.",
	"questions":                       "Questions of the survey, in order. The `type` of a question decides which other attributes apply.",
	"questions.id":                    "ID under which PostHog stores the answers to this question.",
	"questions.extra":                 "Keys of the question that this schema doesn't contain, as a JSON object.",
	"questions.branching":             "Branching after the answer. Null means that the next question follows.",
	"questions.type":                  "Type of the question: one of `open`, `link`, `rating`, `single_choice`, or `multiple_choice`.",
	"questions.question":              "Text of the question.",
}

// listFilter holds the filters that the list data source and the list resource share.
type listFilter struct {
	ProjectID types.String `tfsdk:"project_id"`
	Name      types.String `tfsdk:"name"`
	Type      types.String `tfsdk:"type"`
	Status    types.String `tfsdk:"status"`
	Archived  types.Bool   `tfsdk:"archived"`
}

// ParentID implements framework.Filter.
func (m *listFilter) ParentID() *types.String { return &m.ProjectID }

func (m *listFilter) matches(f survey.Fields) bool {
	return (m.Type.IsNull() || m.Type.Equal(f.Type)) && (m.Status.IsNull() || m.Status.Equal(f.Status)) && (m.Archived.IsNull() || m.Archived.Equal(f.Archived))
}

type listModel struct {
	listFilter
	Surveys []survey.Fields `tfsdk:"surveys"`
}

// NewListDataSource returns the data source posthog_surveys, which lists the surveys of a project.
// It is not configured yet.
func NewListDataSource() datasource.DataSource {
	return framework.NewListDataSource[listModel](
		framework.Objects[survey.Fields]{TypeName: "surveys", Plural: "surveys", Parent: framework.Project, All: listSurveys}, listSchema)
}

func listSchema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Lists the surveys of a project that match all filters, newest first. It reads all pages of the list.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{Optional: true, MarkdownDescription: "Only the survey with exactly this name."},
			"type": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys of this type: one of `popover`, `widget`, `external_survey`, or `api`.",
				Validators: []validator.String{attribute.OneOf(check.SurveyTypes.Values()...)},
			},
			"status": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys with this status: one of `draft`, `running`, or `completed`.",
				Validators: []validator.String{attribute.OneOf(survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted)},
			},
			"archived": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether to list only archived surveys (`true`) or only unarchived surveys (`false`). If omitted, both are listed."},
			"surveys": schema.ListNestedAttribute{
				Computed: true, MarkdownDescription: "The surveys.",
				NestedObject: schema.NestedAttributeObject{Attributes: returnedAttributes()},
			},
		},
	}
}

// listSurveys returns the surveys of a project, newest first. It stops at the first survey that it
// cannot read.
func listSurveys(ctx context.Context, c *client.Client, project types.String) iter.Seq2[survey.Fields, error] {
	return func(yield func(survey.Fields, error) bool) {
		for wire, err := range c.Surveys(project.ValueString()).List(ctx, client.ListOptions{}) {
			var fields survey.Fields
			if err == nil {
				fields, err = survey.FromAPI(ctx, wire, survey.Fields{ProjectID: project}, &attribute.Response{})
			}
			if !yield(fields.WithLinks(c.BaseURL()), err) || err != nil {
				return
			}
		}
	}
}

// Results implements framework.List.
func (m *listModel) Results() *[]survey.Fields { return &m.Surveys }

// Matches implements framework.Filter.
func (m *listModel) Matches(f survey.Fields) bool {
	return m.matches(f) && (m.Name.IsNull() || m.Name.Equal(f.Name))
}

// allActivityModel holds the attributes that both activity data sources share.
type allActivityModel struct {
	responseModel
	framework.Activity
}

type activityModel struct {
	allActivityModel
	SurveyID types.String `tfsdk:"survey_id"`
}

// limitArgument maps the only argument that PostHog may reject to its attribute.
var limitArgument = map[string]path.Path{"limit": path.Root("limit")}

// NewActivityDataSource returns the data source posthog_survey_activity, which lists the changes of
// one survey. It is not configured yet.
func NewActivityDataSource() datasource.DataSource {
	attributes := framework.ActivityAttributes()
	attributes["survey_id"] = schema.StringAttribute{
		Required: true, MarkdownDescription: "UUID of the survey.", Validators: []validator.String{attribute.UUID},
	}
	return framework.Operated[activityModel, *activityModel]{
		TypeName:    "survey_activity",
		Description: "Lists the changes to a survey, with their authors and times, newest first. The API key needs the scope `activity_log:read`.",
		Attributes:  attributes,
		Parent:      framework.Project,
		Attempt: func(m *activityModel) framework.Attempt {
			return framework.Attempt{Verb: "read", Noun: "activity of survey", ID: m.SurveyID.ValueString()}
		},
		Arguments: limitArgument,
		Request: func(ctx context.Context, c *client.Client, m *activityModel) (json.RawMessage, error) {
			return c.Surveys(m.ProjectID.ValueString()).Activity(ctx, m.SurveyID.ValueString(), m.EntryLimit())
		},
		Fill: func(m *activityModel, body json.RawMessage) error { return m.Fill(body) },
	}.New()
}

// NewAllActivityDataSource returns the data source posthog_surveys_activity, which lists the
// changes of all surveys of a project. It is not configured yet.
func NewAllActivityDataSource() datasource.DataSource {
	return framework.Operated[allActivityModel, *allActivityModel]{
		TypeName: "surveys_activity",
		Description: "Lists the changes to all surveys in a project, including deleted surveys, newest first. " +
			"The API key needs the scope `activity_log:read`.",
		Attributes: framework.ActivityAttributes(),
		Parent:     framework.Project,
		Attempt: func(*allActivityModel) framework.Attempt {
			return framework.Attempt{Verb: "read", Noun: "activity of surveys"}
		},
		Arguments: limitArgument,
		Request: func(ctx context.Context, c *client.Client, m *allActivityModel) (json.RawMessage, error) {
			return c.Surveys(m.ProjectID.ValueString()).AllActivity(ctx, m.EntryLimit())
		},
		Fill: func(m *allActivityModel, body json.RawMessage) error { return m.Fill(body) },
	}.New()
}

// responseModel holds the attributes shared by all data sources that return an operation's HTTP
// response.
type responseModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	JSON      types.String `tfsdk:"json"`
}

// ParentID implements framework.Response.
func (m *responseModel) ParentID() *types.String { return &m.ProjectID }

// Body implements framework.Response.
func (m *responseModel) Body() *types.String { return &m.JSON }

type responsesCountModel struct {
	responseModel
	Counts map[string]int64 `tfsdk:"counts"`
}

// NewResponsesCountDataSource returns the data source posthog_survey_responses_count, which counts
// the responses to each survey in a project. It is not configured yet.
func NewResponsesCountDataSource() datasource.DataSource {
	return framework.Operated[responsesCountModel, *responsesCountModel]{
		TypeName: "survey_responses_count",
		Description: "Counts the responses to a project's surveys. The map doesn't contain surveys without responses. To read a count, use " +
			"`lookup(data.posthog_survey_responses_count.all.counts, posthog_survey.nps.id, 0)`.",
		Attributes: map[string]schema.Attribute{
			"counts": schema.MapAttribute{
				ElementType: types.Int64Type, Computed: true,
				MarkdownDescription: "Number of responses by survey ID, including deleted surveys. Null if the HTTP response has no body.",
			},
		},
		Parent: framework.Project,
		Attempt: func(*responsesCountModel) framework.Attempt {
			return framework.Attempt{Verb: "read", Noun: "responses count of surveys"}
		},
		Request: requestCounts,
		Fill:    framework.DecodeBody(func(m *responsesCountModel, counts map[string]int64) { m.Counts = counts }),
	}.New()
}

func requestCounts(ctx context.Context, c *client.Client, m *responsesCountModel) (json.RawMessage, error) {
	counts, err := c.Surveys(m.ProjectID.ValueString()).ResponsesCount(ctx)
	if err != nil || counts == nil {
		return nil, err
	}
	return json.Marshal(counts)
}
