package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// allowed are the projects and organizations that requests may be about.
func (p *Provider) allowed(config model) client.Allowed {
	return client.Allowed{
		ProjectIDs:      p.ids(config.AllowedProjectIDs, "allowed_project_ids"),
		OrganizationIDs: p.ids(config.AllowedOrganizationIDs, "allowed_organization_ids"),
	}
}

// ids are those of the configuration, else of the environment.
func (p *Provider) ids(configured types.Set, setting string) []string {
	if configured.IsNull() {
		return client.ParseIDs(p.Getenv(client.Variable(setting)))
	}

	var ids []string
	for _, element := range configured.Elements() {
		if id, ok := element.(types.String); ok {
			ids = append(ids, id.ValueString())
		}
	}
	return ids
}

// checkDefaults refuses a project or an organization of the provider that is not allowed, so
// that one error stands for all objects in it.
func checkDefaults(data *providerdata.Data, diags *diag.Diagnostics) {
	if data.ProjectID != "" {
		data.CheckProject(types.StringValue(data.ProjectID), diags)
	}
	if data.OrganizationID != "" {
		data.CheckOrganization(types.StringValue(data.OrganizationID), diags)
	}
}

// someIDs is the validator of sets of ids. An empty set would allow everything, which nobody
// means by it.
type someIDs struct{}

// Description implements validator.Describer.
func (someIDs) Description(context.Context) string { return "at least one id" }

// MarkdownDescription implements validator.Describer.
func (v someIDs) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateSet implements validator.Set.
func (someIDs) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}

	title := fmt.Sprintf("Invalid %s", req.Path)
	if len(req.ConfigValue.Elements()) == 0 {
		resp.Diagnostics.AddAttributeError(req.Path, title, fmt.Sprintf("%s is empty, so that nothing would be allowed. Leave it out, or set it to null, to allow everything.", req.Path))
	}
	for _, element := range req.ConfigValue.Elements() {
		// The path ends at the set: not every CLI takes a path into one.
		if id, ok := element.(types.String); ok && !id.IsUnknown() && strings.TrimSpace(id.ValueString()) == "" {
			resp.Diagnostics.AddAttributeError(req.Path, title, fmt.Sprintf("%s has an id that is null or empty.", req.Path))
			return
		}
	}
}
