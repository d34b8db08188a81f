package importapp

import (
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// ForeignOwner returns the organization that owns an app which another organization's list
// has: a global app is in the lists of all, and its owner alone can change it. It is empty
// for an app of that organization itself, and in the list of "@current", of which the id
// is not known.
func ForeignOwner(wire api.PipelineImportApp, organizationID string) string {
	owner, err := wire.OrganizationID.Get()
	if err != nil || strings.HasPrefix(organizationID, "@") || plainUUID(owner) == plainUUID(organizationID) {
		return ""
	}
	return owner
}

// plainUUID is a UUID in one of the forms in which the service takes it.
func plainUUID(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }
