package client

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Budget is the time that a whole operation may take, with all its requests and
// waits. Errors name it, so that the reader knows which time was over.
type Budget struct {
	// Operation is what the time is for: create, read, update or delete. Empty when
	// no setting changes it.
	Operation string
	// Length is how long the operation may take.
	Length time.Duration
}

type budgetKey struct{}

// operationBudget is the Budget of an operation that is running.
type operationBudget struct {
	Budget
	deadline time.Time

	once sync.Once
	// limit is the deadline by the clock of the gate.
	limit time.Time

	// wrote is set once a write of the operation succeeded.
	wrote atomic.Bool
}

// WithBudget returns a context that ends when the time is over.
func WithBudget(ctx context.Context, b Budget) (context.Context, context.CancelFunc) {
	running := &operationBudget{Budget: b}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, budgetKey{}, running), b.Length)
	running.deadline, _ = ctx.Deadline()
	return ctx, cancel
}

// operationBudgetFrom returns the budget that ends a context; nil when something else
// ends it first, or nothing does.
func operationBudgetFrom(ctx context.Context) *operationBudget {
	running, ok := ctx.Value(budgetKey{}).(*operationBudget)
	if deadline, _ := ctx.Deadline(); !ok || !deadline.Equal(running.deadline) {
		return nil
	}
	return running
}

// budgetFrom is the Budget that ends a context; zero when operationBudgetFrom is nil.
func budgetFrom(ctx context.Context) Budget {
	if running := operationBudgetFrom(ctx); running != nil {
		return running.Budget
	}
	return Budget{}
}

// failuresBound says when the failures of requests end them, rather than the operation's
// time.
type failuresBound struct {
	// end is that moment by the gate's clock; zero for a minute of failures.
	end time.Time
	// isOptional is set for requests that the operation can do without.
	isOptional bool
}

type failuresBoundKey struct{}

// bestEffort is the context of requests that an operation can do without: failures end
// them in a minute, and leave the operation the rest of its time.
func bestEffort(ctx context.Context) context.Context { return bestEffortUntil(ctx, time.Time{}) }

// bestEffortUntil is bestEffort with another end.
func bestEffortUntil(ctx context.Context, end time.Time) context.Context {
	return context.WithValue(ctx, failuresBoundKey{}, failuresBound{end, true})
}

// failingUntil is the context of requests that are sent again until a moment of the gate's
// clock.
func failingUntil(ctx context.Context, end time.Time) context.Context {
	return context.WithValue(ctx, failuresBoundKey{}, failuresBound{end, false})
}

// sentence says in a sentence what the time is.
func (b Budget) sentence() string {
	operation := b.Operation
	if operation == "" {
		operation = "operation"
	}
	return fmt.Sprintf("the %s may take no longer than %s", operation, FormatDuration(b.Length))
}

// OutOfTime returns the budget that ended an operation, or would have ended it
// during a wait that was not begun. False when err has another cause.
func OutOfTime(err error) (Budget, bool) {
	if held, ok := errors.AsType[*HeldBackError](err); ok && held.Budget.Length > 0 {
		return held.Budget, held.Wait > 0 || errors.Is(err, context.DeadlineExceeded)
	}

	e, ok := errors.AsType[*ConnectionError](err)
	if !ok || e.Budget.Length == 0 {
		return Budget{}, false
	}
	return e.Budget, true
}
