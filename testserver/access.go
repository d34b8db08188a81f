package testserver

import (
	"net/http"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// authorize checks the API key, its scope, the project or organization, the limits of the
// key, and the membership of its user.
func (documentedProfile) authorize(x *exchange, _ *route, values []pathValue) *field.Failure {
	return field.FirstOf(
		func() *field.Failure { return x.authenticate(bearer(x.request)) },
		func() *field.Failure { return x.checkScope(x.endpoint.scope()) },
		func() *field.Failure { return x.resolveScope(x.store, values) },
		x.checkMember,
	)
}

// bearer is the key in the Authorization header; empty when there is none.
func bearer(r *http.Request) string {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer")
	key := strings.TrimLeft(token, " \t")
	if !ok || key == token {
		return ""
	}
	return strings.TrimSpace(key)
}

// authenticate finds the user of a key.
func (x *exchange) authenticate(token string) *field.Failure {
	if token == "" {
		return field.Unauthenticated("not_authenticated", "Authentication credentials were not provided.")
	}
	x.key, x.user = x.contents.findKey(token)
	if x.user == nil || !x.user.Active {
		return field.Unauthenticated("authentication_failed", "Personal API key found in request Authorization header is invalid.")
	}
	return nil
}

// Credentials returns the first API key of the store, and the first project and
// organization that its user has access to. Values that the store lacks are empty.
func (d *direct) Credentials() (apiKey, projectID, organizationID string) {
	d.contents.mu.RLock()
	defer d.contents.mu.RUnlock()
	st := d.contents.store
	u := st.FirstKeyUser()
	switch {
	case d.contents.worldKey != nil:
		apiKey, u = d.contents.worldKey.Token, st.WorldUser()
	case u == nil:
		return "", "", ""
	default:
		apiKey = st.KeyTokens()[0]
	}

	if len(u.Organizations) > 0 {
		organizationID = u.Organizations[0].String()
	}
	if projectID = st.CurrentProject(u); projectID == "0" {
		projectID = ""
	}
	return apiKey, projectID, organizationID
}
