package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// call is everything that sending a request requires, except for the HTTP request. It is made where
// an operation of the client starts, and passed to whatever sends.
type call struct {
	operation string
	// look must precede a write that replaces values. It is nil for other requests.
	look look
	// isOptional is set if the operation can do without the request. Its failures may last one minute,
	// which leaves the operation the rest of its time.
	isOptional bool
	// giveUpAt is when to give up on a request that fails, on the gate's clock. It is zero if only the
	// operation's time, or the minute of an optional request, limits the failures.
	giveUpAt time.Time
	// hide removes the request's sensitive values from text. It is nil if there are none.
	hide func(string) string
	// budget is the time limit of the caller's operation. It is nil if there is none.
	budget *operationBudget
	// within is the turn of the write to whose look the request belongs. It is nil if the request is
	// not part of a look.
	within *turn
}

// callKey is the package's only context key. A caller's operation spans several calls of this
// package, with code in between that only passes its context on: resources, response counters, and
// the functions that decide a write. Therefore the context contains the budget and the turn.
type callKey struct{}

// newCall returns a call with the budget and the turn that a context contains.
func newCall(ctx context.Context, operation string) call {
	outer, _ := ctx.Value(callKey{}).(call)
	outer.operation = operation
	return outer
}

// context returns a context for calls with the same budget and the given turn.
func (c call) context(ctx context.Context, within *turn) context.Context {
	return context.WithValue(ctx, callKey{}, call{budget: c.budget, within: within})
}

// optional returns the same call for a request that the operation can do without.
func (c call) optional() call {
	c.isOptional = true
	return c
}

// until returns the same call for a request that is given up if it still fails at a time.
func (c call) until(end time.Time) call {
	c.giveUpAt = end
	return c
}

// Budget is the time limit of a whole operation with all its requests and waits. Errors contain it,
// so that readers see which limit was exceeded.
type Budget struct {
	// Operation is create, read, update, or delete. It is empty if no setting changes the limit.
	Operation string
	// Length is how long the operation may take.
	Length time.Duration
}

// operationBudget is the Budget of a running operation.
type operationBudget struct {
	Budget
	deadline time.Time

	once sync.Once
	// limit is the deadline on the gate's clock.
	limit time.Time

	// wrote is set once a write of the operation succeeded.
	wrote atomic.Bool
}

// WithBudget returns a context that ends when the time is over.
func WithBudget(ctx context.Context, b Budget) (context.Context, context.CancelFunc) {
	running := &operationBudget{Budget: b}
	outer := newCall(ctx, "")
	outer.budget = running
	ctx, cancel := context.WithTimeout(outer.context(ctx, outer.within), b.Length)
	running.deadline, _ = ctx.Deadline()
	return ctx, cancel
}

// recordWrite records that the operation has written.
func (c call) recordWrite() {
	if c.budget != nil {
		c.budget.wrote.Store(true)
	}
}

// hasWritten reports whether the operation has written.
func (c call) hasWritten() bool { return c.budget != nil && c.budget.wrote.Load() }

// isTimed reports whether the operation's budget ends a context. It returns false if something else
// ends the context first, or if nothing does.
func (c call) isTimed(ctx context.Context) bool {
	deadline, _ := ctx.Deadline()
	return c.budget != nil && deadline.Equal(c.budget.deadline)
}

// sentence states the time limit in a sentence.
func (b Budget) sentence() string {
	operation := b.Operation
	if operation == "" {
		operation = "operation"
	}
	return fmt.Sprintf("the %s may take no longer than %s", operation, FormatDuration(b.Length))
}

// OutOfTime returns the budget that ended an operation, or that a wait would have exceeded. It
// returns false if err has another cause.
func OutOfTime(err error) (Budget, bool) {
	if heldBack, ok := errors.AsType[*HeldBackError](err); ok && heldBack.Budget.Length > 0 {
		return heldBack.Budget, heldBack.Wait > 0 || errors.Is(err, context.DeadlineExceeded)
	}

	e, ok := errors.AsType[*ConnectionError](err)
	if !ok || e.Budget.Length == 0 {
		return Budget{}, false
	}
	return e.Budget, true
}
