package testserver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// authorize checks the API key, its scope, the project or organization, the limits of the
// key, and the membership of its user.
func (documentedProfile) authorize(x *exchange, st *store.Store, _ *route, values []pathValue) *field.Failure {
	f := x.authenticate(st, x.bearer(), "Authorization header")
	if f == nil && x.endpoint != nil {
		f = x.checkScope(x.endpoint.needs)
	}
	if f == nil {
		f = x.resolveScope(st, values)
	}
	if f == nil {
		f = x.checkMember()
	}
	return f
}

// bearer is the key in the Authorization header; empty when there is none.
func (x *exchange) bearer() string {
	token, ok := strings.CutPrefix(x.request.Header.Get("Authorization"), "Bearer")
	key := strings.TrimLeft(token, " \t")
	if !ok || key == token {
		return ""
	}
	return strings.TrimSpace(key)
}

// authenticate finds the user of a key; where is the part of the request that has it.
func (x *exchange) authenticate(st *store.Store, token, where string) *field.Failure {
	if token == "" {
		return field.Unauthenticated("not_authenticated", "Authentication credentials were not provided.")
	}
	x.key, x.user = x.server.findKey(st, token)
	if x.user == nil || !x.user.Active {
		return field.Unauthenticated("authentication_failed", "Personal API key found in request "+where+" is invalid.")
	}
	return nil
}

func (x *exchange) checkScope(scope string) *field.Failure {
	if !x.key.May(scope) {
		return field.Forbidden("API key missing required scope '" + scope + "'")
	}
	return nil
}

// resolveScope finds the project or organization in the path, if any, and checks it against
// the limits of the key.
func (x *exchange) resolveScope(st *store.Store, values []pathValue) *field.Failure {
	switch {
	case len(values) == 0:
		return nil
	case values[0].name == "project_id":
		return x.resolveProject(st, values[0].value)
	}
	return x.resolveOrganization(st, values[0].value)
}

func (x *exchange) resolveProject(st *store.Store, id string) *field.Failure {
	if id == "@current" {
		id = st.CurrentProject(x.user)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(id), 10, 64)
	if x.project = st.Projects.Get(n); err != nil || x.project == nil {
		return field.NotFound("Project not found.")
	}
	if len(x.key.Projects) > 0 && !slices.Contains(x.key.Projects, n) {
		return field.Forbidden(fmt.Sprintf("API key does not have access to the requested project: ID %d.", n))
	}
	return x.setOrganization(st.Organization(x.project.Organization))
}

func (x *exchange) resolveOrganization(st *store.Store, id string) *field.Failure {
	if len(x.key.Projects) > 0 {
		return field.Forbidden("API keys with scoped projects are only supported on project-based endpoints.")
	}
	if id == "@current" && len(x.user.Organizations) > 0 {
		id = x.user.Organizations[0].String()
	}
	parsed, err := uuid.Parse(id)
	o := st.Organization(parsed)
	if err != nil || o == nil {
		return field.NotFound("Organization not found.")
	}
	return x.setOrganization(o)
}

// setOrganization sets the organization of the request, and checks it against the limits of
// the key.
func (x *exchange) setOrganization(o *store.Organization) *field.Failure {
	x.organization = o
	if limits := x.key.Organizations; len(limits) > 0 && !slices.Contains(limits, o.ID) {
		return field.Forbidden("API key does not have access to the requested organization: ID " + o.ID.String() + ".")
	}
	return nil
}

// checkMember checks the membership of the key's user. For a project, the error does not
// reveal whether the user belongs to the organization.
func (x *exchange) checkMember() *field.Failure {
	if x.organization == nil {
		return nil
	}
	member := slices.Contains(x.user.Organizations, x.organization.ID)
	if x.project == nil && !member {
		return field.Forbidden("You do not have permission to perform this action.")
	}
	if x.project != nil && (!member || !x.user.Reaches(x.project)) {
		return field.Forbidden("You don't have access to the project.")
	}
	return nil
}

// Credentials returns the first API key of the store, and the first project and
// organization that its user has access to. Values that the store lacks are empty.
func (s *Server) Credentials() (apiKey, projectID, organizationID string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st := s.store
	u := st.FirstKeyUser()
	switch {
	case s.worldKey != nil:
		apiKey, u = s.worldKey.Token, st.WorldUser()
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
