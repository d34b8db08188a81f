package importapp

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/diagnose"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

var _ list.ListResourceWithConfigure = (*ListResource)(nil)

// ListResource is the list resource posthog_pipeline_import_app: the import apps that
// an organization owns, for terraform query.
type ListResource struct{ providerdata.Resource }

type listResourceModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	Name           types.String `tfsdk:"name"`
	PluginType     types.String `tfsdk:"plugin_type"`
}

// NewListResource returns the list resource posthog_pipeline_import_app, not
// configured yet.
func NewListResource() list.ListResource { return &ListResource{} }

// Metadata implements list.ListResource.
func (l *ListResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_pipeline_import_app"
}

// ListResourceConfigSchema implements list.ListResource.
func (l *ListResource) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The pipeline import apps that an organization owns; those that match every given filter. " +
			"Terraform stops at 100 of them unless the block has a `limit`. " +
			"Global apps of other organizations cannot be managed and are left out.",
		Attributes: map[string]schema.Attribute{
			"organization_id": schema.StringAttribute{Optional: true, MarkdownDescription: "Organization to look in; the `organization_id` of the provider when left out."},
			"name":            schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps whose name contains this text, in any letter case."},
			"plugin_type":     schema.StringAttribute{Optional: true, MarkdownDescription: "Only apps of this type."},
		},
	}
}

// List implements list.ListResource.
func (l *ListResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var filter listResourceModel
	diags := req.Config.Get(ctx, &filter)
	if diags.HasError() || !l.Ready(&diags) {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}

	organization, ok := organizationOf(l.Data, filter.OrganizationID, &diags)
	if !ok {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}

	stream.Results = func(push func(list.ListResult) bool) {
		var waited diag.Diagnostics
		ctx, end := providerdata.Lookup(ctx, &waited)
		more := l.pushMatching(ctx, req, filter, organization, push)
		end()

		// How long the list took is known at its end: a result of its own.
		if more && len(waited) > 0 {
			push(list.ListResult{Diagnostics: waited})
		}
	}
}

// pushMatching pushes the apps that match, up to the limit, and reports whether more
// results may follow.
func (l *ListResource) pushMatching(
	ctx context.Context, req list.ListRequest, filter listResourceModel, organization types.String, push func(list.ListResult) bool,
) bool {
	limited := providerdata.Limited{Limit: req.Limit, Plural: "pipeline import apps", Push: push}
	for one, err := range l.Client.PipelineImportApps(organization.ValueString()).List(ctx, client.ListOptions{}) {
		if err != nil {
			attempt := diagnose.Attempt{Verb: "list", Noun: "pipeline import apps", Parent: "organization " + organization.ValueString()}
			return limited.Fail(list.ListResult{Diagnostics: diag.Diagnostics{attempt.Diagnostic(err, nil)}})
		}

		m := FromAPI(one, Fields{OrganizationID: organization}, &attribute.Answer{})
		if !filter.matches(m) || ForeignOwner(one, organization.ValueString()) != "" {
			continue
		}

		result := req.NewListResult(ctx)
		result.DisplayName = m.Name.ValueString()
		setIdentity(ctx, result.Identity, m, &result.Diagnostics)
		if req.IncludeResource {
			includeResource(ctx, m, result.Resource, &result.Diagnostics)
		}
		if !limited.Add(result) {
			return false
		}
	}
	return limited.End()
}

// includeResource fills the resource of a result as an import fills a state.
func includeResource(ctx context.Context, m Fields, into *tfsdk.Resource, diags *diag.Diagnostics) {
	var model Model
	attribute.Decode(ctx, attribute.AllNull(ctx, objectType()), objectType(), &model, diags)
	if diags.HasError() {
		return
	}

	model.Fields = m
	attribute.Encode(ctx, model, objectType(), &into.Raw, diags)
}

func (f listResourceModel) matches(m Fields) bool {
	return strings.Contains(strings.ToLower(m.Name.ValueString()), strings.ToLower(f.Name.ValueString())) &&
		(f.PluginType.IsNull() || f.PluginType.Equal(m.PluginType))
}
