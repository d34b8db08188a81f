package client

import (
	"fmt"
	"time"
)

// UnavailableError reports that the client has given up the service, because all requests
// have failed since the first one.
type UnavailableError struct {
	// Lasted is the duration of that, Failures the number of failed requests.
	Lasted   time.Duration
	Failures int

	// unsent is the request that was not sent; empty for the last one that was sent.
	unsent string
	cause  error
}

// Error implements error.
func (e *UnavailableError) Error() string {
	text := fmt.Sprintf("the service failed all %d requests of this run, for %s, and was given up: %s",
		e.Failures, roundDuration(e.Lasted), e.cause)
	if e.unsent != "" {
		return e.unsent + ": not sent: " + text
	}
	return text
}

// Unwrap returns the last failure.
func (e *UnavailableError) Unwrap() error { return e.cause }
