package client

import (
	"errors"
	"net/http"
)

// RemovedError reports that the service has no routes for import apps any more, while it has
// those for surveys: so neither is base_url wrong, nor was one app deleted.
type RemovedError struct {
	// unsent names the request that was not sent, since another one had shown it; empty
	// for a request that was sent.
	unsent string
	cause  error
}

// Error implements error.
func (e *RemovedError) Error() string {
	text := e.cause.Error()
	if e.unsent != "" {
		text = e.unsent + ": not sent, after " + text
	}
	return text + ". The service has removed import apps: it has no routes for them any more, and still has those for surveys"
}

// Unwrap returns the response that the route got.
func (e *RemovedError) Unwrap() error { return e.cause }

// IsRemoved reports whether the service has removed the routes of import apps: see
// [RemovedError].
func IsRemoved(err error) bool {
	_, ok := errors.AsType[*RemovedError](err)
	return ok
}

// looksRemoved reports whether an error may mean that the service has no such route any more:
// it says so, or it is gone (410), or a page stands for an unknown path.
func looksRemoved(err error) bool {
	e, ok := asAPIError(err)
	if !ok {
		return false
	}
	if e.Status == http.StatusGone {
		return true
	}
	unusable, isUnusable := errors.AsType[*ResponseError](e.cause)
	return e.Status == http.StatusNotFound && (e.says(endpointMissing...) || isUnusable && unusable.isPage)
}

// showsRoute reports whether the outcome of a request shows that the service has its route: it
// succeeded, or the service refused the key or the parent, which it does not look at before. A
// key that is unknown (401) shows nothing: a gateway refuses it too.
func showsRoute(err error) bool {
	e, ok := asAPIError(err)
	return err == nil || IsParentNotFound(err) || ok && e.Status == http.StatusForbidden && e.Code == "permission_denied"
}
