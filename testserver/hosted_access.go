package testserver

import (
	"net/http"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// admitHosted decides who may do what, in the hosted service's order: the key, that
// the operation is for keys at all, the project or organization, the limits of the
// key, its scope, membership, the plugins_access_level, the limits on requests. Only
// then it is asked whether the path has the method.
func (x *exchange) admitHosted(st *store, route *route, values []pathValue) *failure {
	token, where := x.hostedKey()
	if f := x.authenticate(st, token, where); f != nil {
		page := x.absoluteURL()
		x.header.Set("WWW-Authenticate", `Bearer resource_metadata="`+page.Scheme+"://"+page.Host+`/.well-known/oauth-protected-resource"`)
		return f
	}
	needs := route.hostedScope(x)
	if needs == "" {
		return forbidden("This action does not support personal API key access")
	}
	for _, check := range []func() *failure{
		func() *failure { return x.enter(st, values) },
		func() *failure { return x.checkScope(needs) },
		x.checkMember,
		func() *failure {
			if x.project != nil {
				return nil
			}
			return x.checkLevel()
		},
	} {
		if f := check(); f != nil {
			return f
		}
	}
	return nil
}

// hostedKey finds the key of a request and the part of it that it is in: the header
// wins, then the body, then the query.
func (x *exchange) hostedKey() (key, where string) {
	if token := x.bearer(); token != "" {
		return token, "Authorization header"
	}
	// What is wrong with the body is none of the business of those who have no key.
	if sent, f := x.parse(); f == nil && unquote(sent["personal_api_key"]) != "" {
		return unquote(sent["personal_api_key"]), "body"
	}
	return x.request.URL.Query().Get("personal_api_key"), "query string"
}

// hostedScope is what an operation needs: the further operations on apps declare
// nothing, and what declares nothing is not for API keys.
func hostedScope(op api.Operation) string { return op.Scope }

// hostedScope is what a request needs on a route. Where the route does not have the
// method, it is what the service finds before it notices.
func (r *route) hostedScope(x *exchange) string {
	if x.endpoint != nil {
		return x.endpoint.needs
	}
	object, method := "survey", x.request.Method
	if r.segments[1] == "organizations" {
		object = "plugin"
	}
	detail := slices.Contains(r.segments, "{id}")
	last := r.segments[len(r.segments)-1]
	standard := last == "{id}" || !detail && len(r.segments) == 4
	switch {
	case !standard && r.declared() != "":
		return r.declared()
	case method == http.MethodPatch && !detail, method == http.MethodPut && last == "{id}":
		return object + ":write"
	case method == http.MethodOptions:
		return object + ":read"
	}
	return ""
}

// declared is the scope that an operation beyond the standard ones declares for its
// path, whatever the method.
func (r *route) declared() string {
	for _, e := range r.methods {
		return e.needs
	}
	return ""
}

// checkFlagScope refuses to touch targeting flags with a key that may not write flags,
// where the organization has come to ask for it.
func (x *exchange) checkFlagScope() *failure {
	if !x.organization.has(FeatureFlagScope) || x.key.may("feature_flag:write") {
		return nil
	}
	return forbidden("This action also modifies a feature flag, which requires the `feature_flag:write` scope in addition to `survey:write`.")
}

// checkFlagWrite asks for the scope when a request about a survey, nil for a new one,
// touches its targeting flag.
func (x *exchange) checkFlagWrite(before *survey, sent fields) *failure {
	touches := !sent.isNull("targeting_flag_id") ||
		!sent.isNull("targeting_flag_filters") && string(sent["targeting_flag_filters"]) != "{}" ||
		before != nil && string(sent["remove_targeting_flag"]) == "true" && x.server.store.flags[before.targeting] != nil
	if !touches {
		return nil
	}
	return x.checkFlagScope()
}
