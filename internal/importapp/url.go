package importapp

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// shownURL returns a URL as PostHog shows it: without the query, which may contain a private token.
func shownURL(address string) string {
	baseURL, _, _ := strings.Cut(address, "?")
	return baseURL
}

// sameURL reports whether a configured URL may equal the prior one. A state that comes only from
// PostHog does not contain the query. If both queries are known and differ, the URLs are different.
func sameURL(prior, configured string) bool {
	return prior == configured || prior == shownURL(configured)
}

// urlFromAPI keeps the prior spelling of a URL that PostHog returns without its query.
func urlFromAPI(a *attribute.Response, field nullable.Nullable[string], prior types.String) types.String {
	served, err := field.Get()
	isKnown := !prior.IsNull() && !prior.IsUnknown()
	switch {
	case err == nil && isKnown && (served == shownURL(prior.ValueString()) || shownURL(served) == prior.ValueString()):
		return prior
	case err == nil && !isKnown && holdsToken(served):
		// If a server does return the query, a plan would show the token.
		field.Set(shownURL(served))
	}
	return attribute.String(a, "url", field, prior)
}

// installedType returns the plugin_type that PostHog sets for an app that it installs from a URL.
func installedType(address string) types.String {
	if strings.HasPrefix(address, "file:") {
		return types.StringValue(string(api.Local))
	}
	return types.StringValue(string(api.Custom))
}

// keepURL plans a URL that the configuration omits: null for a new app, and otherwise the current
// one. PostHog cannot change a URL, and an unexpected replacement would be worse than a URL that the
// configuration lacks.
var keepURL = attribute.PlannedString{
	Says: "If omitted, the app keeps its URL.",
	Plan: func(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
		if req.ConfigValue.IsNull() {
			resp.PlanValue = req.StateValue
		}
	},
}

// warnOfMissingURL warns that PostHog cannot create an app without a URL. The diagnostic is not an
// error, because the API document allows such an app.
func warnOfMissingURL(planned Fields, diags *diag.Diagnostics) {
	if !planned.URL.IsNull() || planned.PluginType.IsUnknown() || planned.PluginType.ValueString() == string(api.Source) {
		return
	}
	diags.AddAttributeWarning(path.Root("url"), warningTitle("The import app has no url", planned),
		"url is not set, and plugin_type is not \"source\". PostHog fails on such an app with a server error. "+
			"Set url to the URL that the app is installed from, or set plugin_type = \"source\" if you write its code in PostHog.")
}

// Terraform prints url in every plan. A token for a private repository therefore belongs in a
// separate attribute, which Terraform never shows.

// urlQueryAttribute returns the attribute for the query of the URL. PostHog accepts it only in a
// create and never returns it, so a rotated token does not replace the app.
func urlQueryAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, Sensitive: true,
		MarkdownDescription: "Query of `url`, without the question mark. Use it for the token of a private repository, as in " +
			"`\"private_token=${var.token}\"`. PostHog reads it only when it installs the app, so changing it later has no effect. " +
			"The state contains it in plain text. With Terraform 1.11 or later, use `url_query_wo` instead.",
		Validators:    []validator.String{attribute.AlsoRequires("url"), attribute.ConflictsWith("url_query_wo")},
		PlanModifiers: []planmodifier.String{keepURLQuery},
	}
}

// keepURLQuery plans the query with which the app was created, because another query would have no
// effect. For an imported app, it stores the configured query in the state without a request. If
// the query moved to url_query_wo, keepURLQuery removes it from the state.
var keepURLQuery = attribute.PlannedString{
	Says: "PostHog reads it only when it creates the app.",
	Plan: func(ctx context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
		var writeOnly types.String
		resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("url_query_wo"), &writeOnly)...)
		switch {
		case !writeOnly.IsNull():
			resp.PlanValue = types.StringNull()
		case req.ConfigValue.IsNull() || !req.StateValue.IsNull():
			resp.PlanValue = req.StateValue
		}
	},
}

// checkURL rejects a token that the plan would show. If the state already contains the token, plans
// that leave the token unchanged do not show it.
func checkURL(config, planned Model, prior Fields, diags *diag.Diagnostics) {
	if planned.URL.IsNull() || planned.URL.IsUnknown() || planned.URL.Equal(prior.URL) {
		return
	}
	address := planned.URL.ValueString()
	switch {
	case holdsToken(address):
		// For an error on an attribute, Terraform would print the configuration line.
		diags.AddError("Token in url",
			"url contains a query, a user name, or a fragment that looks like a token, and Terraform prints url in plans and logs. Move the token to url_query, "+
				"which is sensitive, or to url_query_wo, which is never stored in the state:\n\nurl       = \""+titleURL(address)+"\"\nurl_query = \"private_token=${var.token}\"")
	case !hasScheme(address):
		diags.AddAttributeError(path.Root("url"), "Invalid url",
			fmt.Sprintf("url is %q, which has no scheme, and PostHog fails on it with a server error. Use a URL such as:\n  url = %q", address, "https://"+strings.TrimLeft(address, "/:")))
	case strings.Contains(address, "?") && !config.URLQueryWO.IsNull():
		refuseTwoQueries("url_query_wo", diags)
	case strings.Contains(address, "?") && !planned.URLQuery.IsNull():
		refuseTwoQueries("url_query", diags)
	}
}

// hasScheme reports whether a URL starts with a scheme, such as https: or file:.
func hasScheme(address string) bool {
	parsed, err := url.Parse(strings.TrimSpace(address))
	return err == nil && parsed.Scheme != "" && (parsed.Host != "" || parsed.Path != "")
}

