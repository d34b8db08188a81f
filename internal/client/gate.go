package client

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// patience bounds the waiting of an operation whose context has no deadline. The
	// longest window over which the hosted service counts requests is an hour.
	patience = time.Hour
	// longWait is the longest wait that is not logged as a warning.
	longWait = 10 * time.Second
	// spread bounds what is added to pauses at random, so that processes that were
	// sent away together do not come back together.
	spread = 2 * time.Second
)

// gate is what every request of a client passes. It is shut for as long as the service
// asked all requests to pause, and lets them through one by one when a pace was set.
type gate struct {
	spacing time.Duration

	mu   sync.Mutex
	open time.Time // no request before
	slot time.Time // the pace allows the next one from here

	// The clock, replaced by tests.
	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	jitter func(time.Duration) time.Duration
}

func newGate(o Options) *gate {
	g := &gate{now: o.Now, sleep: o.Sleep, jitter: jitter}
	if g.now == nil {
		g.now = time.Now
	}
	if g.sleep == nil {
		g.sleep = Sleep
	}

	if o.RequestsPerMinute > 0 {
		g.spacing = time.Minute / time.Duration(o.RequestsPerMinute)
	}
	return g
}

// limit is when an operation has to stop waiting, by the clock of the gate, which a
// test may let run faster than that of contexts. All requests of an operation with a
// budget have the same.
func (g *gate) limit(ctx context.Context) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return g.now().Add(patience)
	}

	if running := operationBudgetFrom(ctx); running != nil {
		running.once.Do(func() { running.limit = g.now().Add(time.Until(deadline)) })
		return running.limit
	}
	return g.now().Add(time.Until(deadline))
}

// pass returns when the caller may send one request, not before a moment of its own.
// It returns at once, with how long the wait would be and no error, when that wait
// ends after the limit; and an error when the context ends. The reason is that of
// the wait.
func (g *gate) pass(ctx context.Context, notBefore, limit time.Time) (tooLong time.Duration, why reason, err error) {
	turn := turnFrom(ctx)
	for {
		now := g.now()
		if err := ctx.Err(); err != nil {
			_, why = g.wait(now, notBefore, turn)
			return 0, why, err
		}

		var wait time.Duration
		wait, why = g.takeSlot(now, notBefore, turn)
		switch {
		case wait <= 0:
			turn.pass()
			return 0, "", nil
		case now.Add(wait).After(limit):
			return wait, why, nil
		case wait > longWait:
			tflog.Warn(ctx, "waiting: "+string(why), map[string]any{"wait": wait.String()})
		}

		if err := g.sleep(ctx, wait); err != nil {
			return 0, why, err
		}
	}
}

// takeSlot takes the next slot, or returns how long to wait before asking again, and for
// what. A slot is not reserved in advance: a pause would let all reserved ones
// through together.
func (g *gate) takeSlot(now, notBefore time.Time, turn *turn) (time.Duration, reason) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if wait, why := g.waitLocked(now, notBefore, turn); wait > 0 {
		return wait, why
	}
	if g.slot.Before(now) {
		g.slot = now
	}
	g.slot = g.slot.Add(g.spacing)
	return 0, ""
}

// wait is how long the gate is shut for a request, and why, without taking a slot.
func (g *gate) wait(now, notBefore time.Time, turn *turn) (time.Duration, reason) {
	g.mu.Lock()
	defer g.mu.Unlock()

	return g.waitLocked(now, notBefore, turn)
}

// waitLocked is wait for a caller that holds the lock.
func (g *gate) waitLocked(now, notBefore time.Time, turn *turn) (time.Duration, reason) {
	from, why := g.open, waitThrottle
	if notBefore.After(from) {
		from, why = notBefore, waitFailure
	}
	if g.slot.After(from) && !turn.hasPassed() { // its other requests only follow the first one
		from, why = g.slot, waitPace
	}

	if wait := from.Sub(now); wait > 0 {
		return wait, why
	}
	return 0, ""
}

// hold shuts the gate for all requests of the client.
func (g *gate) hold(pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if until := g.now().Add(pause); until.After(g.open) {
		g.open = until
	}
}

// Sleep waits for d, or less when the context ends: what [Options] do by default.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()

	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// jitter is a random part of a pause to add to it.
func jitter(pause time.Duration) time.Duration {
	return rand.N(min(pause/4, spread) + 1) //nolint:gosec // no secret, only a spread
}

// reason is the reason for a wait.
type reason string

const (
	waitPace     reason = "requests_per_minute"
	waitThrottle reason = "the service asked for fewer requests"
	waitFailure  reason = "the service failed, the request is sent again"
)
