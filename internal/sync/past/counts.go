package past

import (
	"context"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Counts are the answers under both IDs of a question with detached answers. Where there are or may
// be some under the new ID, [PlanRepair] leaves the question to a person.
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

// Answers are those to a question that the survey has. Under no ID there are none. Where PostHog does
// not count them, they are at most the responses since the question got the ID.
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
