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

// shownURL is an address as the service shows it: without the query, which may hold
// a private token.
func shownURL(address string) string {
	baseURL, _, _ := strings.Cut(address, "?")
	return baseURL
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
var keepURL = attribute.PlannedString{
	Says: "If omitted, the app keeps its URL.",
	Plan: func(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
		if req.ConfigValue.IsNull() {
			resp.PlanValue = req.StateValue
		}
	},
}

// warnOfMissingURL warns that the hosted service fails on a new app without an address. It
// is no error: the documented interface takes one.
func warnOfMissingURL(planned Fields, diags *diag.Diagnostics) {
	if !planned.URL.IsNull() || planned.PluginType.IsUnknown() || planned.PluginType.ValueString() == string(api.Source) {
		return
	}
	diags.AddAttributeWarning(path.Root("url"), warningTitle("The import app has no url", planned),
		"url is not set, and plugin_type is not \"source\". PostHog fails on such an app with a server error. "+
			"Set url to the URL that the app is installed from, or set plugin_type = \"source\" if you write its code in PostHog.")
}

// Terraform prints url in every plan. The token with which the service reads a private
// repository goes into an attribute of its own, which Terraform never shows.

// urlQueryAttribute holds the query of the url. The service takes it with a create and
// never returns it, so a rotated token replaces nothing.
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

// keepURLQuery plans the query with which the app was created: another one would change
// nothing. Of an app that was imported it is written into the state, without a request. One
// that moved to url_query_wo leaves the state.
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

// hasScheme reports whether an address begins with a scheme, as https: and file: do.
func hasScheme(address string) bool {
	parsed, err := url.Parse(strings.TrimSpace(address))
	return err == nil && parsed.Scheme != "" && (parsed.Host != "" || parsed.Path != "")
}

func refuseTwoQueries(name string, diags *diag.Diagnostics) {
	diags.AddAttributeError(path.Root(name), "Query in both url and "+name,
		name+" is set, and url also contains a query. Move the whole query to "+name+".")
}

// query is the query that is sent behind the url, without the question mark.
func (m Model) query() string {
	value := m.URLQuery
	if attribute.IsKnown(m.URLQueryWO) {
		value = m.URLQueryWO
	}
	return strings.TrimPrefix(value.ValueString(), "?")
}

// withQuery is the model whose url is the address that the service is to read from.
func withQuery(planned Model) Fields {
	m := planned.Fields
	if query := planned.query(); query != "" {
		m.URL = types.StringValue(m.URL.ValueString() + "?" + query)
	}
	return m
}

// A state needs no token: the service takes it with a create and never returns it. So
// Terraform 1.11 and later hand it over with the call that creates the app and keep nothing.
// What they cannot compare any more, a number in the configuration stands for.

// urlQueryWOAttribute is urlQueryAttribute for a value that no plan and no state holds. So it is
// not marked as sensitive: one mark more than a state of an earlier version has is planned as an
// update in which no attribute differs.
func urlQueryWOAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, WriteOnly: true,
		MarkdownDescription: "Query of `url`, like `url_query`, but never stored in a plan or in the state. The value can come from an ephemeral variable or resource. " +
			"Requires Terraform 1.11 or OpenTofu 1.11, or later, and `url_query_wo_version`.",
		Validators: []validator.String{attribute.AlsoRequires("url"), attribute.AlsoRequires("url_query_wo_version")},
	}
}

// urlQueryWOVersionAttribute says when another token is meant. The service takes one with a
// create alone, so that is a new app.
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

// replacesOtherVersion replaces an app whose token is to be another one. The first number
// says nothing of the token that the app was created with, and to forget it takes none away.
func replacesOtherVersion(ctx context.Context, req planmodifier.Int64Request, resp *int64planmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !req.StateValue.IsNull() && !req.PlanValue.IsNull() && !attribute.IsMarked(ctx, req.Private, removedKey, &resp.Diagnostics)
}

// withWriteOnly is a planned app with the value of url_query_wo, which a configuration alone
// holds.
func (m Model) withWriteOnly(config Model) Model {
	m.URLQueryWO = config.URLQueryWO
	return m
}

// secretKey matches the names of parameters that hold secrets.
var secretKey = regexp.MustCompile(`(?i)token|secret|password|passwd|key|auth|credential`)

// accessToken matches what code hosts hand out as tokens.
var accessToken = regexp.MustCompile(`^(gh[a-z]_|github_pat_|glpat-|phx_)`)

// holdsToken reports whether an address has a part that looks like a token: a user, or a
// parameter of the query or of the fragment. A part that cannot be read may have one.
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

// userInfo is what stands before the host of an address that is fetched over HTTP: a token,
// or a name with one. That of an address for SSH is no secret.
func userInfo(address string) string {
	scheme, rest, hasScheme := strings.Cut(address, "://")
	if !hasScheme || !strings.HasPrefix(strings.ToLower(scheme), "http") {
		return ""
	}
	authority, _, _ := strings.Cut(rest, "/")
	index := strings.LastIndexByte(authority, '@')
	return authority[:max(index, 0)]
}

// titleURL is an address for the title of a diagnostic: without the parts that may hold a
// token.
func titleURL(address string) string {
	address, _, _ = strings.Cut(shownURL(address), "#")
	if user := userInfo(address); user != "" {
		return strings.Replace(address, user+"@", "", 1)
	}
	return address
}

// secrets are the values of an app that no error may repeat: the query and all parts of url
// that may hold a token, as a whole and one by one.
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
				decoded, _ := url.QueryUnescape(value) // one that cannot be decoded is there as it is
				secrets = append(secrets, value, decoded)
			}
		}
	}
	return secrets
}
