package client

import (
	"context"
	"net/http"
	"time"
)

// cancelGrace is how long an operation that was stopped may take to complete what it
// wrote: to look for an object whose create got no response, or to read what a write did.
const cancelGrace = 15 * time.Second

// isWrite reports whether a request changes something.
func isWrite(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// uncanceledWrite is the context of one request. A write that was sent is not given up
// when the operation is canceled, as Ctrl-C does: the service carries it out all the
// same, and its response belongs in the state. The deadline of the operation still ends it.
func uncanceledWrite(ctx context.Context, method string) (context.Context, context.CancelFunc) {
	if !isWrite(method) {
		return ctx, func() {}
	}
	return withoutCancel(ctx)
}

// withoutCancel keeps the deadline of a context and drops its cancellation.
func withoutCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	uncanceled := context.WithoutCancel(ctx)
	if deadline, ok := ctx.Deadline(); ok {
		return context.WithDeadline(uncanceled, deadline)
	}
	return context.WithCancel(uncanceled)
}

// withGrace returns a context that ends cancelGrace after ctx is canceled.
func withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx.Err() != nil {
		return context.WithTimeout(context.WithoutCancel(ctx), cancelGrace)
	}

	graced, cancel := withoutCancel(ctx)
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(cancelGrace, cancel) })
	return graced, func() {
		stop()
		cancel()
	}
}

// recordWrite records that the operation has written.
func recordWrite(ctx context.Context) {
	if running, ok := ctx.Value(budgetKey{}).(*operationBudget); ok {
		running.wrote.Store(true)
	}
}

// hasWritten reports whether the operation has written.
func hasWritten(ctx context.Context) bool {
	running, ok := ctx.Value(budgetKey{}).(*operationBudget)
	return ok && running.wrote.Load()
}
