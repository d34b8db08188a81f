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
	// The pause after a response that requests none. It doubles each time up to longestPause.
	firstPause, longestPause = 250 * time.Millisecond, 30 * time.Second
	// unreachableTries is how often the client tries to reach a server that never responded. A wrong URL is more
	// likely than a server that is starting. The tries take two seconds, or unreachableEnd if each try takes long.
	unreachableTries = 4
	unreachableEnd   = 5 * time.Second
	// failuresEnd limits how long the client retries a server that responds with failures (500). If the
	// operation has no time limit, it also limits all other failures. After that, callers can fall back,
	// for example to reading objects one by one.
	failuresEnd = time.Minute
)

// retryPolicy decides what to do after a failed attempt.
type retryPolicy func(state *retryState, method string, err error, now time.Time) decision

// retryState is the state of a request's attempts.
type retryState struct {
	// inOperation is set for requests that an operation with a time limit requires.
	inOperation bool
	// boundedByBudget is set if the operation's time limit also limits failures of a server that is
	// restarting, overloaded, or behind a broken connection.
	boundedByBudget bool
	// patience is how long other failures may last.
	patience time.Duration
	// awaySince is when every request of the client began to fail, if no operation limits the failures. It prevents
	// each request from waiting as long as the first. It is zero if this does not apply.
	awaySince time.Time
	// answered is set once the server has responded, so the URL is right.
	answered bool
	// failingSince is when the server began to respond only with failures, starting with the
	// client's first request. It is zero if a request ever succeeded.
	failingSince time.Time

	// throttled and failed count the 429s and the failures. firstFailure is when the first of these
	// failures occurred, or when the pause that PostHog requested ended.
	throttled, failed int
	firstFailure      time.Time
	// paused is set once PostHog requested a pause after a failure.
	paused bool
}

// newRetryState returns the initial state of a request that is about to be sent.
func (c *Client) newRetryState(ctx context.Context, call call) retryState {
	inOperation := call.isTimed(ctx) && !call.isOptional
	s := retryState{inOperation: inOperation, boundedByBudget: inOperation && call.giveUpAt.IsZero(), patience: failuresEnd}
	if !call.giveUpAt.IsZero() {
		s.patience = max(0, call.giveUpAt.Sub(c.gate.now()))
	}
	if call.budget == nil {
		s.awaySince = c.breaker.soFar().away
	}
	return s
}

// decision is what to do after an error.
type decision struct {
	// retry is set if the request is sent again.
	retry bool
	// pause is the minimum time before that.
	pause time.Duration
	// pauseAll is set if PostHog asks every request of the client to pause.
	pauseAll bool
	// unavailable is set if the client gives up on the server for all requests.
	unavailable bool
}

// next decides what to do after a failed attempt. It retries a request that certainly was not
// carried out. After a transient failure, it retries only requests that may safely be carried out
// twice. Creates may not (see [Surveys.CreateOnce]).
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

	// If the server fails from the first request on, give up for all requests.
	neverSucceeded := s.inOperation && !s.failingSince.IsZero()
	if neverSucceeded && now.Sub(s.failingSince) >= failuresEnd {
		return decision{unavailable: true}
	}

	if s.firstFailure.IsZero() {
		s.firstFailure = now
	}

	// Wait for a requested pause like for a 429's pause. Unless an operation limits the wait, only the
	// first pause does not count as failure time.
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

	// Make the last attempt when the time is over.
	switch {
	case neverSucceeded:
		pause = min(pause, failuresEnd-now.Sub(s.failingSince))
	case isBounded:
		pause = min(pause, s.patience-s.outageLength(now))
	}
	return decision{retry: true, pause: pause}
}

// outageLength returns how long the server has failed.
func (s *retryState) outageLength(now time.Time) time.Duration {
	since := s.firstFailure
	if !s.awaySince.IsZero() && s.awaySince.Before(since) {
		since = s.awaySince
	}
	return now.Sub(since)
}

// triedEnough reports whether a server that never responded was tried often enough or long enough.
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

// isNotSent reports whether the request certainly did not reach the server.
func isNotSent(err error) bool {
	e, ok := errors.AsType[*ConnectionError](err)
	return ok && !e.Sent
}

// timedOut reports whether a request reached its timeout. The next attempt would probably time out
// again.
func timedOut(err error) bool {
	e, ok := errors.AsType[*ConnectionError](err)
	return ok && e.Timeout
}

// isPermanent reports whether the server is certainly not PostHog.
func isPermanent(err error) bool {
	var dns *net.DNSError
	return isTLS(err) || errors.As(err, &dns) && dns.IsNotFound || strings.Contains(err.Error(), "malformed HTTP")
}

// maxRetriesSetting is the setting that limits how often one request is retried. It never makes an
// unsafe retry happen: creates are not repeated.
const maxRetriesSetting = "max_retries"

// ParseMaxRetries parses the setting. It returns nil, for no limit, if the text is empty. Its error
// is a [SettingError].
func ParseMaxRetries(text string) (*int, error) {
	if text == "" {
		return nil, nil //nolint:nilnil // no bound is no error
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		// Omit the value, because it may be a key that was set by mistake.
		return nil, &SettingError{maxRetriesSetting, "must be a whole number, or 0 to disable retries"}
	}
	return &n, nil
}

// mayRetry reports whether a request may be retried again after the given number of retries.
func (c *Client) mayRetry(retries int) bool { return c.maxRetries == nil || retries < *c.maxRetries }

// pauseAfter returns the pause after the nth failure (from 0) of an operation: the requested pause,
// or twice the previous one.
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

// RetriesError is a failure whose request was not retried again because of max_retries.
type RetriesError struct {
	// Again is how often the request was retried.
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
