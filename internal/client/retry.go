package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// The pause after a response without one: it doubles each time, up to
	// a bound.
	firstPause, longestPause = 250 * time.Millisecond, 30 * time.Second
	// unreachableTries is how often a service is tried that never answered and cannot be
	// reached, which is more often a wrong address than a service that starts: two
	// seconds, or unreachableEnd where each try takes long.
	unreachableTries = 4
	unreachableEnd   = 5 * time.Second
	// failuresEnd bounds the failures of an application that is there and fails, a 500,
	// and all failures where no budget bounds the operation: then there is another way,
	// such as reading objects one by one.
	failuresEnd = time.Minute
)

// retryPolicy decides what to do after the error of an attempt.
type retryPolicy func(state *retryState, method string, err error, now time.Time) decision

// retryState is the state of the attempts of a request.
type retryState struct {
	// inOperation is set for what an operation with a time of its own cannot do without.
	inOperation bool
	// boundedByBudget is set when the operation's time bounds the failures of a service
	// that is not there: restarted, overloaded, behind a broken connection.
	boundedByBudget bool
	// patience is how long other failures may last.
	patience time.Duration
	// awaySince is since when every request of the client has failed before this one, where
	// no operation bounds them: each would wait as long as the first. Else zero.
	awaySince time.Time
	// answered is set once the service has answered, so the address is right.
	answered bool
	// failingSince is when the service began to respond with failures alone, from the
	// first request of the client on; zero when it ever succeeded.
	failingSince time.Time

	// throttled and failed count the 429s and the failures, firstFailure is when the
	// first of these failures was, or when the pause ended that the service asked for.
	throttled, failed int
	firstFailure      time.Time
	// paused is set once the service asked for a pause after a failure.
	paused bool
}

// newRetryState is the state of a request that is about to be sent.
func (c *Client) newRetryState(ctx context.Context, bound failuresBound) retryState {
	inOperation := runningBudget(ctx) != nil
	s := retryState{
		inOperation: inOperation && !bound.isOptional, boundedByBudget: inOperation && !bound.isSet,
		patience: failuresEnd,
	}

	if !bound.end.IsZero() {
		s.patience = max(0, bound.end.Sub(c.gate.now()))
	}
	if ctx.Value(budgetKey{}) == nil {
		s.awaySince = c.breaker.soFar().away
	}
	return s
}

// decision is what to do after an error.
type decision struct {
	// retry is set when the request is sent again.
	retry bool
	// pause is the minimum time before that.
	pause time.Duration
	// pauseAll is set when the service wants every request of the client to pause.
	pauseAll bool
	// unavailable is set when the service is given up for all requests of the client.
	unavailable bool
}

// next decides what to do after the error of an attempt. A request that certainly was not
// carried out is sent again; after a transient failure only one that may be carried out
// twice. A create may not: see [Surveys.CreateOnce].
func (s *retryState) next(method string, err error, now time.Time) decision {
	var asked time.Duration
	e, refused := asAPIError(err)
	if refused {
		asked = e.RetryAfter
	}

	if IsThrottled(err) {
		s.throttled++
		return decision{retry: true, pauseAll: true, pause: pauseAfter(s.throttled-1, asked)}
	}
	if !isTransient(err) || method == http.MethodPost && !isNotSent(err) {
		return decision{}
	}

	// A service that fails from the first request on is given up for all requests.
	neverSucceeded := s.inOperation && !s.failingSince.IsZero()
	if neverSucceeded && now.Sub(s.failingSince) >= failuresEnd {
		return decision{unavailable: true}
	}

	if s.firstFailure.IsZero() {
		s.firstFailure = now
	}

	// A pause that the service asked for is waited for like that of a 429. Without an
	// operation that ends it, only the first one is not counted.
	if asked > 0 && (s.boundedByBudget || s.outageLength(now) < s.patience) {
		if s.boundedByBudget || !s.paused {
			s.firstFailure = now.Add(asked)
		}
		s.failed, s.paused = 0, true
		return decision{retry: true, pause: asked}
	}

	pause := pauseAfter(s.failed, 0)
	s.failed++

	isBounded := !neverSucceeded && (!s.boundedByBudget || refused && e.Status == http.StatusInternalServerError)
	switch {
	case isNotSent(err) && !s.answered && s.triedEnough(now):
		return decision{}
	case !s.boundedByBudget && timedOut(err):
		return decision{}
	case isBounded && s.outageLength(now) >= s.patience:
		return decision{}
	}

	// The last try is when the time is over.
	switch {
	case neverSucceeded:
		pause = min(pause, failuresEnd-now.Sub(s.failingSince))
	case isBounded:
		pause = min(pause, s.patience-s.outageLength(now))
	}
	return decision{retry: true, pause: pause}
}

