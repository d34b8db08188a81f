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
// asked all requests to pause. It lets requests out as turns, each of them a write with its
// look or another request alone: one by one when a pace was set, and when PostHog may refuse
// them.
type gate struct {
	spacing time.Duration

	mu        sync.Mutex
	open      time.Time // no request before
	slot      time.Time // the pace allows the next turn from here
	allowance allowance
	// queue wakes the turns that wait for a place.
	queue []context.CancelFunc

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

	if running := runningBudget(ctx); running != nil {
		running.once.Do(func() { running.limit = g.now().Add(time.Until(deadline)) })
		return running.limit
	}
	return g.now().Add(time.Until(deadline))
}

// pass returns when a turn may begin or go on, not before a moment of its own. It returns at
// once, with how long the wait would be and no error, when that wait ends after the limit; and
// an error when the context ends. The reason is that of the wait.
func (g *gate) pass(ctx context.Context, t *turn, notBefore, limit time.Time) (tooLong time.Duration, why reason, err error) {
	for {
		if err := ctx.Err(); err != nil {
			_, why = g.wait(notBefore, t)
			return 0, why, err
		}

		waiting, wake := context.WithCancel(ctx)
		wait, cause := g.enter(notBefore, t, wake)
		switch {
		case wait <= 0:
			wake()
			return 0, "", nil
		case g.now().Add(wait).After(limit):
			wake()
			return wait, cause, nil
		case wait > longWait:
			tflog.Warn(ctx, "waiting: "+string(cause), map[string]any{"wait": wait.String()})
		}

		err := g.sleep(waiting, wait)
		wake()
		if err != nil && ctx.Err() != nil {
			return 0, cause, err
		}
	}
}

// enter lets a turn pass, or returns how long to wait before asking again, and for what. wake
// is called when another turn ends that this one waits for. A slot is not reserved in advance: a pause would let all
// reserved ones through together.
func (g *gate) enter(notBefore time.Time, t *turn, wake context.CancelFunc) (time.Duration, reason) {
	g.mu.Lock()
	defer g.mu.Unlock()

	now := g.now() // not earlier than that of any turn before
	wait, cause := g.computeWait(now, notBefore, t)
	switch {
	case cause == waitTurn:
		g.queue = append(g.queue, wake)
		return wait, cause
	case wait > 0:
		return wait, cause
	}

	if !g.allowance.isOut(t) {
		g.slot = later(g.slot, now).Add(g.spacing)
	}
	g.allowance.pass(t, now)
	return 0, ""
}

// wait is how long the gate is shut for a turn, and why, without letting it pass.
func (g *gate) wait(notBefore time.Time, t *turn) (time.Duration, reason) {
	g.mu.Lock()
	defer g.mu.Unlock()

	return g.computeWait(g.now(), notBefore, t)
}

// computeWait is wait for a caller that holds the lock.
func (g *gate) computeWait(now, notBefore time.Time, t *turn) (time.Duration, reason) {
	earliest, cause := g.open, waitThrottle
	if notBefore.After(earliest) {
		earliest, cause = notBefore, waitFailure
	}

	if !g.allowance.isOut(t) { // its other requests only follow the first one
		if g.slot.After(earliest) {
			earliest, cause = g.slot, waitPace
		}
		if slot := g.allowance.slot(); slot.After(earliest) {
			earliest, cause = slot, waitThrottle
		}
		if !earliest.After(now) {
			earliest, cause = g.allowance.place(t, now), waitTurn
		}
	}

	if wait := earliest.Sub(now); wait > 0 {
		return wait, cause
	}
	return 0, ""
}

// sends records that a turn sends a request.
func (g *gate) sends(t *turn) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if t.requests++; t.requests > 1 {
		g.slot = g.slot.Add(g.spacing)
		g.allowance.next = g.allowance.next.Add(g.allowance.spacing)
	}
}

// recordSuccess records that PostHog did not refuse a request of a turn.
func (g *gate) recordSuccess(t *turn) {
	g.mu.Lock()
	defer g.mu.Unlock()

	g.allowance.serve(t, g.now())
}

// recordRefusal records that PostHog refused a request of a turn and asked for a pause, and shuts the
// gate for that long and somewhat longer.
func (g *gate) recordRefusal(t *turn, requested time.Duration) {
	g.hold(requested + g.jitter(requested))

	g.mu.Lock()
	defer g.mu.Unlock()

	now := g.now()
	g.allowance.refuse(t, now, now.Add(requested))
}

// end ends a turn, and wakes those that wait for its place.
func (g *gate) end(t *turn) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if !g.allowance.end(t) {
		return
	}
	for _, wake := range g.queue {
		wake()
	}
	g.queue = nil
}

// delaysWrite reports whether a write has to wait until its look does not count any more.
func (g *gate) delaysWrite(t *turn, notBefore time.Time) bool {
	wait, _ := g.wait(notBefore, t)
	return t.isStale(g.now().Add(wait))
}

// hold shuts the gate for all requests of the client.
func (g *gate) hold(pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if until := g.now().Add(pause); until.After(g.open) {
		g.open = until
	}
}

// later is the later of two moments.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
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
	return rand.N(min(pause/8, spread) + 1) //nolint:gosec // no secret, only a spread
}

// reason is the reason for a wait.
type reason string

const (
	waitPace     reason = "requests_per_minute"
	waitThrottle reason = "PostHog throttled requests"
	waitFailure  reason = "PostHog failed, and the request is retried"
	waitTurn     reason = "other requests go first"
)
