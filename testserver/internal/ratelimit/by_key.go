package ratelimit

import (
	"sync"
	"time"
)

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
