package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A write replaces only what its caller has seen. So the caller decides on it by what is there,
// and decides again before each attempt that follows a wait, be it at the gate, after a 429 or
// after a failure: what somebody saved meanwhile would be replaced otherwise.

// staleAfter is the wait after which a look does not count any more.
const staleAfter = time.Second

// look reads what a write is about, and returns the request to send. lost is set if an earlier
// attempt may have been carried out. If it returns a response, that is the outcome, and nothing
// is sent.
type look func(ctx context.Context, lost bool) (*http.Request, *response, error)

// change is an update that is decided by what is there.
type change[T, R any] struct {
	client    *Client
	operation string
	// build makes the request of the operation, retrieve reads the object.
	build    func(body R) (*http.Request, error)
	retrieve func(ctx context.Context) (*response, error)
	// decide makes the body of what is there, an empty one if nothing is to be changed, or the
	// error of a write that must not be made.
	decide func(ctx context.Context, live T) (R, error)
	// seen is the object if the service has just returned it; nil if it has to be read first.
	seen *T
}

// run updates the object, and returns it as it is then.
func (c change[T, R]) run(ctx context.Context) (T, error) {
	var sent R
	route, err := c.build(sent)
	return object[T](c.client.doAsSeen(ctx, c.operation, route, err, func(ctx context.Context, lost bool) (*http.Request, *response, error) {
		live, found, err := c.live(ctx)
		if err != nil {
			return nil, nil, err
		}
		// What an attempt of this change has done, whose response was lost, is nobody's edit.
		if lost && found != nil && holds(live, sent) {
			return nil, found, nil
		}

		if sent, err = c.decide(ctx, live); err != nil {
			return nil, nil, err
		}
		if raw, err := json.Marshal(sent); err != nil || string(raw) != "{}" {
			req, err := c.build(sent)
			return req, nil, err
		}
		if found == nil {
			found, err = c.retrieve(ctx)
		}
		return nil, found, err
	}))
}

// live is the object that is there; without a response if the service has just returned it.
func (c *change[T, R]) live(ctx context.Context) (T, *response, error) {
	if seen := c.seen; seen != nil {
		c.seen = nil
		return *seen, nil, nil
	}
	found, err := c.retrieve(ctx)
	live, err := object[T](found, err)
	return live, found, err
}

// removal deletes an object unless check, which is given what is there, returns an error.
type removal[T any] struct {
	client    *Client
	operation string
	retrieve  func(ctx context.Context) (*response, error)
	check     func(ctx context.Context, live T) error
}

// run takes the results of the request builder.
func (r removal[T]) run(ctx context.Context, req *http.Request, err error) error {
	return noContent(r.client.doAsSeen(ctx, r.operation, req, err, func(ctx context.Context, _ bool) (*http.Request, *response, error) {
		live, err := object[T](r.retrieve(ctx))
		if err == nil {
			err = r.check(ctx, live)
		}
		return req, nil, err
	}))
}

// outgoing is a request on its way out.
type outgoing struct {
	operation string
	req       *http.Request
	// look has to come before a write that replaces something; nil for other requests. turn is
	// that of its last run.
	look look
	turn *turn
	// lost is the failure of an attempt that may have been carried out.
	lost error
}

// ready waits until the request may be sent, and looks before it when that is due. If it
// returns a response, that is the outcome, and nothing is sent.
func (c *Client) ready(ctx context.Context, o *outgoing, w wait) (*response, error) {
	for {
		if o.look == nil || o.turn != nil {
			if err := c.waitForSlot(withTurn(ctx, o.turn), o.operation, o.req, w); err != nil {
				return nil, err
			}
			if o.look == nil || !o.turn.isStale(c.gate.now()) {
				return nil, nil //nolint:nilnil // the request is to be sent
			}
		}

		o.turn = &turn{}
		req, done, err := o.look(withTurn(ctx, o.turn), o.lost != nil)
		switch {
		case err != nil && o.lost != nil:
			return nil, fmt.Errorf("%w. An earlier attempt may have been carried out: %w", err, o.lost)
		case err != nil || done != nil:
			return done, err
		}
		o.req = req
		o.turn.ended = c.gate.now()
	}
}

// turn is the turn of a write at the gate, which it shares with the requests of its look: the
// first one waits for the pace of the client, and those that follow pass at once. Otherwise each
// look would be as old as the pace is slow when the write is sent.
type turn struct {
	// ended is when the look ended.
	ended time.Time

	mu sync.Mutex
	// isOpen is set once a request has passed the gate, isSeen once one was answered. waited is
	// how long those after it waited: what it has read is as old.
	isOpen, isSeen bool
	waited         time.Duration
}

type turnKey struct{}

func withTurn(ctx context.Context, t *turn) context.Context {
	if t == nil {
		return ctx
	}
	return context.WithValue(ctx, turnKey{}, t)
}

// turnFrom is the turn that a request belongs to. Requests without a look before them have one
// each.
func turnFrom(ctx context.Context) *turn {
	if t, ok := ctx.Value(turnKey{}).(*turn); ok {
		return t
	}
	return &turn{}
}

// hasPassed reports whether a request of the turn has passed the gate.
func (t *turn) hasPassed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.isOpen
}

// pass records that a request passes the gate.
func (t *turn) pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.isOpen = true
}

// answered records that a request was answered, after a wait.
func (t *turn) answered(waited time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.isSeen {
		t.waited += waited
	}
	t.isSeen = true
}

// isStale reports whether a write has waited since its look.
func (t *turn) isStale(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waited+now.Sub(t.ended) > staleAfter
}
