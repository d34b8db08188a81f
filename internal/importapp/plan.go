package importapp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// ModifyPlan implements resource.ResourceWithModifyPlan. It plans attributes that depend on each
// other, and runs the checks that need the prior state. Plan modifiers for single attributes are in
// the schema.
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
	if !isNew && attribute.IsMarked(ctx, req.Private, removedKey, &resp.Diagnostics) {
		planAfterRemoval(ctx, config, planned, prior, resp)
		return
	}

	if config.OrganizationID.IsNull() {
		planned.OrganizationID = framework.Organization.Plan(r.Data, prior.OrganizationID, displayName(prior.Fields), &resp.Diagnostics)
	}
	framework.Organization.Check(r.Data, planned.OrganizationID, &resp.Diagnostics)
	if isNew {
		planInstallation(config.Fields, &planned.Fields)
	} else {
		keepServiceValues(loadConfiguredNames(ctx, req.Private, &resp.Diagnostics), config.Fields, &planned.Fields, prior.Fields)
		keepInstalledType(config.Fields, &planned.Fields, prior.Fields)
	}

	checkCapabilities(planned.Fields, prior.Fields, &resp.Diagnostics)
	warnIfHidden(config.Fields, planned.Fields, prior.Fields, &resp.Diagnostics)
	checkEnumerations(planned.Fields, prior.Fields, &resp.Diagnostics)
	checkURL(config, planned, prior.Fields, &resp.Diagnostics)
	if isNew {
		warnOfMissingURL(planned.Fields, &resp.Diagnostics)
		r.foresee(ctx, planned.Fields, &resp.Diagnostics)
	}

	if resp.Diagnostics.HasError() {
		return
	}
	attribute.Encode(ctx, planned, objectType(), &resp.Plan.Raw, &resp.Diagnostics)
}

// listedKey is the key in [framework.Data.Existing] for an organization whose list this run has read.
type listedKey struct{ organization string }

// foresee adds an error for operations that the API key cannot perform in the organization of a planned app. Only an
// organization's first app sends requests.
func (r *Resource) foresee(ctx context.Context, planned Fields, diags *diag.Diagnostics) {
	organization := planned.OrganizationID.ValueString()
	if r.Data == nil || r.Client == nil || organization == "" || diags.HasError() {
		return
	}
	if _, isListed := r.Existing.LoadOrStore(listedKey{organization}, true); isListed {
		return
	}
	err := r.Client.PipelineImportApps(organization).CanList(ctx)
	attempt("create", planned).Foresee(ctx, r.Client, "plugin:write", err, diags)
}

// planInstallation plans values as unknown if PostHog may read them from the code of a new app that
// it installs from a URL.
func planInstallation(config Fields, planned *Fields) {
	if config.URL.IsNull() {
		return
	}

	configValues, values := attribute.FromStruct(&config), attribute.FromStruct(planned)
	for _, name := range []string{"plugin_type", "name", "description", "icon", "tag"} {
		if configValues[name].IsNull() {
			values[name] = types.StringUnknown()
		}
	}
	attribute.ToStruct(planned, values)
}

// keepInstalledType keeps the plugin_type that PostHog set, so that the plan does not treat it as
// removed from the configuration.
func keepInstalledType(config Fields, planned *Fields, prior Fields) {
	if config.PluginType.IsNull() && !prior.URL.IsNull() && prior.PluginType.Equal(installedType(prior.URL.ValueString())) {
		planned.PluginType = prior.PluginType
	}
}

// PostHog fills in values from an app's code, and its plugin server rewrites the capabilities
// later. If the configuration never contained a value, the provider does not reset it.

// configuredKey is the private state key that lists the attributes in the last applied
// configuration.
const configuredKey = "configured"

// serviceFilled are the attributes that PostHog may fill in.
var serviceFilled = []string{"plugin_type", "name", "description", "icon", "tag", "config_schema", "capabilities", "metrics", "public_jobs"}

func saveConfiguredNames(ctx context.Context, configured func(string) bool, private attribute.PrivateState, diags *diag.Diagnostics) {
	names := slices.DeleteFunc(slices.Clone(serviceFilled), func(name string) bool { return !configured(name) })
	attribute.SaveKey(ctx, private, configuredKey, names, false, diags)
}

// loadConfiguredNames returns the attributes in the last applied configuration. If the list cannot be
// read, it returns no attributes, so that no value is reset.
func loadConfiguredNames(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) []string {
	var names []string
	if json.Unmarshal(attribute.LoadKey(ctx, private, configuredKey, diags), &names) != nil {
		return nil
	}
	return names
}

// keepServiceValues keeps values that neither the configuration nor the last applied configuration
// contains. If a value was just removed from the configuration, the schema resets it.
func keepServiceValues(earlierNames []string, config Fields, planned *Fields, prior Fields) {
	configValues, values, priorValues := attribute.FromStruct(&config), attribute.FromStruct(planned), attribute.FromStruct(&prior)
	for _, name := range serviceFilled {
		if configValues[name].IsNull() && !slices.Contains(earlierNames, name) {
			values[name] = priorValues[name]
		}
	}
	attribute.ToStruct(planned, values)
}
