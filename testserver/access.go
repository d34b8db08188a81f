package testserver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// authorize checks the API key, its scope, the project or organization, the limits of the
// key, and the membership of its user.
func (x *exchange) authorize(st *store, _ *route, values []pathValue) *field.Failure {
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
func (x *exchange) authenticate(st *store, token, where string) *field.Failure {
	if token == "" {
		return field.Unauthenticated("not_authenticated", "Authentication credentials were not provided.")
	}
	x.key, x.user = x.server.findKey(st, token)
	if x.user == nil || !x.user.active {
		return field.Unauthenticated("authentication_failed", "Personal API key found in request "+where+" is invalid.")
	}
	return nil
}

func (x *exchange) checkScope(scope string) *field.Failure {
	if !x.key.may(scope) {
		return field.Forbidden("API key missing required scope '" + scope + "'")
	}
	return nil
}

// resolveScope finds the project or organization in the path, if any, and checks it against
// the limits of the key.
func (x *exchange) resolveScope(st *store, values []pathValue) *field.Failure {
	switch {
	case len(values) == 0:
		return nil
	case values[0].name == "project_id":
		return x.resolveProject(st, values[0].value)
	}
	return x.resolveOrganization(st, values[0].value)
}

func (x *exchange) resolveProject(st *store, id string) *field.Failure {
	if id == "@current" {
		id = st.currentProject(x.user)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(id), 10, 64)
	if x.project = st.projects[n]; err != nil || x.project == nil {
		return field.NotFound("Project not found.")
	}
	if len(x.key.projects) > 0 && !slices.Contains(x.key.projects, n) {
		return field.Forbidden(fmt.Sprintf("API key does not have access to the requested project: ID %d.", n))
	}
	return x.setOrganization(st.organizations[x.project.organization])
}

func (x *exchange) resolveOrganization(st *store, id string) *field.Failure {
	if len(x.key.projects) > 0 {
		return field.Forbidden("API keys with scoped projects are only supported on project-based endpoints.")
	}
	if id == "@current" && len(x.user.organizations) > 0 {
		id = x.user.organizations[0].String()
	}
	parsed, err := uuid.Parse(id)
	o := st.organizations[parsed]
	if err != nil || o == nil {
		return field.NotFound("Organization not found.")
	}
	return x.setOrganization(o)
}

// setOrganization sets the organization of the request, and checks it against the limits of
// the key.
func (x *exchange) setOrganization(o *organization) *field.Failure {
	x.organization = o
	if limits := x.key.organizations; len(limits) > 0 && !slices.Contains(limits, o.id) {
		return field.Forbidden("API key does not have access to the requested organization: ID " + o.id.String() + ".")
	}
	return nil
}

// checkMember checks the membership of the key's user. For a project, the error does not
// reveal whether the user belongs to the organization.
func (x *exchange) checkMember() *field.Failure {
	if x.organization == nil {
		return nil
	}
	member := slices.Contains(x.user.organizations, x.organization.id)
	if x.project == nil && !member {
		return field.Forbidden("You do not have permission to perform this action.")
	}
	if x.project != nil && (!member || !x.user.reaches(x.project)) {
		return field.Forbidden("You don't have access to the project.")
	}
	return nil
}

// currentProject is the id of the first project of a user, 0 for none.
func (st *store) currentProject(u *user) string {
	p := st.firstProject(u)
	if p == nil {
		return "0"
	}
	return strconv.FormatInt(p.id, 10)
}

// firstProject is the first project of the user's first organization that has one.
func (st *store) firstProject(u *user) *project {
	for _, o := range u.organizations {
		for _, id := range sortedIDs(st.projects) {
			if st.projects[id].organization == o {
				return st.projects[id]
			}
		}
	}
	return nil
}

// Credentials returns the first API key of the store, and the first project and
// organization that its user has access to. Values that the store lacks are empty.
func (s *Server) Credentials() (apiKey, projectID, organizationID string) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	st := s.store
	u := st.firstKeyUser()
	switch {
	case s.worldKey != nil:
		apiKey, u = s.worldKey.key, st.worldUser()
	case u == nil:
		return "", "", ""
	default:
		apiKey = st.order.keys[0]
	}

	if len(u.organizations) > 0 {
		organizationID = u.organizations[0].String()
	}
	if projectID = st.currentProject(u); projectID == "0" {
		projectID = ""
	}
	return apiKey, projectID, organizationID
}
