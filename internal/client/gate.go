package client

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"sync"
	"time"
)

const (
	// patience bounds the waiting of an operation whose context has no deadline. The
	// longest window over which the hosted service counts requests is an hour.
	patience = time.Hour
	// The pause after a 429 that names no time: doubled at each one, up to a bound.
	firstPause, longestPause = 250 * time.Millisecond, 30 * time.Second
)

// gate is what every request of a client passes. It is shut until a moment when the
// service said that it is asked too much, and lets requests through one by one when
// a pace was set.
type gate struct {
	spacing time.Duration

	mu   sync.Mutex
	open time.Time // no request before
	slot time.Time // the pace allows the next one from here

	// The clock, replaced by tests.
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

func newGate(perMinute int) *gate {
	g := &gate{now: time.Now, sleep: sleep}
	if perMinute > 0 {
		g.spacing = time.Minute / time.Duration(perMinute)
	}
	return g
}

// limit is when an operation that starts now has to stop waiting.
func (g *gate) limit(ctx context.Context) time.Time {
	if deadline, ok := ctx.Deadline(); ok {
		return deadline
	}
	return g.now().Add(patience)
}

// pass returns when the caller may send one request. It returns at once, with how
// long the wait would be and no error, when that wait ends after the limit; and an
// error when the context ends.
func (g *gate) pass(ctx context.Context, limit time.Time) (tooLong time.Duration, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		now := g.now()
		wait := g.enter(now)
		switch {
		case wait <= 0:
			return 0, nil
		case now.Add(wait).After(limit):
			return wait, nil
		}
		if err := g.sleep(ctx, wait); err != nil {
			return 0, err
		}
	}
}

// enter takes the next slot, or tells how long to wait before asking again. A slot
// is not reserved in advance: a pause would let all reserved ones through together.
func (g *gate) enter(now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := g.open
	if g.slot.After(from) {
		from = g.slot
	}
	if wait := from.Sub(now); wait > 0 {
		return wait
	}
	g.slot = now.Add(g.spacing)
	return 0
}

// hold shuts the gate for all requests of the client.
func (g *gate) hold(pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := g.now().Add(pause); until.After(g.open) {
		g.open = until
	}
}

// sleep waits for d, or less when the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// pauseAfter is how long to wait after the nth 429 (from 0) of an operation.
func pauseAfter(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	return min(firstPause<<min(n, 10), longestPause)
}

// inText finds the wait in the text of a 429 of the hosted service, which sends no
// Retry-After with it.
var inText = regexp.MustCompile(`(?i)available in (\d{1,9}) seconds?`)

// retryAfter is how long the service asked to wait; zero when it named no time or
// one that is over.
func retryAfter(h http.Header, detail string, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		// The service's own clock, when it shows it: ours may be minutes off.
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date
		}
		return max(at.Sub(now), 0)
	}
	if m := inText.FindStringSubmatch(detail); m != nil {
		if seconds, err := strconv.Atoi(m[1]); err == nil {
			return time.Duration(seconds) * time.Second
		}
	}
	return 0
}
