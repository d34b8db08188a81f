package importapp

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// PostHog is going to remove import apps. Once it has, the provider keeps their state unchanged,
// and plans nothing that cannot be applied. An error in the plan would block the rest of the
// configuration.

// planAfterRemoval plans only changes that need no request, such as timeouts, because PostHog has
// removed import apps.
func planAfterRemoval(c *appCall) {
	c.Planned.Fields = unchangedFields(c.Config.Fields, c.Prior.Fields)
	if !c.Config.URLQueryWOVersion.IsNull() && !c.Prior.URLQueryWOVersion.IsNull() {
		c.Planned.URLQueryWOVersion = c.Prior.URLQueryWOVersion
	}
}

// unchangedFields returns the prior values, where Terraform accepts them in a plan. If an
// attribute was null, Terraform requires its configured value. The update then fails.
func unchangedFields(config, prior Fields) Fields {
	configValues, values := attribute.FromStruct(&config), attribute.FromStruct(&prior)
	for _, name := range slices.Concat(serviceFilled, []string{"url", "is_global"}) {
		if values[name].IsNull() {
			values[name] = configValues[name]
		}
	}
	planned := prior
	attribute.ToStruct(&planned, values)
	return planned
}

// requiresReplaceWhileAvailable replaces an app when the configured value changes, unless PostHog
// has removed import apps. In that case, a replacement would remove the app from the state without
// creating a new one.
func requiresReplaceWhileAvailable() planmodifier.String {
	const description = "Changing this forces a new app."
	return stringplanmodifier.RequiresReplaceIf(func(ctx context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = !req.ConfigValue.IsNull() && !attribute.IsMarked(ctx, req.Private, removedKey, &resp.Diagnostics)
	}, description, description)
}
