package testserver

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// rate is a limit of requests in any stretch of time of a length.
type rate struct {
	requests int
	per      time.Duration
}

// rates are the limits of the service on the requests of one API key.
var rates = [...]rate{
	{480, time.Minute},
	{4800, time.Hour},
}

// limiter counts requests against a rate.
type limiter struct {
	rate
	// seen are the requests that were let through and still count, oldest first.
	seen []time.Time
}

// take counts a request and says how long it has to wait; 0 lets it pass.
func (l *limiter) take(now time.Time) time.Duration {
	for len(l.seen) > 0 && !l.seen[0].After(now.Add(-l.per)) {
		l.seen = l.seen[1:]
	}
	if len(l.seen) < l.requests {
		l.seen = append(l.seen, now)
		return 0
	}
	return l.seen[0].Add(l.per).Sub(now)
}

// throttle remembers when keys made their requests, for each rate on its own: a
// request that one rate refuses can still count for the other.
type throttle struct {
	mu   sync.Mutex
	keys map[string]*[len(rates)]limiter
}

func newThrottle() *throttle { return &throttle{keys: map[string]*[len(rates)]limiter{}} }

// take counts a request of a key and says how long it has to wait; 0 lets it pass.
func (t *throttle) take(key string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	limiters := t.keys[key]
	if limiters == nil {
		limiters = &[len(rates)]limiter{}
		for i := range limiters {
			limiters[i].rate = rates[i]
		}
		t.keys[key] = limiters
	}
	var wait time.Duration
	for i := range limiters {
		wait = max(wait, limiters[i].take(now))
	}
	return wait
}

// checkThrottle refuses a request that comes too early, where limits are switched on.
// The service says the time to wait in words and in a header.
func (x *exchange) checkThrottle(st *store) *failure {
	limited := x.organization != nil && x.organization.has(FeatureThrottling)
	if !x.server.throttling && !limited {
		return nil
	}
	return tooEarly(st.throttle.take(x.key.key, x.server.time(st)))
}

// tooEarly is the 429 of a request that has to wait; nil when it has not.
func tooEarly(wait time.Duration) *failure {
	if wait <= 0 {
		return nil
	}
	f := failureFor(http.StatusTooManyRequests)
	seconds := int(math.Ceil(wait.Seconds()))
	unit := "seconds"
	if seconds == 1 {
		unit = "second"
	}
	f.retryAfter = strconv.Itoa(seconds)
	f.detail += fmt.Sprintf(" Expected available in %d %s.", seconds, unit)
	return f
}