func refuseTwoQueries(name string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(name), "Query in both url and "+name,
		name+" is set, and url also contains a query. Move the whole query to "+name+".")
}

// query returns the query to append to the URL, without the question mark.
func (m Model) query() string {
	value := m.URLQuery
	if attribute.IsKnown(m.URLQueryWO) {
		value = m.URLQueryWO
	}
	return strings.TrimPrefix(value.ValueString(), "?")
}

// withQuery returns the fields with the URL from which PostHog reads the code.
func withQuery(planned Model) Fields {
	m := planned.Fields
	if query := planned.query(); query != "" {
		m.URL = types.StringValue(m.URL.ValueString() + "?" + query)
	}
	return m
}

// The state does not need the token, because PostHog accepts it only in a create and never returns
// it. Terraform 1.11 and later pass a write-only value to the create and do not store it. Terraform
// cannot compare such values, so a version number in the configuration indicates a change.

// urlQueryWOAttribute is the write-only variant of [urlQueryAttribute]. It is not marked as
// sensitive: if the schema had a sensitive mark that an older state lacks, Terraform would plan an
// update without any differences.
func urlQueryWOAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, WriteOnly: true,
		MarkdownDescription: "Query of `url`, like `url_query`, but never stored in a plan or in the state. The value can come from an ephemeral variable or resource. " +
			"Requires Terraform 1.11 or OpenTofu 1.11, or later, and `url_query_wo_version`.",
		Validators: []validator.String{attribute.AlsoRequires("url"), attribute.AlsoRequires("url_query_wo_version")},
	}
}

// urlQueryWOVersionAttribute returns the attribute that indicates a new token. PostHog accepts a
// token only in a create, so a change replaces the app.
func urlQueryWOVersionAttribute() schema.Int64Attribute {
	return schema.Int64Attribute{
		Optional: true,
		MarkdownDescription: "Version of `url_query_wo`. Terraform can't detect changes to a write-only argument, so increase this number whenever you change the token. " +
			"Changing this forces a new app, because PostHog reads the query only when it installs an app. " +
			"Adding or removing this argument changes only the state.",
		Validators: []validator.Int64{attribute.NumberAlsoRequires("url_query_wo")},
		PlanModifiers: []planmodifier.Int64{int64planmodifier.RequiresReplaceIf(
			replacesOtherVersion, "Changing this forces a new app.", "Changing this forces a new app.",
		)},
	}
}

// replacesOtherVersion replaces an app if its token changes. Setting the first version number does
// not indicate a new token, and removing the number does not revoke one.
func replacesOtherVersion(ctx context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull() && !req.PlanValue.IsNull() && !attribute.IsMarked(ctx, req.Private, removedKey, &resp.Diagnostics)
}

// withWriteOnly returns a planned app with the value of url_query_wo, which only the configuration
// contains.
func (m Model) withWriteOnly(config Model) Model {
	m.URLQueryWO = config.URLQueryWO
	return m
}

// secretKey matches the names of parameters that contain secrets.
var secretKey = regexp.MustCompile(`(?i)token|secret|password|passwd|key|auth|credential`)

// accessToken matches the tokens of code hosts.
var accessToken = regexp.MustCompile(`^(gh[a-z]_|github_pat_|glpat-|phx_)`)

// holdsToken reports whether a URL has a part that looks like a token: a user, or a parameter in
// the query or the fragment. If a part cannot be parsed, holdsToken assumes that it contains a
// token.
func holdsToken(address string) bool {
	base, fragment, _ := strings.Cut(address, "#")
	base, query, _ := strings.Cut(base, "?")
	return userInfo(base) != "" || hasSecret(query) || hasSecret(fragment)
}

func hasSecret(parameters string) bool {
	values, err := url.ParseQuery(parameters)
	if err != nil {
		return true
	}
	for name := range values {
		if secretKey.MatchString(name) || accessToken.MatchString(name) {
			return true
		}
	}
	return false
}

// userInfo returns the part before the host of an HTTP URL: a token, or a user name with a token.
// For SSH, this part is not secret.
func userInfo(address string) string {
	scheme, rest, hasScheme := strings.Cut(address, "://")
	if !hasScheme || !strings.HasPrefix(strings.ToLower(scheme), "http") {
		return ""
	}
	authority, _, _ := strings.Cut(rest, "/")
	index := strings.LastIndexByte(authority, '@')
	return authority[:max(index, 0)]
}

// titleURL returns a URL for a diagnostic's title, without the parts that may contain a token.
func titleURL(address string) string {
	address, _, _ = strings.Cut(shownURL(address), "#")
	if user := userInfo(address); user != "" {
		return strings.Replace(address, user+"@", "", 1)
	}
	return address
}

// secrets returns an app's values that errors must not contain: the query and all parts of the
// URL that may contain a token, both whole and separately.
func (m Model) secrets() []string {
	query := m.query()
	base, fragment, _ := strings.Cut(m.URL.ValueString(), "#")
	base, inURL, _ := strings.Cut(base, "?")
	user := userInfo(base)
	_, password, _ := strings.Cut(user, ":")

	secrets := []string{query, fragment, user, password}
	for _, parameters := range []string{query, inURL, fragment} {
		for parameter := range strings.FieldsFuncSeq(parameters, func(r rune) bool { return r == '&' || r == ';' }) {
			name, value, _ := strings.Cut(parameter, "=")
			if parameters != inURL || secretKey.MatchString(name) {
				decoded, _ := url.QueryUnescape(value) // a value that cannot be decoded occurs only unchanged
				secrets = append(secrets, value, decoded)
			}
		}
	}
	return secrets
}
