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
	// unreachableTries is how often a service is tried that never answered and can't be
	// reached, which is more often a wrong address than a service that starts: two
	// seconds, or unreachableEnd where each try takes long.
	unreachableTries = 4
	unreachableEnd   = 5 * time.Second
	// failuresEnd bounds the failures of an application that is there and fails, a 500,
	// and all failures where nobody said how long an operation may take: then there is
	// another way, such as reading objects one by one.
	failuresEnd = 2 * time.Minute
)

// tries remembers how one operation fared so far.
type tries struct {
	// most failures end the operation; 0 for any number.
	most int
	// budgeted says that the operation's time bounds the failures of a service that is
	// not there: restarted, overloaded, behind a broken connection.
	budgeted bool
	// known says that the service has answered before, so the address is right.
	known bool
	// unserved is since when the service has answered nothing but failures, from the
	// first request of the client on; zero when it ever answered well.
	unserved time.Time

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
	// down tells that the service is given up for all requests of the client.
	down bool
}

// judge tells what to do about the error of an attempt. Every request is sent again
// when it certainly was not carried out; after a failure that may pass only one that
// does no harm when it is carried out twice. A create does: see [Surveys.CreateOnce].
func (t *tries) judge(method string, err error, now time.Time) verdict {
	var wait time.Duration
	bounded := !t.budgeted
	if e, ok := refusal(err); ok {
		wait = e.RetryAfter
		bounded = bounded || e.Status == http.StatusInternalServerError
	}
	if IsThrottled(err) {
		v := verdict{again: true, all: true, pause: pauseAfter(t.throttled, wait)}
		t.throttled++
		return v
	}
	if !mayPass(err) || method == http.MethodPost && !neverConnected(err) {
		return verdict{}
	}
	down := t.budgeted && !t.unserved.IsZero()
	if down && now.Sub(t.unserved) >= failuresEnd {
		return verdict{down: true}
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
	switch {
	case t.most > 0 && t.failed >= t.most:
	case neverConnected(err) && !t.known && (t.failed >= unreachableTries || now.Sub(t.failing) >= unreachableEnd):
	case !t.budgeted && timedOut(err):
	case bounded && !down && now.Add(v.pause).Sub(t.failing) >= failuresEnd:
	default:
		v.again = true
	}
	if left := failuresEnd - now.Sub(t.unserved); down && v.pause > left {
		v.pause = left // the last try is when the time is over
	}
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

// timedOut tells that a request took all the time that one may take. The next would
// too, more often than not.
func timedOut(err error) bool {
	e, ok := errors.AsType[*ConnectionError](err)
	return ok && e.Timeout
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
