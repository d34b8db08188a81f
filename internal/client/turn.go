package client

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A write must not overwrite a concurrent edit. Therefore the caller computes the request from the
// current object, and computes it again before every attempt that follows a wait (at the gate,
// after a 429, or after a failure).

// staleAfter is the wait after which a look is stale.
const staleAfter = time.Second

// look reads the object and returns the request to send. lost is set if an earlier attempt may have
// been carried out. If look returns a response, that is the outcome, and nothing is sent.
type look func(ctx context.Context, lost bool) (*http.Request, *response, error)

// turn is the unit that the gate admits: a write with the requests of its look, or a single other
// request. The first request waits, and the others follow immediately, so that no other turn comes
// between a look and its write.
type turn struct {
	// hasLook is set if the turn is a write with a look.
	hasLook bool

	// These fields belong to the gate: whether it admitted the turn, after how many refusals, and
	// how many requests the turn has sent since.
	hasBegun           bool
	refusals, requests int

	mu sync.Mutex
	// seen is when the first request got its response. busy is how long the later requests took.
	seen time.Time
	busy time.Duration
}

// recordResponse records a response, or that the object was available without a request.
func (t *turn) recordResponse(sentAt, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()

	if t.seen.IsZero() {
		t.seen = now
		return
	}
	t.busy += now.Sub(sentAt)
}

// isStale reports whether a write at sendTime would have waited since its look: at the gate, for a
// retry, or for a lock.
func (t *turn) isStale(sendTime time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return sendTime.Sub(t.seen)-t.busy > staleAfter
}

// outgoing is a request that is about to be sent.
type outgoing struct {
	call
	req *http.Request
	// turn is the next attempt's turn, or nil before it starts.
	turn *turn
	// lost is the failure of an attempt that may have been carried out.
	lost error
}

// ready waits until the request may be sent, and performs the look when it is due. If ready returns
// a response, that is the outcome, and nothing is sent.
func (c *Client) ready(ctx context.Context, o *outgoing, w wait) (*response, error) {
	if o.look == nil {
		if o.turn = o.within; o.turn == nil {
			o.turn = &turn{}
		}
		return nil, c.waitForSlot(ctx, o, w)
	}

	for {
		if o.turn == nil || c.gate.delaysWrite(o.turn, w.notBefore) {
			// Wait first, and then look.
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

// look performs a write's look, and sets the request to send.
func (c *Client) look(ctx context.Context, o *outgoing) (*response, error) {
	req, done, err := o.look(o.context(ctx, o.turn), o.lost != nil)
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
