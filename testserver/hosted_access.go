package testserver

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// authorize checks the caller in the hosted service's order: the key, whether the operation is open to keys, the project or organization and
// the limits of the key, its scope, membership, the plugins_access_level. Rate limits and
// the method of the path are checked later, in [Server.serve].
func (hostedProfile) authorize(x *exchange, route *route, values []pathValue) *field.Failure {
	if f := x.authenticate(bearer(x.request)); f != nil {
		f.Challenge = `Bearer resource_metadata="` + siteOf(x.request) + `/.well-known/oauth-protected-resource"`
		return f
	}

	if x.endpoint != nil && x.endpoint.Neighbour && x.endpoint.needs == "" {
		// Every key may ask for itself.
		return nil
	}

	needs := route.requiredScope(x)
	if needs == "" {
		return field.Forbidden("This action does not support personal API key access")
	}

	return field.FirstOf(
		func() *field.Failure { return x.resolveScope(x.store, values) },
		func() *field.Failure { return x.checkScope(needs) },
		func() *field.Failure { return checkHostedMember(x, values) },
		func() *field.Failure { return x.checkLevel(x.request.Method) },
	)
}

// checkHostedMember checks membership, except for reading a global app.
func checkHostedMember(x *exchange, values []pathValue) *field.Failure {
	if x.endpoint != nil && x.endpoint.ID == "pipeline_import_apps_retrieve" {
		id, err := strconv.ParseInt(values[len(values)-1].value, 10, 64)
		if app := x.store.Apps.Get(id); err == nil && app != nil && app.IsTrue(store.AppTable, "is_global") {
			return nil
		}
	}
	return x.checkMember()
}

// path is the path of a request. The surveys of an environment are those of the
// project with the same number, and headers tell its clients to move to that path.
func (hostedProfile) path(x *exchange) (path string, notices http.Header) {
	path = x.request.URL.Path
	rest, ok := strings.CutPrefix(path, "/api/environments/")
	if _, noun, _ := strings.Cut(rest, "/"); !ok || !strings.HasPrefix(noun+"/", "surveys/") {
		return path, nil
	}
	return "/api/projects/" + rest, environmentsNotices
}

// environmentsNotices are the headers of requests for the surveys of environments. The day on
// which the service drops them is not published.
var environmentsNotices = http.Header{"Deprecation": {"true"}, "Sunset": {"Fri, 31 Dec 2027 00:00:00 GMT"}}

// refuseID refuses a request with an invalid id of an app: like the service with 500 for
// one that is not a number, and with 404 for one that is too large.
func (hostedProfile) refuseID(x *exchange, id string) *field.Failure {
	if x.organization == nil || x.project != nil {
		return field.ObjectNotFound()
	}
	if strings.Trim(id, "0123456789") == "" {
		return field.ObjectNotFound()
	}
	return field.ServerError()
}

// siteOf is the URL of the service in texts and headers.
func siteOf(r *http.Request) string {
	page := absoluteURL(r)
	return page.Scheme + "://" + page.Host
}

// requiredScope is the scope that a request needs on a route. Where the route does not have the
// method, it is the one that the service finds before it notices.
func (r *route) requiredScope(x *exchange) string {
	if x.endpoint != nil {
		return x.endpoint.needs
	}
	object, method := r.object(), x.request.Method
	detail := slices.Contains(r.segments, "{id}")
	last := r.segments[len(r.segments)-1]
	standard := last == "{id}" || !detail && len(r.segments) == 4
	switch {
	case !standard && r.declaredScope() != "":
		return r.declaredScope()
	case method == http.MethodPatch && !detail, method == http.MethodPut && last == "{id}":
		return object + ":write"
	}
	return ""
}

// object is the first half of the scopes of a route.
func (r *route) object() string {
	switch {
	case slices.Contains(r.segments, "pipeline_import_apps"):
		return "plugin"
	case slices.Contains(r.segments, "feature_flags"):
		return "feature_flag"
	case slices.Contains(r.segments, "surveys"):
		return "survey"
	case r.segments[1] == "projects":
		return "project"
	}
	return "user"
}

// declaredScope is the scope that an operation beyond the standard ones declares for its
// path, whatever the method.
func (r *route) declaredScope() string {
	for _, e := range r.methods {
		return e.needs
	}
	return ""
}

// checkFlagScope refuses changes of targeting flags with a key without feature_flag:write,
// if the organization has [FeatureFlagScope].
func checkFlagScope(x *exchange) *field.Failure {
	if !x.organization.Has(FeatureFlagScope) || x.key.May("feature_flag:write") {
		return nil
	}
	return field.Forbidden("This action also modifies a feature flag, which requires the `feature_flag:write` scope in addition to `survey:write`. " +
		"Add `feature_flag:write` to your personal API key at " + siteOf(x.request) + "/settings/user-api-keys " +
		"(editing its scopes keeps the same key value), or use a key with the `*` scope.")
}

// checkFlagWrite checks the scope if a request for a survey, nil for a new one, changes its
// targeting flag.
func checkFlagWrite(x *exchange, before *store.Survey, sent rawjson.Fields) *field.Failure {
	touches := !sent.IsNull("targeting_flag_id") ||
		!sent.IsNull("targeting_flag_filters") && string(sent["targeting_flag_filters"]) != "{}" ||
		before != nil && string(sent["remove_targeting_flag"]) == "true" && x.store.Flags.Get(before.Targeting) != nil
	if !touches {
		return nil
	}
	return checkFlagScope(x)
}
