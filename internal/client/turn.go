package client

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A write replaces only what its caller has seen. So the caller decides on it by what is there,
// and decides again before each attempt that follows a wait, be it at the gate, after a 429 or
// after a failure: what a teammate saved meanwhile would be replaced otherwise.

// staleAfter is the wait after which a look does not count any more.
const staleAfter = time.Second

// look reads what a write is about, and returns the request to send. lost is set if an earlier
// attempt may have been carried out. If it returns a response, that is the outcome, and nothing
// is sent.
type look func(ctx context.Context, lost bool) (*http.Request, *response, error)

// turn is what the gate lets out as one: a write with the requests of its look, or any other
// request alone. The first request waits, and the others follow at once, so that no other turn
// comes between a look and its write.
type turn struct {
	// hasLook is set for the turn of a write that looks.
	hasLook bool

	// These belong to the gate: whether it let the turn out, after how many refusals, and how many
	// requests the turn has sent since.
	hasBegun           bool
	refusals, requests int

	mu sync.Mutex
	// seen is when the first request was answered, and busy how long those after it took.
	seen time.Time
	busy time.Duration
}

type turnKey struct{}

func withTurn(ctx context.Context, t *turn) context.Context {
	return context.WithValue(ctx, turnKey{}, t)
}

// contextTurn is the turn of the write that a request looks for; nil if it is not part of a look.
func contextTurn(ctx context.Context) *turn {
	t, _ := ctx.Value(turnKey{}).(*turn)
	return t
}

// recordResponse records that a request was answered, or that the object was there without one.
func (t *turn) recordResponse(sentAt, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if t.seen.IsZero() {
		t.seen = now
		return
	}
	t.busy += now.Sub(sentAt)
}

// isStale reports whether a write that is sent at a time has waited since its look: at the gate,
// for a retry, or for what another goroutine holds.
func (t *turn) isStale(sendTime time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return sendTime.Sub(t.seen)-t.busy > staleAfter
}

// outgoing is a request on its way out.
type outgoing struct {
	call
	req *http.Request
	// turn is that of the next attempt; nil before it has one.
	turn *turn
	// lost is the failure of an attempt that may have been carried out.
	lost error
}

// ready waits until the request may be sent, and looks before it when that is due. If it
// returns a response, that is the outcome, and nothing is sent.
func (c *Client) ready(ctx context.Context, o *outgoing, w wait) (*response, error) {
	if o.look == nil {
		if o.turn = contextTurn(ctx); o.turn == nil {
			o.turn = &turn{}
		}
		return nil, c.waitForSlot(ctx, o, w)
	}

	for {
		if o.turn == nil || c.gate.delaysWrite(o.turn, w.notBefore) {
			// The turn waits, and then looks.
			c.gate.end(o.turn)
			o.turn = &turn{hasLook: true}
			if err := c.waitForSlot(ctx, o, w); err != nil {
				return nil, err
			}
			if done, err := c.look(ctx, o); done != nil || err != nil {
				return done, err
			}
			continue // a look may take long
		}

		if err := c.waitForSlot(ctx, o, w); err != nil {
			return nil, err
		}
		if !o.turn.isStale(c.gate.now()) {
			return nil, nil //nolint:nilnil // the request is to be sent
		}
	}
}

// look looks in the turn of a write, and makes the request to send of what it finds.
func (c *Client) look(ctx context.Context, o *outgoing) (*response, error) {
	req, done, err := o.look(withTurn(ctx, o.turn), o.lost != nil)
	switch {
	case err != nil && o.lost != nil:
		return nil, fmt.Errorf("%w. PostHog may have carried out an earlier attempt: %w", err, o.lost)
	case err != nil || done != nil:
		return done, err
	}

	o.req = req
	now := c.gate.now()
	o.turn.recordResponse(now, now)
	return nil, nil //nolint:nilnil // the request is to be sent
}
