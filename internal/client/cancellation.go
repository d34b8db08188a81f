package client

import (
	"context"
	"net/http"
	"time"
)

// cancelGrace is how long a canceled operation may take to complete its writes: to search for an
// object whose create got no response, or to read the result of a write.
const cancelGrace = 15 * time.Second

// isWrite reports whether a method changes something.
func isWrite(method string) bool { return method != http.MethodGet && method != http.MethodHead }

// uncanceledWrite returns the context for one request. When the operation is canceled, for example by Ctrl-C, a write
// that was sent continues: PostHog carries it out anyway, and its response belongs in the state. The operation's
// deadline still ends it.
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
