package client

import (
	"net/http"
)

// What a 404 of the service can be about, besides the object itself.
var (
	parentMissing   = []string{"project not found", "organization not found"}
	endpointMissing = []string{"endpoint not found"}
)

// IsNotFound reports whether the service knows the project or organization and has no
// such object in it. A 404 that says less (the project is unknown, a proxy's page,
// an empty body, an unknown path) is not that, so that a wrong setting never looks
// like a deleted object.
func IsNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound &&
		(e.Code == "not_found" || e.says("not found")) && !e.says(parentMissing...) && !e.says(endpointMissing...)
}

// IsParentNotFound reports whether the service does not know the project or organization
// of the request: a 404 whose text says so.
func IsParentNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound && e.says(parentMissing...)
}

// IsEndpointNotFound reports whether the service has no such operation: a 404 whose text
// says so.
func IsEndpointNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound && e.says(endpointMissing...)
}
