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

// caller is who makes a request, and about which project or organization.
type caller struct {
	user         *store.User
	key          *store.Key
	project      *store.Project
	organization *store.Organization
}

// checkScope checks that the key has a scope; empty when none is needed.
func (c *caller) checkScope(scope string) *field.Failure {
	if scope != "" && !c.key.May(scope) {
		return field.Forbidden("API key missing required scope '" + scope + "'")
	}
	return nil
}

// resolveScope finds the project or organization in the path, if any, and checks it against
// the limits of the key.
func (c *caller) resolveScope(st *store.Store, values []pathValue) *field.Failure {
	switch {
	case len(values) == 0:
		return nil
	case values[0].name == "project_id":
		return c.resolveProject(st, values[0].value)
	}
	return c.resolveOrganization(st, values[0].value)
}

func (c *caller) resolveProject(st *store.Store, id string) *field.Failure {
	if id == "@current" {
		id = st.CurrentProject(c.user)
	}
	n, err := strconv.ParseInt(strings.TrimSpace(id), 10, 64)
	if c.project = st.Projects.Get(n); err != nil || c.project == nil {
		return field.NotFound("Project not found.")
	}
	if len(c.key.Projects) > 0 && !slices.Contains(c.key.Projects, n) {
		return field.Forbidden(fmt.Sprintf("API key does not have access to the requested project: ID %d.", n))
	}
	return c.setOrganization(st.Organization(c.project.Organization))
}

func (c *caller) resolveOrganization(st *store.Store, id string) *field.Failure {
	if len(c.key.Projects) > 0 {
		return field.Forbidden("API keys with scoped projects are only supported on project-based endpoints.")
	}
	if id == "@current" && len(c.user.Organizations) > 0 {
		id = c.user.Organizations[0].String()
	}
	parsed, err := uuid.Parse(id)
	o := st.Organization(parsed)
	if err != nil || o == nil {
		return field.NotFound("Organization not found.")
	}
	return c.setOrganization(o)
}

// setOrganization sets the organization of the request, and checks it against the limits of
// the key.
func (c *caller) setOrganization(o *store.Organization) *field.Failure {
	c.organization = o
	if limits := c.key.Organizations; len(limits) > 0 && !slices.Contains(limits, o.ID) {
		return field.Forbidden("API key does not have access to the requested organization: ID " + o.ID.String() + ".")
	}
	return nil
}

// checkMember checks the membership of the key's user. For a project, the error does not
// reveal whether the user belongs to the organization.
func (c *caller) checkMember() *field.Failure {
	if c.organization == nil {
		return nil
	}
	member := slices.Contains(c.user.Organizations, c.organization.ID)
	if c.project == nil && !member {
		return field.Forbidden("You do not have permission to perform this action.")
	}
	if c.project != nil && (!member || !c.user.Reaches(c.project)) {
		return field.Forbidden("You don't have access to the project.")
	}
	return nil
}
