package past

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Counts returns the answers under both IDs of a question with detached answers. If the new ID has
// or may have answers, [PlanRepair] leaves the question to the user.
func (t *Timeline) Counts(ctx context.Context, counter Counter, d identity.Detached) (counts identity.Counts) {
	var before Count
	if holding, ok := t.Holding(d.OldID); ok {
		before = counter.Responses(ctx, holding)
	}
	since := t.Answers(ctx, counter, d.ID)

	if before.IsKnown() {
		counts.Before = before.Number
	}
	if since.IsKnown() {
		counts.Since = since.Number
	}
	counts.Stays = !since.IsNone()
	return counts
}

// Answers counts the answers to a current question. An empty ID has none. If PostHog does not count
// answers, the result is at most the number of responses since the question received the ID.
func (t *Timeline) Answers(ctx context.Context, counter Counter, id string) Count {
	if id == "" {
		return ExactCount(0)
	}
	counted := counter.Answers(ctx, id)
	if holding, ok := t.Holding(id); ok && !counted.IsKnown() && !holding.From.IsZero() {
		holding.Until = end
		return counter.Responses(ctx, holding)
	}
	return counted
}
