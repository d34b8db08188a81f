package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Budget is the time that a whole operation may take, with all its requests and
// waits. Errors name it, so that the reader knows which time was over.
type Budget struct {
	// Operation is what the time is for: create, read, update or delete. Empty when
	// nobody can set it.
	Operation string
	// Length is how long the operation may take.
	Length time.Duration
}

type budgetKey struct{}

// spending is a Budget that an operation spends.
type spending struct {
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
	s := &spending{Budget: b}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, budgetKey{}, s), b.Length)
	s.deadline, _ = ctx.Deadline()
	return ctx, cancel
}

type optionalKey struct{}

// optional is the context of requests that an operation can do without: failures end
// them in minutes, and leave the operation the rest of its time.
func optional(ctx context.Context) context.Context {
	return context.WithValue(ctx, optionalKey{}, true)
}

// mayWait tells that the time of the operation alone bounds how long failures last.
func mayWait(ctx context.Context) bool {
	return spent(ctx) != nil && ctx.Value(optionalKey{}) == nil
}

// spent is the budget that ends a context; nil when something else ends it first, or
// nothing.
func spent(ctx context.Context) *spending {
	s, ok := ctx.Value(budgetKey{}).(*spending)
	if deadline, _ := ctx.Deadline(); !ok || !deadline.Equal(s.deadline) {
		return nil
	}
	return s
}

// budget is the one that ends a context; none when spent is nil.
func budget(ctx context.Context) Budget {
	if s := spent(ctx); s != nil {
		return s.Budget
	}
	return Budget{}
}

// bounds says in a sentence what the time is.
func (b Budget) bounds() string {
	operation := b.Operation
	if operation == "" {
		operation = "operation"
	}
	return fmt.Sprintf("the %s may take no longer than %s", operation, FormatDuration(b.Length))
}

// FormatDuration writes a duration as people do: 30m where Go writes 30m0s.
func FormatDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if short, ok := strings.CutSuffix(text, zero); ok {
			text = short + zero[:1]
		}
	}
	return text
}

// OutOfTime returns the budget that ended an operation, or would have ended it
// during a wait that was not begun. False when err has another cause.
func OutOfTime(err error) (Budget, bool) {
	if held, ok := errors.AsType[*HeldBackError](err); ok && held.Budget.Length > 0 {
		return held.Budget, held.Wait > 0 || errors.Is(err, context.DeadlineExceeded)
	}
	broken, ok := errors.AsType[*ConnectionError](err)
	if !ok || broken.Budget.Length == 0 {
		return Budget{}, false
	}
	return broken.Budget, true
}
