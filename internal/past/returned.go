package past

import (
	"context"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Returned reports whether a write that adds a question restores a deleted one: a question with q's ID,
// or otherwise with q's type and text. Among several, it prefers one with the same content, and then the
// one that was deleted last.
func (t *Timeline) Returned(ctx context.Context, counter Counter, position int, q identity.Question) (identity.Returned, bool) {
	added := Question{Question: q}
	missing := t.MissingLineages()
	index := slices.IndexFunc(missing, func(l *Lineage) bool { return q.ID != "" && l.place(q.ID) >= 0 })
	isReattached := index >= 0
	if !isReattached && t.IsLive(q.ID) {
		return identity.Returned{}, false // the ID moves
	}

	for i, line := range missing {
		if isReattached || !line.HasEverBeen(added) {
			continue
		}
		isSame := func(l *Lineage) bool { return l.Last().Content == q.Content }
		if index < 0 || isSame(line) && !isSame(missing[index]) || isSame(line) == isSame(missing[index]) && line.lastList() > missing[index].lastList() {
			index = i
		}
	}
	if index < 0 || len(missing[index].Holdings) == 0 {
		return identity.Returned{}, false
	}

	line := missing[index]
	holding := line.Holdings[len(line.Holdings)-1]
	if isReattached {
		holding = line.Holdings[line.place(q.ID)]
	}
	found := identity.Returned{Position: position, Text: q.Text, OldID: holding.ID, OldText: holding.Last.Text, IsReattached: isReattached}
	if count := counter.Responses(ctx, holding); count.IsKnown() {
		found.Before = count.Number
	}
	return found, true
}

// lastList returns the index of the last list in which the question had an ID.
func (l *Lineage) lastList() int {
	last := -1
	for _, holding := range l.Holdings {
		last = max(last, holding.lastPeriod().lastList)
	}
	return last
}
