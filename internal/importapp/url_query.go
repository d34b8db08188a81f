package importapp

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// Terraform prints url in every plan. The token with which the service reads a private
// repository goes into an attribute of its own, which Terraform never shows.

// urlQueryAttribute holds the query of the url. The service takes it with a create and
// never returns it, so a rotated token replaces nothing.
func urlQueryAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, Sensitive: true,
		MarkdownDescription: "Query of `url`, without the question mark: the place for the token of a private repository, as in " +
			"`\"private_token=${var.token}\"`. Sent when the app is created; a later change has no effect on the service. " +
			"It is in the state in plain text: prefer `url_query_wo` with Terraform 1.11 and later.",
		Validators:    []validator.String{attribute.AlsoRequires("url"), attribute.ConflictsWith("url_query_wo")},
		PlanModifiers: []planmodifier.String{keepURLQuery{}},
	}
}

// keepURLQuery plans the query with which the app was created: another one would change
// nothing. Of an app that was imported it is written into the state, without a request. One
// that moved to url_query_wo leaves the state.
type keepURLQuery struct{}

// Description implements planmodifier.Describer.
func (keepURLQuery) Description(context.Context) string {
	return "It counts when the app is created."
}

// MarkdownDescription implements planmodifier.Describer.
func (k keepURLQuery) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (keepURLQuery) PlanModifyString(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	var writeOnly types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("url_query_wo"), &writeOnly)...)
	if !writeOnly.IsNull() {
		resp.PlanValue = types.StringNull()
		return
	}

	if req.ConfigValue.IsNull() || !req.StateValue.IsNull() {
		resp.PlanValue = req.StateValue
	}
}

// checkURL refuses a token that the plan would show. What the state holds already is
// shown by no plan that leaves it alone.
func checkURL(config, planned Model, prior Fields, diags *diag.Diagnostics) {
	if planned.URL.IsNull() || planned.URL.IsUnknown() || planned.URL.Equal(prior.URL) {
		return
	}
	address := planned.URL.ValueString()
	switch {
	case holdsToken(address):
		// Below an error of an attribute, Terraform prints the line of the configuration.
		diags.AddError("Token in url",
			"url has a query, a user or a fragment that looks like a token, and Terraform prints url in plans and logs. Move the token to url_query, "+
				"which is sensitive, or to url_query_wo, which is in no state:\n\nurl       = \""+titleURL(address)+"\"\nurl_query = \"private_token=${var.token}\"")
	case strings.Contains(address, "?") && !config.URLQueryWO.IsNull():
		refuseTwoQueries("url_query_wo", diags)
	case strings.Contains(address, "?") && !planned.URLQuery.IsNull():
		refuseTwoQueries("url_query", diags)
	}
}

func refuseTwoQueries(name string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(name), "Query in both url and "+name,
		name+" is set, and url has a query of its own. Put all of it into "+name+".")
}

// query is the query that is sent behind the url, without the question mark.
func (m Model) query() string {
	given := m.URLQuery
	if attribute.IsKnown(m.URLQueryWO) {
		given = m.URLQueryWO
	}
	return strings.TrimPrefix(given.ValueString(), "?")
}

// withQuery is the model whose url is the address that the service is to read from.
func withQuery(planned Model) Fields {
	m := planned.Fields
	if query := planned.query(); query != "" {
		m.URL = types.StringValue(m.URL.ValueString() + "?" + query)
	}
	return m
}
