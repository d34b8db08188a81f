package testserver

import (
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
)

// The maximum sizes of documents of the control interface.
const (
	maxFixtures = 256 << 20
	maxFaults   = 4 << 20
	maxClock    = 1 << 10
	maxRemoved  = 1 << 10
	maxPerson   = 1 << 20
)

// limited serves a request whose body is not larger than a limit.
func limited(limit int64, serve controlHandler) controlHandler {
	return func(c control, w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > limit {
			writeFailure(w, controlFailure(&http.MaxBytesError{Limit: limit}))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		serve(c, w, r)
	}
}

// controlFailure is the failure for an error of the control interface.
func controlFailure(err error) *field.Failure {
	f := field.BadRequest("invalid_input", err.Error())
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		f.Status, f.Code = http.StatusRequestEntityTooLarge, "request_entity_too_large"
		f.Detail = fmt.Sprintf("The document is larger than %d bytes.", tooLarge.Limit)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		f.Status, f.Code, f.Detail = http.StatusRequestTimeout, "request_timeout", "The body did not arrive in time."
	}
	return f
}
