package client

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	// patience limits the wait of an operation whose context has no deadline. PostHog's longest
	// rate-limit window is an hour.
	patience = time.Hour
	// longWait is the longest wait that is not logged as a warning.
	longWait = 10 * time.Second
	// spread limits the random part that is added to pauses, so that processes that were throttled
	// together do not all resume together.
	spread = 2 * time.Second
)

// gate controls when requests are sent. All of a client's requests pass through it. It is closed for
// as long as PostHog asked all requests to pause. It admits turns, each of which is a write with its
// look, or a single other request. If a pace is set, or if PostHog may refuse requests, it admits
// turns one by one.
type gate struct {
	spacing time.Duration

	mu        sync.Mutex
	open      time.Time // no request before this time
	slot      time.Time // the pace allows the next turn from this time on
	allowance allowance
	// queue wakes the turns that wait for a place.
	queue []context.CancelFunc

	// The clock. Tests replace it.
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

// limit returns when an operation must stop waiting, on the gate's clock, which tests may run
// faster than the clock of contexts. All requests of an operation with a budget share the same
// limit.
func (g *gate) limit(ctx context.Context, c call) time.Time {
	deadline, ok := ctx.Deadline()
	if !ok {
		return g.now().Add(patience)
	}

	if c.isTimed(ctx) {
		c.budget.once.Do(func() { c.budget.limit = g.now().Add(time.Until(deadline)) })
		return c.budget.limit
	}
	return g.now().Add(time.Until(deadline))
}

// pass blocks until a turn may start or continue, but at least until notBefore. If the wait would
// exceed limit, pass returns immediately with the wait in tooLong and a nil error. It returns an
// error only if ctx ends. why is the reason for the wait.
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

// enter lets a turn pass. If the turn must wait, enter returns the duration and the reason, and the caller calls enter
// again afterwards. enter calls wake when a turn that this one waits for ends. It does not reserve slots, because a
// pause would release all reservations at once.
func (g *gate) enter(notBefore time.Time, t *turn, wake context.CancelFunc) (time.Duration, reason) {
	g.mu.Lock()
	defer g.mu.Unlock()

	now := g.now() // not earlier than the time of any previous turn
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

// wait returns how long the gate is closed for a turn, and why. It does not let the turn pass.
func (g *gate) wait(notBefore time.Time, t *turn) (time.Duration, reason) {
	g.mu.Lock()
	defer g.mu.Unlock()

	return g.computeWait(g.now(), notBefore, t)
}

// computeWait is [gate.wait] for a caller that holds the lock.
func (g *gate) computeWait(now, notBefore time.Time, t *turn) (time.Duration, reason) {
	earliest, cause := g.open, waitThrottle
	if notBefore.After(earliest) {
		earliest, cause = notBefore, waitFailure
	}

	if !g.allowance.isOut(t) { // the turn's other requests follow the first without waiting
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

// recordSuccess records that PostHog did not refuse a turn's request.
func (g *gate) recordSuccess(t *turn) {
	g.mu.Lock()
	defer g.mu.Unlock()

	g.allowance.serve(t, g.now())
}

// recordRefusal records that PostHog refused a turn's request and requested a pause. It closes the
// gate for slightly longer than the pause.
func (g *gate) recordRefusal(t *turn, requested time.Duration) {
	g.hold(requested + g.jitter(requested))

	g.mu.Lock()
	defer g.mu.Unlock()

	now := g.now()
	g.allowance.refuse(t, now, now.Add(requested))
}

// end ends a turn, and wakes the turns that wait for its place.
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

// delaysWrite reports whether a write would wait so long that its look becomes stale.
func (g *gate) delaysWrite(t *turn, notBefore time.Time) bool {
	wait, _ := g.wait(notBefore, t)
	return t.isStale(g.now().Add(wait))
}

// hold closes the gate for all of the client's requests.
func (g *gate) hold(pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()

	if until := g.now().Add(pause); until.After(g.open) {
		g.open = until
	}
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Sleep waits for d, or until the context ends. It is the default in [Options].
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

// jitter returns a random duration to add to a pause.
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
