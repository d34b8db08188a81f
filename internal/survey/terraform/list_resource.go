package terraform

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	tflist "github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/check"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey/surveyschema"
)

var _ tflist.ListResourceWithConfigure = (*ListResource)(nil)

// ListResource is the list resource posthog_survey: the surveys of a project, for
// terraform query.
type ListResource struct{ providerdata.Resource }

type listResourceModel struct {
	ProjectID types.String `tfsdk:"project_id"`
	Name      types.String `tfsdk:"name"`
	Type      types.String `tfsdk:"type"`
	Archived  types.Bool   `tfsdk:"archived"`
	Status    types.String `tfsdk:"status"`
}

// NewListResource returns the list resource posthog_survey, not configured yet.
func NewListResource() tflist.ListResource { return &ListResource{} }

// Metadata implements tflist.ListResource.
func (l *ListResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_survey"
}

// ListResourceConfigSchema implements tflist.ListResource.
func (l *ListResource) ListResourceConfigSchema(_ context.Context, _ tflist.ListResourceSchemaRequest, resp *tflist.ListResourceSchemaResponse) {
	kinds, statuses := check.SurveyTypes.Values(), []string{survey.StatusDraft, survey.StatusRunning, survey.StatusCompleted}

	resp.Schema = schema.Schema{
		MarkdownDescription: "The surveys of a project, newest first; those that match every given filter. " +
			"Terraform stops at 100 of them unless the block has a `limit`.",
		Attributes: map[string]schema.Attribute{
			"project_id": schema.StringAttribute{Optional: true, MarkdownDescription: "Project to look in; the `project_id` of the provider when left out."},
			"name":       schema.StringAttribute{Optional: true, MarkdownDescription: "Only surveys whose name contains this text, in any letter case."},
			"type": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys of this type: `" + strings.Join(kinds, "`, `") + "`.",
				Validators: []validator.String{check.SurveyTypes},
			},
			"archived": schema.BoolAttribute{Optional: true, MarkdownDescription: "Only archived surveys, or only others. Both when left out."},
			"status": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Only surveys with this status: `" + strings.Join(statuses, "`, `") + "`.",
				Validators: []validator.String{attribute.OneOf(statuses...)},
			},
		},
	}
}

// List implements tflist.ListResource.
func (l *ListResource) List(ctx context.Context, req tflist.ListRequest, stream *tflist.ListResultsStream) {
	var filter listResourceModel
	diags := req.Config.Get(ctx, &filter)
	if diags.HasError() || !l.Ready(&diags) {
		stream.Results = tflist.ListResultsStreamDiagnostics(diags)
		return
	}

	project, ok := projectOf(l.Data, filter.ProjectID, &diags)
	if !ok {
		stream.Results = tflist.ListResultsStreamDiagnostics(diags)
		return
	}

	stream.Results = func(push func(tflist.ListResult) bool) {
		var waited diag.Diagnostics
		ctx, end := providerdata.Lookup(ctx, &waited)
		more := l.pushMatching(ctx, req, filter, project, push)
		end()

		// How long the list took is known at its end: a result of its own.
		if more && len(waited) > 0 {
			push(tflist.ListResult{Diagnostics: waited})
		}
	}
}

// pushMatching pushes the surveys that match, up to the limit, and reports whether more
// results may follow.
func (l *ListResource) pushMatching(
	ctx context.Context, req tflist.ListRequest, filter listResourceModel, project types.String, push func(tflist.ListResult) bool,
) bool {
	limited := providerdata.Limited{Limit: req.Limit, Plural: "surveys", Push: push}
	for one, err := range l.Client.Surveys(project.ValueString()).List(ctx, client.ListOptions{}) {
		fields, err := fromList(ctx, one, project, err)
		if err != nil {
			attempt := diagnose.Attempt{Verb: "list", Noun: "surveys", Parent: "project " + project.ValueString()}
			return limited.Fail(tflist.ListResult{Diagnostics: diag.Diagnostics{attempt.Diagnostic(err, nil)}})
		}
		if !filter.matches(fields) {
			continue
		}

		result := req.NewListResult(ctx)
		result.DisplayName = fields.Name.ValueString()
		setIdentity(ctx, result.Identity, fields, &result.Diagnostics)
		if req.IncludeResource {
			includeResource(ctx, fields, result.Resource, &result.Diagnostics)
		}
		if !limited.Add(result) {
			return false
		}
	}
	return limited.End()
}

// fromList converts an element of the list, unless the list itself failed.
func fromList(ctx context.Context, one api.Survey, project types.String, err error) (survey.Fields, error) {
	if err != nil {
		return survey.Fields{}, err
	}
	return survey.FromAPI(ctx, one, survey.Fields{ProjectID: project}, &attribute.Answer{})
}

// includeResource fills in the resource of a result, like the state of an import.
func includeResource(ctx context.Context, fields survey.Fields, into *tfsdk.Resource, diags *diag.Diagnostics) {
	var m survey.Model
	attribute.Decode(ctx, attribute.AllNull(ctx, surveyschema.ObjectType()), surveyschema.ObjectType(), &m, diags)
	if diags.HasError() {
		return
	}

	m.Fields = fields
	m.DeletionPolicy = types.StringValue(surveyschema.PolicyDelete)
	attribute.Encode(ctx, m, surveyschema.ObjectType(), &into.Raw, diags)
}

func (m listResourceModel) matches(f survey.Fields) bool {
	return strings.Contains(strings.ToLower(f.Name.ValueString()), strings.ToLower(m.Name.ValueString())) &&
		(m.Type.IsNull() || m.Type.Equal(f.Type)) &&
		(m.Archived.IsNull() || m.Archived.Equal(f.Archived)) &&
		(m.Status.IsNull() || m.Status.Equal(f.Status))
}
