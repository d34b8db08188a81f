package client

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Allowed are the projects and organizations that requests may be about: a guard against a
// run with the settings of another environment. Each is any when it is empty.
type Allowed struct {
	ProjectIDs, OrganizationIDs []string
}

// The settings of [Allowed].
const (
	allowedProjectsSetting      = "allowed_project_ids"
	allowedOrganizationsSetting = "allowed_organization_ids"
)

// ParseIDs reads ids that are separated by commas, as environment variables have them.
func ParseIDs(text string) []string {
	var ids []string
	for id := range strings.SplitSeq(text, ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// current is what the service takes in the place of the id of a project or an organization:
// the one that the user of the key has open.
const current = "@current"

// NotAllowedError is a request that was not sent, since it is about a project or an
// organization that is not among the allowed ones.
type NotAllowedError struct {
	// Parent is project or organization, ID which one.
	Parent, ID string
	// Setting is the name of the setting in the provider block that excludes it, Allowed what
	// the setting has.
	Setting string
	Allowed []string

	// operation is the request; empty where none was about to be sent.
	operation string
}

// Error implements error.
func (e *NotAllowedError) Error() string {
	why := fmt.Sprintf("%s %s is not one of %s (%s), which has %s", e.Parent, e.ID, e.Setting, Variable(e.Setting), strings.Join(e.Allowed, ", "))
	if e.ID == current {
		why = fmt.Sprintf("%s is whichever %s the user of the API key has open, and %s (%s) allows only %s",
			current, e.Parent, e.Setting, Variable(e.Setting), strings.Join(e.Allowed, ", "))
	}
	if e.operation == "" {
		return why
	}
	return e.operation + ": not sent, since " + why
}

// Project returns an error if requests about the project are not sent.
func (a Allowed) Project(id string) *NotAllowedError {
	return allowed("project", id, allowedProjectsSetting, a.ProjectIDs)
}

// Organization returns an error if requests about the organization are not sent.
func (a Allowed) Organization(id string) *NotAllowedError {
	return allowed("organization", id, allowedOrganizationsSetting, a.OrganizationIDs)
}

func allowed(parent, id, setting string, ids []string) *NotAllowedError {
	isID := func(allowed string) bool { return strings.EqualFold(allowed, id) } // UUIDs have capitals or not
	if len(ids) == 0 || id != current && slices.ContainsFunc(ids, isID) {
		return nil
	}
	return &NotAllowedError{Parent: parent, ID: id, Setting: setting, Allowed: ids}
}

// check returns an error for a request that is not about what is allowed, by the segments of
// its path. Every request passes here, whatever resource, import or alias it is for.
func (a Allowed) check(operation string, r route, segments []string) error {
	for i, name := range r.segments {
		id, _ := url.PathUnescape(segments[i]) // the route has matched, which unescapes it too

		var refused *NotAllowedError
		switch name {
		case "{project_id}":
			refused = a.Project(id)
		case "{organization_id}":
			refused = a.Organization(id)
		}
		if refused != nil {
			refused.operation = operation
			return refused
		}
	}
	return nil
}