// outageLength is how long the service has failed.
func (s *retryState) outageLength(now time.Time) time.Duration {
	since := s.firstFailure
	if !s.awaySince.IsZero() && s.awaySince.Before(since) {
		since = s.awaySince
	}
	return now.Sub(since)
}

// triedEnough reports whether a service that has never answered was tried often or long
// enough.
func (s *retryState) triedEnough(now time.Time) bool {
	return s.failed >= unreachableTries || now.Sub(s.firstFailure) >= unreachableEnd
}

// isTransient reports whether the next attempt may succeed.
func isTransient(err error) bool {
	if e, ok := asAPIError(err); ok {
		switch e.Status {
		case http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return true
		}
		return false
	}

	if _, ok := errors.AsType[*CutOffError](err); ok {
		return true
	}

	e, ok := errors.AsType[*ConnectionError](err)
	return ok && !errors.Is(err, context.Canceled) && !e.permanent
}

// isNotSent reports whether the request cannot have reached the service.
func isNotSent(err error) bool {
	e, ok := errors.AsType[*ConnectionError](err)
	return ok && !e.Sent
}

// timedOut reports whether a request reached its timeout. The next attempt probably would
// too.
func timedOut(err error) bool {
	e, ok := errors.AsType[*ConnectionError](err)
	return ok && e.Timeout
}

// isPermanent reports whether the other side is certainly not the service.
func isPermanent(err error) bool {
	var dns *net.DNSError
	return isTLS(err) || errors.As(err, &dns) && dns.IsNotFound || strings.Contains(err.Error(), "malformed HTTP")
}

// maxRetriesSetting is the setting that bounds how often one request is sent again. What it
// allows is never more than what is safe: a create is not sent again because of it.
const maxRetriesSetting = "max_retries"

// ParseMaxRetries reads the setting as a text: nil, for no such bound, if it is empty. Its error
// is a [SettingError].
func ParseMaxRetries(text string) (*int, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // no bound is no error
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		// Without the value: it may be the key that somebody put there by mistake.
		return nil, &SettingError{maxRetriesSetting, "must be a whole number, or 0 to disable retries"}
	}
	return &n, nil
}

// mayRetry reports whether a request that was sent again so often may be once more.
func (c *Client) mayRetry(retries int) bool { return c.maxRetries == nil || retries < *c.maxRetries }

// pauseAfter is the pause after the nth failure (from 0) of an operation: as long as the service
// asked for, or else twice the one before.
func pauseAfter(n int, requested time.Duration) time.Duration {
	if requested > 0 {
		return requested
	}

	pause := firstPause
	for range n {
		if pause > longestPause/2 {
			return longestPause
		}
		pause *= 2
	}
	return pause
}

// RetriesError is a failure after which the request would have been sent again, and
// max_retries was reached.
type RetriesError struct {
	// Again is how often the request was sent again.
	Again int

	cause error
}

// Error implements error.
func (e *RetriesError) Error() string {
	setting := maxRetriesSetting + ", " + Variable(maxRetriesSetting)
	if e.Again == 0 {
		return fmt.Sprintf("%s (not retried, because %s, is 0)", e.cause, setting)
	}
	return fmt.Sprintf("%s (retried %d times, the maximum that %s, allows)", e.cause, e.Again, setting)
}

// Unwrap returns the last failure.
func (e *RetriesError) Unwrap() error { return e.cause }
