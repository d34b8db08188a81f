package faults

import (
	"sync"
	"time"
)

// Rate is a limit of requests in any stretch of time of a length.
type Rate struct {
	Requests int
	Per      time.Duration
}

// Limiter counts requests against a rate. It is not safe for concurrent use.
type Limiter struct {
	rate Rate
	// admitted are the requests that were let through and still count, oldest first.
	admitted []time.Time
}

// NewLimiter returns a limiter that has counted nothing.
func NewLimiter(r Rate) *Limiter { return &Limiter{rate: r} }

// Wait counts a request and returns how long it has to wait; 0 lets it pass. A request
// that has to wait does not count.
func (l *Limiter) Wait(now time.Time) time.Duration {
	for len(l.admitted) > 0 && !l.admitted[0].After(now.Add(-l.rate.Per)) {
		l.admitted = l.admitted[1:]
	}

	if len(l.admitted) < l.rate.Requests {
		l.admitted = append(l.admitted, now)
		return 0
	}
	return l.admitted[0].Add(l.rate.Per).Sub(now)
}

// ByKey counts the requests of each key against several rates, each on its own: a
// request that one rate refuses can still count for the other. It is safe for concurrent
// use.
type ByKey struct {
	rates []Rate

	mu       sync.Mutex
	limiters map[string][]*Limiter
}

// NewByKey returns a counter that has seen no key.
func NewByKey(rates ...Rate) *ByKey {
	return &ByKey{rates: rates, limiters: map[string][]*Limiter{}}
}

// Wait counts a request of a key and returns how long it has to wait; 0 lets it pass.
func (b *ByKey) Wait(key string, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()

	limiters := b.limiters[key]
	if limiters == nil {
		for _, r := range b.rates {
			limiters = append(limiters, NewLimiter(r))
		}
		b.limiters[key] = limiters
	}

	var wait time.Duration
	for _, l := range limiters {
		wait = max(wait, l.Wait(now))
	}
	return wait
}
