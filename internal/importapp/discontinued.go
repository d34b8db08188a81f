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

// The service is going to remove import apps. Then their state stays as it is, and nothing is
// planned that cannot be carried out: an error at plan would hold up everything else in the
// configuration.

// removedKey is the key of the private state that remembers that the last read found the
// service without import apps. An apply plans once more, without a read, and has to come to
// what was planned: so what a plan goes by is part of the state.
const removedKey = "removed"

// keepInState leaves an app in the state that the service has removed with all others.
func keepInState(ctx context.Context, prior Fields, err error, resp *resource.ReadResponse) {
	attribute.Mark(ctx, resp.Private, removedKey, true, &resp.Diagnostics)
	resp.Diagnostics.Append(attempt("read", prior).Removed(err)...)
	framework.SetIdentity(ctx, resp.Identity, newIdentity(prior), &resp.Diagnostics)
}

// planAfterRemoval plans what can be applied to an app that the service has removed: what is never
// sent, such as timeouts.
func planAfterRemoval(ctx context.Context, config, planned, prior Model, resp *resource.ModifyPlanResponse) {
	planned.Fields = unchangedFields(config.Fields, prior.Fields)
	if !config.URLQueryWOVersion.IsNull() && !prior.URLQueryWOVersion.IsNull() {
		planned.URLQueryWOVersion = prior.URLQueryWOVersion
	}
	attribute.Encode(ctx, planned, objectType(), &resp.Plan.Raw, &resp.Diagnostics)
}

// unchangedFields are the prior values, as far as Terraform accepts them in a plan: it insists
// on the configured value of an attribute that was null. The update then fails.
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

// requiresReplaceWhileAvailable replaces an app whose configured value changes. One that the service
// has removed would be lost from the state, and not be created again.
func requiresReplaceWhileAvailable() planmodifier.String {
	const description = "Changing this forces a new app."
	return stringplanmodifier.RequiresReplaceIf(func(ctx context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = !req.ConfigValue.IsNull() && !attribute.IsMarked(ctx, req.Private, removedKey, &resp.Diagnostics)
	}, description, description)
}
