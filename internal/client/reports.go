package client

import (
	"errors"
	"sync"
)

// reports remembers which causes common to all objects were reported: otherwise each of a
// thousand objects would explain the same bad key.
type reports struct {
	mu   sync.Mutex
	seen map[string]bool
}

// first reports whether a cause is reported for the first time.
func (r *reports) first(cause string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()

	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	isFirst := !r.seen[cause]
	r.seen[cause] = true
	return isFirst
}

// share marks an error whose cause is not one of the object itself.
func (r *reports) share(err error, b *breaker) error {
	if err == nil {
		return nil
	}

	var cause string
	_, unusable := errors.AsType[*ResponseError](err)
	_, refused := asAPIError(err)
	_, unavailable := errors.AsType[*UnavailableError](err)
	switch {
	case IsRemoved(err):
		cause = "the service has removed import apps"
	case IsUnauthorized(err):
		cause = "the API key was refused (401)"
	case unavailable:
		cause = "the service is failing"
	case neverConnected(err) && !b.hasResponded():
		cause = "the service cannot be reached"
	case unusable && !refused && !b.hasSucceeded():
		cause = "what answers at base_url is not the service"
	case ofTheKey(err) != "":
		cause = ofTheKey(err)
	default:
		return err
	}
	return &sharedError{cause: cause, err: err, in: r}
}

// sharedError is an error whose cause is the same for all objects.
type sharedError struct {
	cause string
	err   error
	in    *reports
}

func (e *sharedError) Error() string { return e.err.Error() }

// Unwrap returns the error as it would be without the mark.
func (e *sharedError) Unwrap() error { return e.err }

// Reported returns a short text for the cause of an error if it is common to all objects,
// such as a key that the service refuses, and whether it was called for that cause before.
// So a caller can report the first such error in full, and the others in a line. Reports of
// different groups do not replace each other.
func Reported(err error, group string) (cause string, before bool) {
	shared, ok := errors.AsType[*sharedError](err)
	if !ok {
		return "", false
	}
	return shared.cause, !shared.in.first(group + ": " + shared.cause)
}
