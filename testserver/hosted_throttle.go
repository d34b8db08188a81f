package testserver

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"
)

// rates are the limits of the service on the requests of one API key.
var rates = [...]struct {
	requests int
	per      time.Duration
}{
	{480, time.Minute},
	{4800, time.Hour},
}

// throttle remembers when keys made their requests, oldest first, for each rate on
// its own: a request that one rate refuses can still count for the other.
type throttle struct {
	mu   sync.Mutex
	seen [len(rates)]map[string][]time.Time
}

func newThrottle() *throttle {
	t := &throttle{}
	for i := range t.seen {
		t.seen[i] = map[string][]time.Time{}
	}
	return t
}

// take counts a request of a key and says how long it has to wait; 0 lets it pass.
func (t *throttle) take(key string, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	var wait time.Duration
	for i, rate := range rates {
		seen := t.seen[i][key]
		for len(seen) > 0 && !seen[0].After(now.Add(-rate.per)) {
			seen = seen[1:]
		}
		if len(seen) < rate.requests {
			seen = append(seen, now)
		} else {
			wait = max(wait, seen[0].Add(rate.per).Sub(now))
		}
		t.seen[i][key] = seen
	}
	return wait
}

// checkThrottle refuses a request that comes too early, where limits are switched on.
// The service says the time to wait in words alone, not in a header.
func (x *exchange) checkThrottle(st *store) *failure {
	if !x.server.throttling && !x.organization.has(FeatureThrottling) {
		return nil
	}
	wait := st.throttle.take(x.key.key, x.server.time(st))
	if wait <= 0 {
		return nil
	}
	f := failureFor(http.StatusTooManyRequests)
	seconds := int(math.Ceil(wait.Seconds()))
	unit := "seconds"
	if seconds == 1 {
		unit = "second"
	}
	f.detail += fmt.Sprintf(" Expected available in %d %s.", seconds, unit)
	return f
}
