package importapp

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider/providerdata"
)

// ModifyPlan implements resource.ResourceWithModifyPlan: what one attribute means
// for another, and checks that need the prior state. What concerns one attribute
// alone is with it in the schema.
func (r *Resource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}

	var config, planned, prior Model
	attribute.Decode(ctx, req.Config.Raw, objectType(), &config, &resp.Diagnostics)
	attribute.Decode(ctx, req.Plan.Raw, objectType(), &planned, &resp.Diagnostics)
	isNew := req.State.Raw.IsNull()
	if !isNew {
		attribute.Decode(ctx, req.State.Raw, objectType(), &prior, &resp.Diagnostics)
	}

	if resp.Diagnostics.HasError() {
		return
	}

	r.planOrganization(config.Fields, &planned.Fields, prior.Fields, &resp.Diagnostics)
	var served jsontypes.Normalized
	if isNew {
		planInstallation(config.Fields, &planned.Fields)
	} else {
		keepServiceValues(loadConfigured(ctx, req.Private, &resp.Diagnostics), config.Fields, &planned.Fields, prior.Fields)
		keepInstalledType(config.Fields, &planned.Fields, prior.Fields)
		served = loadServed(ctx, req.Private, &resp.Diagnostics)
	}

	checkCapabilities(planned.Fields, prior.Fields, served, &resp.Diagnostics)
	warnIfHidden(config.Fields, planned.Fields, prior.Fields, &resp.Diagnostics)
	checkEnumerations(planned.Fields, prior.Fields, &resp.Diagnostics)
	checkURL(config, planned, prior.Fields, &resp.Diagnostics)
	if isNew {
		warnOfMissingURL(planned.Fields, &resp.Diagnostics)
	}

	if resp.Diagnostics.HasError() {
		return
	}
	attribute.Encode(ctx, planned, objectType(), &resp.Plan.Raw, &resp.Diagnostics)
}

// planOrganization plans the organization of an app whose configuration leaves it
// to the provider. A provider that names another organization than before moves
// nothing: a changed environment variable must not destroy apps.
func (r *Resource) planOrganization(config Fields, planned *Fields, prior Fields, diags *diag.Diagnostics) {
	if !config.OrganizationID.IsNull() {
		return
	}

	organization := ""
	if r.Data != nil {
		organization = r.OrganizationID
	}

	switch {
	case !prior.OrganizationID.IsNull():
		planned.OrganizationID = prior.OrganizationID
		if organization != "" && organization != prior.OrganizationID.ValueString() {
			// One title for all apps, so that Terraform folds the warnings of one cause.
			diags.AddAttributeWarning(path.Root("organization_id"), fmt.Sprintf("The provider's organization is %s, and import apps stay in organization %s", organization, prior.OrganizationID.ValueString()),
				fmt.Sprintf("The provider's organization is %s, but the import app %s is in organization %s and stays there. "+
					"To move it, set organization_id in the resource: that replaces the app.",
					organization, displayName(prior), prior.OrganizationID.ValueString()))
		}
	case organization != "":
		planned.OrganizationID = types.StringValue(organization)
	case r.Data == nil || r.Client == nil:
		planned.OrganizationID = types.StringUnknown()
	default:
		providerdata.MissingOrganization(diags)
	}
}

// planInstallation leaves open what the service may read from the code of a new app
// that it installs from an address.
func planInstallation(config Fields, planned *Fields) {
	if config.URL.IsNull() {
		return
	}

	for _, one := range []struct {
		planned *types.String
		config  types.String
	}{
		{&planned.PluginType, config.PluginType},
		{&planned.Name, config.Name},
		{&planned.Description, config.Description},
		{&planned.Icon, config.Icon},
		{&planned.Tag, config.Tag},
	} {
		if one.config.IsNull() {
			*one.planned = types.StringUnknown()
		}
	}
}

// keepInstalledType keeps the plugin_type that the service gave by itself, which is
// no value that was taken out of the configuration.
func keepInstalledType(config Fields, planned *Fields, prior Fields) {
	if config.PluginType.IsNull() && !prior.URL.IsNull() && prior.PluginType.Equal(installedType(prior.URL.ValueString())) {
		planned.PluginType = prior.PluginType
	}
}
