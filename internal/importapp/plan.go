package importapp

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// plan plans attributes that depend on each other, and runs the checks that need the prior state.
func (r *Resource) plan(ctx context.Context, c *appCall) {
	if c.IsDestroy {
		return
	}
	var memory appMemory
	if !c.IsNew {
		memory = loadMemory(ctx, c.Private, c.Prior.Fields, c.Diags)
	}
	if memory.IsRemoved {
		planAfterRemoval(c)
		return
	}

	config, planned, prior := c.Config, &c.Planned, c.Prior
	if config.OrganizationID.IsNull() {
		planned.OrganizationID = framework.Organization.Plan(r.Data, prior.OrganizationID, displayName(prior.Fields), c.Diags)
	}
	framework.Organization.Check(r.Data, planned.OrganizationID, c.Diags)
	if c.IsNew {
		planInstallation(config.Fields, &planned.Fields)
	} else {
		keepServiceValues(memory.Configured, config.Fields, &planned.Fields, prior.Fields)
		keepInstalledType(config.Fields, &planned.Fields, prior.Fields)
	}

	checkCapabilities(planned.Fields, prior.Fields, c.Diags)
	warnIfHidden(config.Fields, planned.Fields, prior.Fields, c.Diags)
	checkEnumerations(planned.Fields, prior.Fields, c.Diags)
	checkURL(config, *planned, prior.Fields, c.Diags)
	if c.IsNew {
		warnOfMissingURL(planned.Fields, c.Diags)
		r.foresee(ctx, planned.Fields, c.Diags)
	}
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

// serviceFilled are the attributes that PostHog may fill in.
var serviceFilled = []string{"plugin_type", "name", "description", "icon", "tag", "config_schema", "capabilities", "metrics", "public_jobs"}

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
