package faults

import (
	"sync"
	"time"
)

// Rate limits the number of requests in any period of the length Per.
type Rate struct {
	Requests int
	Per      time.Duration
}

// Limiter counts requests against a rate. It is not safe for concurrent use.
type Limiter struct {
	rate Rate
	// admitted are the times of the requests that still count, oldest first.
	admitted []time.Time
}

// NewLimiter returns a limiter that has not counted any requests.
func NewLimiter(r Rate) *Limiter { return &Limiter{rate: r} }

// Wait returns how long a request must wait. If the request may pass, Wait counts the request and returns 0.
// Otherwise, it does not count the request.
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

// ByKey limits each API key's requests by several rates. The rates count independently: a request that exceeds one
// rate can still count for the other. ByKey is safe for concurrent use.
type ByKey struct {
	rates []Rate

	mu       sync.Mutex
	limiters map[string][]*Limiter
}

// NewByKey returns a ByKey that has not counted any requests.
func NewByKey(rates ...Rate) *ByKey {
	return &ByKey{rates: rates, limiters: map[string][]*Limiter{}}
}

// Wait counts a request of a key and returns how long it must wait. It returns 0 if the request may pass.
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
