package client

import (
	"context"
	"sync"
	"time"
)

// Waits counts how long an operation waited, so that the caller can report it.
type Waits struct {
	mu                sync.Mutex
	throttled, failed time.Duration
}

type waitsKey struct{}

// WithWaits returns a context whose waits are counted in the Waits returned.
func WithWaits(ctx context.Context) (context.Context, *Waits) {
	w := &Waits{}
	return context.WithValue(ctx, waitsKey{}, w), w
}

// Throttled is the time that requests waited because the service throttled them (429).
func (w *Waits) Throttled() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.throttled
}

// Failed is the time that requests waited for a retry after a failure of the service.
func (w *Waits) Failed() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.failed
}

// reason is the reason for a wait.
type reason string

const (
	waitPace     reason = "requests_per_minute" // the user's own setting, not reported
	waitThrottle reason = "the service asked for fewer requests"
	waitFailure  reason = "the service failed, the request is sent again"
)

// addWait adds a wait to the Waits of the context, if it has any.
func addWait(ctx context.Context, why reason, d time.Duration) {
	w, ok := ctx.Value(waitsKey{}).(*Waits)
	if !ok {
		return
	}

	w.mu.Lock()
	defer w.mu.Unlock()

	switch why {
	case waitThrottle:
		w.throttled += d
	case waitFailure:
		w.failed += d
	case waitPace:
	}
}

// forwardTo starts to forward waits to the Waits of another context, which waits for the
// same request. The function that it returns adds those since.
func (w *Waits) forwardTo(ctx context.Context) func() {
	throttled, failed := w.Throttled(), w.Failed()
	return func() {
		addWait(ctx, waitThrottle, w.Throttled()-throttled)
		addWait(ctx, waitFailure, w.Failed()-failed)
	}
}
