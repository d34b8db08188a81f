package importapp

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// A state needs no token: the service takes it with a create and never returns it. So
// Terraform 1.11 and later hand it over with the call that creates the app and keep nothing.
// What they cannot compare any more, a number in the configuration stands for.

// urlQueryWOAttribute is urlQueryAttribute for a value that no plan and no state holds.
func urlQueryWOAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Sensitive: true, WriteOnly: true,
		MarkdownDescription: "Query of `url` like `url_query`, and in no plan and no state: it may come from an ephemeral variable or resource. " +
			"Needs Terraform 1.11 or OpenTofu 1.11, and `url_query_wo_version` beside it.",
		Validators: []validator.String{attribute.AlsoRequires("url"), attribute.AlsoRequires("url_query_wo_version")},
	}
}

// urlQueryWOVersionAttribute says when another token is meant. The service takes one with a
// create alone, so that is a new app.
func urlQueryWOVersionAttribute() schema.Int64Attribute {
	return schema.Int64Attribute{
		Optional: true,
		MarkdownDescription: "A number for the value of `url_query_wo`, which Terraform cannot compare. Another number replaces the app, " +
			"since the service takes the query only with a create: change it to have the app installed with a new token. A new value under the " +
			"same number changes nothing. Setting it for an app that has none, as when `url_query` moves to `url_query_wo`, or removing it, changes the state alone.",
		Validators: []validator.Int64{attribute.NumberAlsoRequires("url_query_wo")},
		PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIf(
			replacesOtherVersion, "Another number replaces the app.", "Another number replaces the app.",
		)},
	}
}

// replacesOtherVersion replaces an app whose token is to be another one. The first number
// says nothing of the token that the app was created with, and to forget it takes none away.
func replacesOtherVersion(ctx context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull() && !req.PlanValue.IsNull() && !isRemoved(ctx, req.Private, &resp.Diagnostics)
}

// withWriteOnly is a planned app with the value of url_query_wo, which a configuration alone
// holds.
func (m Model) withWriteOnly(config Model) Model {
	m.URLQueryWO = config.URLQueryWO
	return m
}
