package client

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// breakerPause is how long the client sends nothing after it gave up on PostHog. Without it, each
// of a thousand objects would wait for the same failure.
const breakerPause = 30 * time.Second

// breaker stops sending requests after repeated failures. If PostHog responded earlier in this run, the breaker assumes
// a temporary outage and lets requests wait. If PostHog never responded, the URL is probably wrong. If every response
// so far was a failure, PostHog is down, or the server is not PostHog. In the last two cases, the breaker fails fast.
type breaker struct {
	mu sync.Mutex
	seen
	// tripped is the error of requests while the breaker is open.
	tripped error
	until   time.Time
}

// seen summarizes the outcomes of a client's requests.
type seen struct {
	// answered is set by any response, succeeded by one that is not a failure.
	answered, succeeded bool
	// failures counts the failed requests before the first success.
	failures int
	// away is when the first request after the last success failed. It is zero if the last request
	// succeeded.
	away time.Time
}

// failingSince returns when PostHog began to respond with failures only. It is zero if PostHog
// ever responded successfully, or has not failed.
func (s seen) failingSince() time.Time {
	if s.succeeded {
		return time.Time{}
	}
	return s.away
}

// note records the outcome of an attempt.
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

// soFar returns the outcomes of all requests up to now.
func (b *breaker) soFar() seen {
	b.mu.Lock()
	defer b.mu.Unlock()

	return b.seen
}

// trip returns the error for a request that the client gives up. If unavailable, it also opens the breaker for
// all other requests.
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

// check returns the error for a request while the breaker is open, or nil if the request may be sent.
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

// UnavailableError reports that the client gave up on PostHog because all requests failed, starting
// with the first one.
type UnavailableError struct {
	// Lasted is the duration of the failures, and Failures their number.
	Lasted   time.Duration
	Failures int

	// unsent is the request that was not sent. It is empty if the error belongs to the last request
	// that was sent.
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

// reports remembers which shared causes were reported. Otherwise, each of a thousand objects would
// report the same invalid key in full.
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

// share marks an error whose cause is not specific to its object.
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
		cause = "PostHog cannot be reached"
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

// Unwrap returns the unmarked error.
func (e *sharedError) Unwrap() error { return e.err }

// SharedCause returns a short description of an error that affects all objects, such as a rejected
// key, and whether a caller has asked about this cause before. Callers can thus report the first
// such error in full and the others in one line. Each group has its own reports.
func SharedCause(err error, group string) (cause string, isRepeat bool) {
	shared, ok := errors.AsType[*sharedError](err)
	if !ok {
		return "", false
	}
	return shared.cause, !shared.in.first(group + ": " + shared.cause)
}
