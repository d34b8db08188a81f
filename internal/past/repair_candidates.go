package past

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

const isUncertain = "it could be a question that lost its ID, or a new one"

// restore proposes the lost ID with the most responses. If several IDs have equally many, it proposes the oldest of
// them, because a response at the moment of a save counts for both IDs. Unless all counts are exact, it proposes the
// oldest ID. If none of the IDs has responses, the answers may belong to a missing question, which may have been
// reworded when it first lost its ID. restore returns false if no answers are detached, because all of them are under
// the current ID.
func (p *planner) restore(ctx context.Context, q *LostQuestion, live Question, line *Lineage, past []Holding) bool {
	best, isCounted := 0, true
	counts := make([]Count, len(past))
	for k, holding := range past {
		counts[k] = p.counter.Responses(ctx, holding)
		isCounted = isCounted && counts[k].IsKnown()
	}
	for k := range past {
		if isCounted && counts[k].Least() > counts[best].Least() {
			best = k
		}
	}

	suspects := slices.DeleteFunc(p.suspects(ctx, live, line), func(c Candidate) bool { return c.Responses.IsNone() })
	if isCounted && counts[best].IsNone() && len(suspects) > 0 {
		q.Others = suspects
		q.leave(Unresolved, "uncertain", isUncertain)
		return true
	}
	if answers := p.Answers(ctx, p.counter, live.ID); isCounted && counts[best].IsNone() && answers.Least() > 0 {
		return false
	}
	q.Old = new(p.candidate(ctx, past[best], matchAfterLoss(line, past[best].ID, q.ID)))
	for k, holding := range past {
		if k != best {
			q.Others = append(q.Others, p.candidate(ctx, holding, matchAfterLoss(line, holding.ID, q.ID)))
		}
	}
	q.Others = append(q.Others, suspects...)
	q.Outcome = Planned
	return true
}

// matchAfterLoss returns how a question was recognized when it received the ID after the given one.
func matchAfterLoss(line *Lineage, id, live string) Match {
	index := slices.IndexFunc(line.Holdings, func(h Holding) bool { return h.ID == id })
	if index+1 < len(line.Holdings) {
		return line.Holdings[index+1].Match
	}
	if live == "" { // PostHog has not assigned an ID since
		return ByText
	}
	return ByID
}

func (p *planner) candidate(ctx context.Context, holding Holding, evidence Match) Candidate {
	p.taken[holding.ID] = true
	return Candidate{ID: holding.ID, Text: holding.Last.Text, Evidence: evidence, Source: holding.Source, Responses: p.counter.Responses(ctx, holding)}
}

// weigh leaves a question to the user if the repair would detach answers under its new ID.
func (p *planner) weigh(q *LostQuestion, isDecided bool) {
	if q.Outcome != Planned || isDecided || q.Answers.IsNone() {
		return
	}
	now, oldCount := q.Answers, q.Old.Responses
	switch {
	case now.IsKnown() && oldCount.IsKnown() && now.Least() >= oldCount.Least():
		q.leave(Unresolved, "new_has_more", fmt.Sprintf("it has %s under its new ID, and %s under the old one", now.Words(), oldCount.Estimate()))
	case p.options.DetachedAnswers:
	case now.Least() > 0:
		q.leave(Unresolved, "detaches_answers", fmt.Sprintf("it has %s under its new ID, which would be detached for %s under the old one: "+
			"decide, or set --allow-detached-answers to give up the smaller number", now.Words(), oldCount.Estimate()))
	default:
		q.leave(Unresolved, "may_detach_answers", fmt.Sprintf("it may have answers under its new ID (PostHog does not count them), which would be detached for %s "+
			"under the old one: decide, or set --allow-detached-answers to restore it anyway", oldCount.Estimate()))
	}
}

// ownID returns the ID that a question had before a save gave it the ID of another one.
func (p *planner) ownID(ctx context.Context, i int) []Candidate {
	holding, ok := p.Holding(p.moved[i].ID)
	if !ok || p.isChosen(holding.ID) {
		return nil
	}
	own := p.candidate(ctx, holding, SameText)
	own.Text = p.moved[i].Text
	return []Candidate{own}
}

// suspects returns the IDs of missing and retyped questions that a question may continue.
func (p *planner) suspects(ctx context.Context, live Question, line *Lineage) []Candidate {
	predecessors := p.predecessors(line)
	now, hasID := p.Holding(live.ID)
	var found []Candidate
	for _, gone := range p.Lineages {
		isAsked := func(q Question) bool { return p.byID[q.ID] == gone && q.Type == live.Type }
		if gone == line || slices.ContainsFunc(p.Live(), isAsked) {
			continue
		}
		for _, holding := range p.past(live, gone) {
			evidence := findEvidence(live, line, gone, holding.Last, slices.Contains(predecessors, gone))
			// An ID that was lost only after the question received its own ID can't belong to the same
			// question.
			if evidence != "" && (!hasID || holding.WasLostBefore(now)) {
				found = append(found, p.candidate(ctx, holding, evidence))
			}
		}
	}
	rank := []Match{SameText, OlderText, SimilarOrPlace}
	slices.SortStableFunc(found, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(slices.Index(rank, a.Evidence), slices.Index(rank, b.Evidence)), cmp.Compare(b.Responses.Least(), a.Responses.Least()))
	})
	return found
}

// predecessors returns the questions that a question may have replaced, directly or one after the other.
func (p *planner) predecessors(line *Lineage) []*Lineage {
	lines := []*Lineage{line}
	for k := 0; k < len(lines); k++ {
		for _, earlier := range p.Predecessors(lines[k], p.match) {
			if !slices.Contains(lines, earlier) {
				lines = append(lines, earlier)
			}
		}
	}
	return lines[1:]
}

// findEvidence returns the evidence that a question continues a missing one, or "". last is the latest form of the
// missing question under the ID in question.
func findEvidence(live Question, line, gone *Lineage, last Question, isPredecessor bool) Match {
	switch {
	case line.HasEverBeen(last):
		return SameText
	case gone.HasEverBeen(live):
		return OlderText
	case isPredecessor:
		return SimilarOrPlace
	}
	return ""
}
