package client

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// lostFor is how long nobody tries again after the service was given up: a thousand
// objects would each wait for the same.
const lostFor = 30 * time.Second

// reach is what a client knows of whether its service can be used. One that has
// answered is at the right address: when it can't be reached any more, it is away,
// and comes back. One that never has is more often a wrong address. And one that has
// answered well before is waited for when it fails; one that fails from the first
// request on is down, or not the service.
type reach struct {
	mu       sync.Mutex
	answered bool
	served   bool
	// failing is when the first request failed, failures how many have since; while
	// the service has not served.
	failing  time.Time
	failures int
	// lost is the error of the requests that are not even tried until then.
	lost  error
	until time.Time
}

// note takes in how one attempt ended.
func (r *reach) note(err error, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()

	e, refused := refusal(err)
	_, silent := errors.AsType[*ConnectionError](err)
	_, page := errors.AsType[*AnswerError](err)
	switch {
	case err == nil || refused && !page && e.Status < http.StatusInternalServerError:
		r.answered, r.served, r.lost = true, true, nil
	case !silent:
		r.answered = true
	}

	if !r.served && mayPass(err) {
		if r.failures == 0 {
			r.failing = now
		}
		r.failures++
	}
}

// known reports whether the service has ever answered, whatever it said.
func (r *reach) known() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.answered
}

// isServed reports whether the service has ever answered well.
func (r *reach) isServed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.served
}

// unserved is since when the service has answered nothing but failures; zero when it
// answered well before, or has not failed.
func (r *reach) unserved() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.served {
		return time.Time{}
	}
	return r.failing
}

// giveUp returns the error of a request that is not tried any more, and notes whether
// others need not be tried either.
func (r *reach) giveUp(err error, v verdict, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, silent := errors.AsType[*ConnectionError](err)
	switch {
	case v.down:
		err = &UnavailableError{Lasted: now.Sub(r.failing), Failures: r.failures, cause: err}
	case !silent || e.Sent || e.Budget.Length > 0 || r.answered:
		return err
	}
	r.lost, r.until = err, now.Add(lostFor)
	return err
}

// refuse is the error of a request that is not even tried; nil when it is to be.
func (r *reach) refuse(c *Client, operation string, req *http.Request, now time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lost == nil || !now.Before(r.until) {
		return nil
	}
	if down, ok := errors.AsType[*UnavailableError](r.lost); ok {
		again := *down
		again.unsent = tried(operation, req.Method, c.path(req.URL))
		return &again
	}
	e, ok := errors.AsType[*ConnectionError](r.lost)
	if !ok {
		return r.lost
	}
	again := *e
	again.Operation, again.Method, again.Path = operation, req.Method, c.path(req.URL)
	return &again
}

// UnavailableError is a service that was given up: it has answered nothing but
// failures from the first request of the client on.
type UnavailableError struct {
	// Lasted is how long that went on, Failures how many requests failed.
	Lasted   time.Duration
	Failures int

	// unsent is the request that was not sent any more; empty for the one that was the
	// last to be sent.
	unsent string
	cause  error
}

func (e *UnavailableError) Error() string {
	text := fmt.Sprintf("the service failed all %d requests of this run, for %s, and was given up: %s",
		e.Failures, waiting(e.Lasted), e.cause)
	if e.unsent != "" {
		return e.unsent + ": not sent: " + text
	}
	return text
}

// Unwrap returns the last failure.
func (e *UnavailableError) Unwrap() error { return e.cause }
