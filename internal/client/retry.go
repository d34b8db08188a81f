package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// The pause after an answer that names none: doubled at each one, up to a bound.
	firstPause, longestPause = 250 * time.Millisecond, 30 * time.Second
	// defaultTries is how many failures end an operation, half a minute after the
	// first when they come at once. A 429 is no failure and never counts, nor does a
	// failure that names a pause.
	defaultTries = 8
	// unreachableTries is the same where no connection comes about, which is more
	// often a wrong address than a service that starts: two seconds.
	unreachableTries = 4
	// failuresEnd bounds failures that take long, such as timeouts.
	failuresEnd = 2 * time.Minute
)

// tries remembers how one operation fared so far.
type tries struct {
	throttled, failed int
	failing           time.Time // since when, zero when it isn't
}

// verdict says what follows from an error.
type verdict struct {
	// again tells to send the request once more.
	again bool
	// pause is the least time before that.
	pause time.Duration
	// all tells that the service wants every request of the client to pause.
	all bool
}

// judge tells what to do about the error of an attempt. Every request is sent again
// when it certainly was not carried out; after a failure that may pass only one that
// does no harm when it is carried out twice. A create does: see [Surveys.CreateOnce].
func (t *tries) judge(method string, err error, now time.Time, most int) verdict {
	var wait time.Duration
	if e, ok := refusal(err); ok {
		wait = e.RetryAfter
	}
	if IsThrottled(err) {
		v := verdict{again: true, all: true, pause: pauseAfter(t.throttled, wait)}
		t.throttled++
		return v
	}
	if !mayPass(err) || method == http.MethodPost && !neverConnected(err) {
		return verdict{}
	}
	if wait > 0 {
		// A pause that the service asked for is waited for like that of a 429.
		t.failed = 0
		return verdict{again: true, pause: wait}
	}
	if t.failed == 0 {
		t.failing = now
	}
	v := verdict{pause: pauseAfter(t.failed, 0)}
	t.failed++
	if neverConnected(err) {
		most = min(most, unreachableTries)
	}
	v.again = t.failed < most && now.Add(v.pause).Sub(t.failing) < failuresEnd
	return v
}

// mayPass tells whether the next try may fare better.
func mayPass(err error) bool {
	if e, ok := refusal(err); ok {
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
	return ok && !errors.Is(err, context.Canceled) && !e.lasting
}

// neverConnected tells that the request can't have reached the service.
func neverConnected(err error) bool {
	e, ok := errors.AsType[*ConnectionError](err)
	return ok && !e.Sent
}

// isLasting tells that the other side isn't the service at all, whenever asked.
func isLasting(err error) bool {
	var dns *net.DNSError
	return isTLS(err) || errors.As(err, &dns) && dns.IsNotFound || strings.Contains(err.Error(), "malformed HTTP")
}

// pauseAfter is how long to wait after the nth failure (from 0) of an operation.
func pauseAfter(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	return min(firstPause<<min(n, 10), longestPause)
}
