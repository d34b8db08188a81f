package client

import (
	"context"
	"sync"
	"time"
)

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
