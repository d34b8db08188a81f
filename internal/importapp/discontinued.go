package importapp

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// PostHog is going to remove import apps. Once it has, the provider keeps their state unchanged,
// and plans nothing that cannot be applied. An error in the plan would block the rest of the
// configuration.

// removedKey is the private state key that records whether the last read found that PostHog had
// removed import apps. An apply plans again without a read, and must produce the same plan, so the
// plan may depend only on the state.
const removedKey = "removed"

// keepInState keeps an app in the state although PostHog has removed all import apps.
func keepInState(ctx context.Context, prior Fields, err error, resp *resource.ReadResponse) {
	attribute.Mark(ctx, resp.Private, removedKey, true, &resp.Diagnostics)
	resp.Diagnostics.Append(attempt("read", prior).RemovalWarning(err)...)
	framework.SetIdentity(ctx, resp.Identity, newIdentity(prior), &resp.Diagnostics)
}

// planAfterRemoval plans only changes that need no request, such as timeouts, because PostHog has
// removed import apps.
func planAfterRemoval(ctx context.Context, config, planned, prior Model, resp *resource.ModifyPlanResponse) {
	planned.Fields = unchangedFields(config.Fields, prior.Fields)
	if !config.URLQueryWOVersion.IsNull() && !prior.URLQueryWOVersion.IsNull() {
		planned.URLQueryWOVersion = prior.URLQueryWOVersion
	}
	attribute.Encode(ctx, planned, objectType(), &resp.Plan.Raw, &resp.Diagnostics)
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
