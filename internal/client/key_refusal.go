package client

import (
	"net/http"
	"strings"
)

// What the text of a 403 has, in small letters, when the key is too narrow for every object
// alike: the request is for no key at all, the key lacks a scope, or it has no access to the
// project or organization.
var (
	noKeys    = []string{"does not support personal api key access"}
	tooNarrow = append([]string{"missing required scope", "`feature_flag:write` scope"}, noKeys...)
	shutOut   = []string{"does not have access to the requested", "have access to the project", "scoped projects are only supported"}
)

// IsForNoKey reports whether the service offers this to people who are signed in to its web
// interface, and to no API key (403), whatever its scopes.
func IsForNoKey(err error) bool { return isForbiddenFor(err, noKeys) }

// IsShutOut reports whether the key, or its user, has no access to the project or organization
// of the request (403), whatever the scopes of the key.
func IsShutOut(err error) bool { return isForbiddenFor(err, shutOut) }

// isForbiddenFor reports whether an error is a 403 whose text has one of some parts.
func isForbiddenFor(err error, parts []string) bool {
	e, ok := asAPIError(err)
	if !ok || e.Status != http.StatusForbidden {
		return false
	}
	detail := strings.ToLower(e.Detail)
	for _, part := range parts {
		if strings.Contains(detail, part) {
			return true
		}
	}
	return false
}

// ofTheKey names the cause of an error that all objects of a project or organization have in
// common: the key may not do it, or there is no such project; "" for the error of one object.
func ofTheKey(err error) string {
	e, ok := asAPIError(err)
	switch {
	case !ok:
		return ""
	case isForbiddenFor(err, tooNarrow):
		return strings.TrimSuffix(e.Detail, ".") + " (403)"
	case IsShutOut(err), IsParentNotFound(err):
		return parentOf(e.Path) + ": " + strings.TrimSuffix(e.Detail, ".") + " (" + status(e.Status) + ")"
	}
	return ""
}

// parentOf names the project or organization in the path of a request.
func parentOf(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) < 3 {
		return "the service"
	}
	return strings.TrimSuffix(parts[1], "s") + " " + parts[2]
}
