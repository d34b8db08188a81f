package client

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// breakerPause is how long no request is sent after the service was given up: a thousand
// objects would each wait for the same.
const breakerPause = 30 * time.Second

// breaker is a circuit breaker for all requests of a client. A service that has answered
// is at the right address: when it cannot be reached any more, it is away, and comes
// back. One that never has is more often a wrong address. And one that has succeeded
// before is waited for when it fails; one that fails from the first request on is down,
// or not the service.
type breaker struct {
	mu sync.Mutex
	seen
	// tripped is the error of the requests that are not sent until then.
	tripped error
	until   time.Time
}

// seen is what the requests of a client have met so far.
type seen struct {
	// answered is set by any response, succeeded by one that is no failure.
	answered, succeeded bool
	// failures is how many requests have failed while the service has not succeeded.
	failures int
	// away is when the first request failed since the last that succeeded; zero when the last
	// one succeeded.
	away time.Time
}

// failingSince is when the service began to respond with failures alone; zero when it
// succeeded before, or has not failed.
func (s seen) failingSince() time.Time {
	if s.succeeded {
		return time.Time{}
	}
	return s.away
}

// note records how one attempt ended.
func (b *breaker) note(err error, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()

	refusal, refused := asAPIError(err)
	_, unanswered := errors.AsType[*ConnectionError](err)
	_, unusable := errors.AsType[*ResponseError](err)
	switch {
	case err == nil || refused && !unusable && refusal.Status < http.StatusInternalServerError:
		b.answered, b.succeeded, b.tripped, b.away = true, true, nil, time.Time{}
	case !unanswered:
		b.answered = true
	}

	if b.away.IsZero() && isTransient(err) {
		b.away = now
	}
	if !b.succeeded && isTransient(err) {
		b.failures++
	}
}

// soFar is what the requests have met so far.
func (b *breaker) soFar() seen {
	b.mu.Lock()
	defer b.mu.Unlock()

	return b.seen
}

// trip returns the error of a request that is not sent again, and opens the breaker when
// the others need not be sent either.
func (b *breaker) trip(err error, unavailable bool, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()

	e, unanswered := errors.AsType[*ConnectionError](err)
	switch {
	case unavailable:
		err = &UnavailableError{Lasted: now.Sub(b.away), Failures: b.failures, cause: err}
	case !unanswered || e.Sent || e.Budget.Length > 0 || b.answered:
		return err
	}

	b.tripped, b.until = err, now.Add(breakerPause)
	return err
}

// check returns the error of a request while the breaker is open; nil when it may be sent.
func (b *breaker) check(c *Client, operation string, req *http.Request, now time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()

	if b.tripped == nil || !now.Before(b.until) {
		return nil
	}

	if down, ok := errors.AsType[*UnavailableError](b.tripped); ok {
		clone := *down
		clone.unsent = c.describeRequest(operation, req).name()
		return &clone
	}

	e, ok := errors.AsType[*ConnectionError](b.tripped)
	if !ok {
		return b.tripped
	}
	clone := *e
	clone.Request = c.describeRequest(operation, req)
	return &clone
}

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
	text := fmt.Sprintf("all %d requests of this run failed, over %s, so no more requests are sent: %s",
		e.Failures, roundDuration(e.Lasted), e.cause)
	if e.unsent != "" {
		return e.unsent + ": not sent: " + text
	}
	return text
}

// Unwrap returns the last failure.
func (e *UnavailableError) Unwrap() error { return e.cause }

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
	met := b.soFar()
	switch {
	case IsRemoved(err):
		cause = "PostHog has removed import apps"
	case IsUnauthorized(err):
		cause = "PostHog rejected the API key (401)"
	case unavailable:
		cause = "PostHog is failing"
	case isNotSent(err) && !met.answered:
		cause = "the service cannot be reached"
	case unusable && !refused && !met.succeeded:
		cause = "the server at base_url is not PostHog"
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

// SharedCause returns a short text for the cause of an error if it is common to all objects,
// such as a key that the service refuses, and whether it was called for that cause before.
// So a caller can report the first such error in full, and the others in a line. Reports of
// different groups do not replace each other.
func SharedCause(err error, group string) (cause string, isRepeat bool) {
	shared, ok := errors.AsType[*sharedError](err)
	if !ok {
		return "", false
	}
	return shared.cause, !shared.in.first(group + ": " + shared.cause)
}
