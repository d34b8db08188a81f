package importapp

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
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
	if !isNew && isRemoved(ctx, req.Private, &resp.Diagnostics) {
		planRemoved(ctx, config, planned, prior, resp)
		return
	}

	r.planOrganization(config.Fields, &planned.Fields, prior.Fields, &resp.Diagnostics)
	r.CheckOrganization(planned.OrganizationID, &resp.Diagnostics)
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
		r.warnOfRemoved(planned.Fields, &resp.Diagnostics)
	}

	if resp.Diagnostics.HasError() {
		return
	}
	attribute.Encode(ctx, planned, objectType(), &resp.Plan.Raw, &resp.Diagnostics)
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
