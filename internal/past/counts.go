package past

import (
	"context"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Detached lists the current questions with detached answers, as [PlanRepair] finds them: a question
// certainly had the ID that received the most responses, and possibly had the IDs of missing
// questions. Unlike a repair, it does not guess that a question replaced another one at its position
// if the save kept all other IDs.
func (t *Timeline) Detached(ctx context.Context, counter Counter) (list identity.DetachedList) {
	p := planner{Timeline: t, counter: counter, match: identity.CompareSaved, moved: t.movedIDs(), taken: map[string]bool{}}
	for i, line := range t.LiveLineages() {
		q, ok := p.question(ctx, i, line)
		if !ok || q.Code == SharedID {
			continue
		}

		for n, c := range q.Choices() {
			isCertain := n == 0 && q.Old != nil
			if q.Old != nil && !isCertain && !c.isPossible() {
				continue // another ID that the question certainly had
			}
			list = append(list, identity.Detached{
				Position: i, Text: q.Text, ID: q.ID, OldID: c.ID, OldText: c.Text, IsPossible: !isCertain, HasSharedID: isRepeated(t.Live(), q.ID),
				Counts: newCounts(c.Responses, q.Answers),
			})
		}
	}
	return list
}

// Relation returns how a current question is related to a missing one with an old ID, if they have different
// lineages. It is empty for two questions that no one can tell apart: they were equal in the last list that contains
// both, or no list contains both and they are equal.
func (t *Timeline) Relation(id, oldID string) identity.Relation {
	line, old := t.byID[id], t.byID[oldID]
	if line == nil || old == nil || line == old {
		return ""
	}

	last, isSeparate := 0, false
	isTwin := line.Last().isTwin(old.Last())
	for k, members := range t.Members {
		i, j := slices.Index(members, line), slices.Index(members, old)
		if j >= 0 {
			last = k
		}
		if i >= 0 && j >= 0 {
			isTwin = t.Lists[k].Questions[i].isTwin(t.Lists[k].Questions[j])
			isSeparate = !isTwin
		}
	}

	switch {
	case isSeparate:
		return identity.Separate
	case !isTwin && line.first > last+1:
		return identity.Later
	}
	return ""
}

// Counts returns the answers under both IDs for a question with detached answers that another source
// found. If the log does not contain the old ID, that ID can have no answers beyond those counted so
// far.
func (t *Timeline) Counts(ctx context.Context, counter Counter, d identity.Detached) identity.Counts {
	holding, _ := t.Holding(d.OldID)
	if current, isCurrent := t.Holding(d.ID); isCurrent && !holding.IsLost() {
		holding.Periods = []Period{{Until: current.Periods[0].From}}
	}
	var before Count
	if holding.IsLost() {
		before = counter.Responses(ctx, holding)
	}
	return newCounts(before, t.Answers(ctx, counter, d.ID))
}

// newCounts converts the counts of an old and a current ID. If the current ID has or may have
// answers, the question keeps it.
func newCounts(before, since Count) (counts identity.Counts) {
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
	holding, ok := t.Holding(id)
	if !ok || counted.IsKnown() || holding.Periods[0].From.IsZero() {
		return counted
	}

	holding.Periods = slices.Clone(holding.Periods)
	holding.Periods[len(holding.Periods)-1].Until = end
	return counter.Responses(ctx, holding)
}
