package client

import (
	"context"
	"sync"
	"time"
)

// Waits is how long an operation was held back, so that the caller can report it.
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

// Throttled is how long requests waited because the service asked for fewer (429).
func (w *Waits) Throttled() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.throttled
}

// Failed is how long requests waited after the service had failed, to be sent again.
func (w *Waits) Failed() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.failed
}

// reason is what a request waits for.
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

// forwardTo begins to forward waits to the Waits of another context, which waits for the
// same. The function that it returns adds those since.
func (w *Waits) forwardTo(ctx context.Context) func() {
	throttled, failed := w.Throttled(), w.Failed()
	return func() {
		addWait(ctx, waitThrottle, w.Throttled()-throttled)
		addWait(ctx, waitFailure, w.Failed()-failed)
	}
}
