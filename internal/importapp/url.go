package importapp

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// shownURL is an address as the service shows it: without the query, which may hold
// a private token.
func shownURL(address string) string {
	shown, _, _ := strings.Cut(address, "?")
	return shown
}

// sameURL reports whether a configured address may be the prior one: a state that
// came from the service alone does not know the query. Two queries that are both
// known and differ are two addresses.
func sameURL(prior, configured string) bool {
	return prior == configured || prior == shownURL(configured)
}

// urlFromAPI keeps the prior spelling of an address that the service returns without
// its query.
func urlFromAPI(a *attribute.Response, field nullable.Nullable[string], prior types.String) types.String {
	served, err := field.Get()
	isKnown := !prior.IsNull() && !prior.IsUnknown()
	switch {
	case err == nil && isKnown && (served == shownURL(prior.ValueString()) || shownURL(served) == prior.ValueString()):
		return prior
	case err == nil && !isKnown && holdsToken(served):
		// A service that does return the query: a plan would show the token.
		field.Set(shownURL(served))
	}
	return attribute.String(a, "url", field, prior)
}

// installedType is the plugin_type that the service gives by itself to an app that
// it installs from an address.
func installedType(address string) types.String {
	if strings.HasPrefix(address, "file:") {
		return types.StringValue(string(api.Local))
	}
	return types.StringValue(string(api.Custom))
}

// keepURL plans a url that the configuration omits: none for a new app, for
// another one what it has. The service cannot change an address, and a replacement
// without being asked would be worse than an address that is not in the state.
type keepURL struct{}

// Description implements planmodifier.Describer.
func (keepURL) Description(context.Context) string {
	return "Removing it from the configuration changes nothing."
}

// MarkdownDescription implements planmodifier.Describer.
func (k keepURL) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (keepURL) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.ConfigValue.IsNull() {
		resp.PlanValue = req.StateValue
	}
}

// explainMissingURL adds to a failed create why the hosted service fails on an app
// without an address.
func explainMissingURL(planned Fields, err error, diags *diag.Diagnostics) {
	if client.IsValidation(err) || client.IsForbidden(err) || client.IsUnauthorized(err) {
		return
	}
	warnOfMissingURL(planned, diags)
}

// warnOfMissingURL warns that the hosted service fails on a new app without an address. It
// is no error: the documented interface takes one.
func warnOfMissingURL(planned Fields, diags *diag.Diagnostics) {
	if !planned.URL.IsNull() || planned.PluginType.IsUnknown() || planned.PluginType.ValueString() == string(api.Source) {
		return
	}
	diags.AddAttributeWarning(path.Root("url"), titleOf("The import app has no address", planned),
		"url is not set, and plugin_type is not \"source\". The hosted service fails on such an app with a server error: "+
			"set the url that it is installed from, or plugin_type = \"source\" for one whose code is written in the web interface.")
}
