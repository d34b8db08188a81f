package client

import (
	"fmt"
	"time"
)

// UnavailableError is a service that was given up: it has answered with failures alone
// from the first request of the client on.
type UnavailableError struct {
	// Lasted is how long that went on, Failures how many requests failed.
	Lasted   time.Duration
	Failures int

	// unsent is the request that was not sent any more; empty for the one that was the
	// last to be sent.
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
