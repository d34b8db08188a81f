package client

import (
	"context"
	"net/http"
	"time"
)

// afterStop is how long an operation that was stopped may take to complete what it
// wrote: to look for an object whose create got no answer, or to read what a write did.
const afterStop = 15 * time.Second

// isWrite reports whether a request changes something.
func isWrite(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// finishing is the context of one request. A write that was sent is not given up when
// the operation is canceled, as Ctrl-C does: the service carries it out all the same,
// and its answer belongs in the state. The deadline of the operation still ends it.
func finishing(ctx context.Context, method string) (context.Context, context.CancelFunc) {
	if !isWrite(method) {
		return ctx, func() {}
	}
	return withoutCancel(ctx)
}

// withoutCancel keeps the deadline of a context and drops its cancellation.
func withoutCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	rest := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(rest, deadline)
	}
	return context.WithCancel(rest)
}

// lingering returns a context that ends a moment after ctx does.
func lingering(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() != nil {
		return context.WithTimeout(context.WithoutCancel(ctx), afterStop)
	}

	rest, cancel := withoutCancel(ctx)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(afterStop, cancel) })
	return rest, func() {
		stop()
		cancel()
	}
}

// noteWrite notes that the operation has written.
func noteWrite(ctx context.Context) {
	if s, ok := ctx.Value(budgetKey{}).(*spending); ok {
		s.wrote.Store(true)
	}
}

// hasWritten reports whether the operation has written.
func hasWritten(ctx context.Context) bool {
	s, ok := ctx.Value(budgetKey{}).(*spending)
	return ok && s.wrote.Load()
}
