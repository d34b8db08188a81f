package client

import (
	"net/http"
	"slices"
	"strings"
)

// IsUnauthorized reports whether the key is missing, unknown or switched off (401).
func IsUnauthorized(err error) bool { return hasStatus(err, http.StatusUnauthorized) }

// IsForbidden reports whether the key or its user may not do this (403); Detail names
// the scope that is missing.
func IsForbidden(err error) bool { return hasStatus(err, http.StatusForbidden) }

// IsThrottled reports whether the service asked for fewer requests (429), and that the
// pause would have outlasted the operation.
func IsThrottled(err error) bool { return hasStatus(err, http.StatusTooManyRequests) }

// IsValidation reports whether the service refused the values sent (400); Attr names the
// field.
func IsValidation(err error) bool { return hasStatus(err, http.StatusBadRequest) }

// IsUniqueName reports whether the name is taken: names of surveys are unique in their
// project.
func IsUniqueName(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusBadRequest && e.Code == "unique"
}

// IsAwaitingApproval reports whether the change needs an approval first (409), which is
// requested now or was before.
func IsAwaitingApproval(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusConflict && slices.Contains([]string{"approval_required", "change_request_pending"}, e.Code)
}

func hasStatus(err error, status int) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == status
}

// says compares the detail with texts, ignoring case and the full stop.
func (e *Error) says(texts ...string) bool {
	return slices.Contains(texts, strings.ToLower(strings.TrimSuffix(e.Detail, ".")))
}
