package past

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Outcome says what becomes of a question.
type Outcome string

// The outcomes.
const (
	// Planned gets an old id; Done has got it.
	Planned Outcome = "planned"
	Done    Outcome = "done"
	// Unresolved waits for a decision.
	Unresolved Outcome = "unresolved"
	// Skipped is not as it was when it was planned.
	Skipped Outcome = "skipped"
	// Failed ended with an error, NotRun was not begun.
	Failed Outcome = "failed"
	NotRun Outcome = "not_run"
)

// ByDecision is a question that a person recognized.
const ByDecision Match = "decision"

// LostQuestion is a question that lost its id, or may have.
type LostQuestion struct {
	Index int    `json:"index"`
	ID    string `json:"id"`
	Type  string `json:"type"`
	Text  string `json:"question"`
	// Answers are those under the id that it has.
	Answers Count `json:"answers"`
	// Old is the id that it gets, or that is proposed; nil for none.
	Old *Candidate `json:"old,omitempty"`
	// Others are ids that it had or may have had, besides.
	Others  []Candidate `json:"others"`
	Outcome Outcome     `json:"outcome"`
	// Code and Reason say why it is left.
	Code   Code   `json:"code,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Decisions are the arguments of the flag that decides about it, by its choices; the last one
	// leaves it as it is, if it has an id.
	Decisions []string `json:"decisions,omitempty"`
	// Restored is the number of answers that the question has after the repair; nil when the
	// service does not say.
	Restored *int64 `json:"restored,omitempty"`
}

// Choices are the ids that a question may get.
func (q LostQuestion) Choices() []Candidate {
	switch {
	case q.Code == SharedID:
		return nil
	case q.Old == nil:
		return q.Others
	}
	return append([]Candidate{*q.Old}, q.Others...)
}

// leave says why a question does not get its id.
func (q *LostQuestion) leave(outcome Outcome, code Code, reason string) {
	q.Outcome, q.Code, q.Reason = outcome, code, reason
}

// Candidate is an id that a question had, or that a question had which is gone.
type Candidate struct {
	ID string `json:"id"`
	// Text is what the question said under the id last.
	Text string `json:"question"`
	// Evidence says how the question was recognized.
	Evidence Match  `json:"matched_by"`
	Source   Source `json:"source"`
	// Responses are those to the survey while the question had the id: at most as many answers
	// are under it.
	Responses Count `json:"responses"`
}

// The evidence for questions that may be one that is gone: none of it is certain.
const (
	// SameText is a question with its type and text, which others have or had as well.
	SameText Match = "same text"
	// OlderText is one that says what it once said.
	OlderText Match = "older text"
	// SimilarOrPlace is one with a similar text, or in its place.
	SimilarOrPlace Match = "similar text or place"
)

// RepairPlan is what a repair of a survey does.
type RepairPlan struct {
	SurveyID string
	// Questions are those that lost their ids or may have.
	Questions []LostQuestion
	// Gone are the ids of questions that are gone, and that no other one is taken for.
	Gone []Candidate

	// seen are the questions of the survey as they were read.
	seen []json.RawMessage
	live []Question
	// known are all ids that questions of the survey have or had.
	known []string
}

// RepairOptions say what a plan may do.
type RepairOptions struct {
	// DetachedAnswers allows to write an old id back to a question with answers under its new one.
	DetachedAnswers bool
	// Decisions are what a person decided.
	Decisions []Decision
}

// PlanRepair plans the repair of a survey. raws are its questions, timeline is their past.
func PlanRepair(ctx context.Context, id string, raws []json.RawMessage, timeline *Timeline, counter Counter, options RepairOptions) (RepairPlan, error) {
	p := planner{Timeline: timeline, counter: counter, options: options, taken: map[string]bool{}}
	if err := p.decide(); err != nil {
		return RepairPlan{}, err
	}

	plan := RepairPlan{SurveyID: id, Questions: []LostQuestion{}, Gone: []Candidate{}, seen: raws, live: timeline.Live()}
	for _, line := range timeline.Lineages {
		for _, holding := range line.Holdings {
			plan.known = append(plan.known, holding.ID)
		}
	}
	for i, line := range timeline.LiveLineages() {
		if q, ok := p.question(ctx, i, line); ok {
			q.Decisions = plan.decisions(q)
			plan.Questions = append(plan.Questions, q)
		}
	}
	for _, line := range timeline.MissingLineages() {
		for _, holding := range timeline.LostIDs(line) {
			if !p.taken[holding.ID] {
				plan.Gone = append(plan.Gone, p.candidate(ctx, holding, ""))
			}
		}
	}
	return plan, ctx.Err()
}

// Count is the number of questions with one of the outcomes.
func (p RepairPlan) Count(outcomes ...Outcome) int {
	n := 0
	for _, q := range p.Questions {
		if slices.Contains(outcomes, q.Outcome) {
			n++
		}
	}
	return n
}

// decisions are those among which a person may choose.
func (p RepairPlan) decisions(q LostQuestion) (decisions []string) {
	if q.Outcome != Unresolved || len(q.Choices()) == 0 {
		return nil
	}
	name := p.Short(q.ID)
	hasID := func(q2 Question) bool { return q2.ID == q.ID }
	isShared := slices.ContainsFunc(p.live[:q.Index], hasID) || slices.ContainsFunc(p.live[q.Index+1:], hasID)
	if q.ID == "" || isShared || strings.Contains(q.ID, "=") {
		name = fmt.Sprintf("questions[%d]", q.Index)
	}
	for _, choice := range q.Choices() {
		decisions = append(decisions, name+"="+p.Short(choice.ID))
	}
	if q.ID != "" {
		decisions = append(decisions, name+"="+p.Short(q.ID))
	}
	return decisions
}

// Short returns the first letters of an id of the survey that no other one begins with, for a
// person to read. Every decision may name an id so.
func (p RepairPlan) Short(id string) string {
	for n := shortest; n < len(id); n++ {
		if isOther := func(knownID string) bool { return knownID != id && strings.HasPrefix(knownID, id[:n]) }; !slices.ContainsFunc(p.known, isOther) {
			return id[:n]
		}
	}
	return id
}

// planner plans a repair.
type planner struct {
	*Timeline
	counter Counter
	options RepairOptions
	// decided are the ids that a person chose, by the index of the question; taken are the ids
	// that the plan names.
	decided map[int]string
	taken   map[string]bool
}

// question plans what becomes of a question; not ok for one that has nothing to repair.
func (p *planner) question(ctx context.Context, i int, line *Lineage) (LostQuestion, bool) {
	live := p.Live()[i]
	q := LostQuestion{Index: i, ID: live.ID, Type: live.Type, Text: live.Text, Others: []Candidate{}, Outcome: Unresolved}
	chosen, isDecided := p.decided[i]
	if isDecided && chosen == live.ID {
		return q, false
	}

	past := p.past(live, line)
	switch {
	case isDecided:
		holding, _ := p.Holding(chosen)
		q.Old = new(p.candidate(ctx, holding, ByDecision))
		q.Outcome = Planned
	case line.IsShared:
		q.leave(Unresolved, SharedID, fmt.Sprintf("questions have or had the id %s at the same time, and their answers cannot be told apart: "+
			"give one of them another id in the code or the web interface", q.ID))
	case len(past) > 0 && !line.IsRestored(live.ID):
		p.restore(ctx, &q, live, line, past)
	case len(past) > 0:
		return q, false
	default:
		if q.Others = p.suspects(ctx, live, line); len(q.Others) == 0 {
			return q, false
		}
		q.leave(Unresolved, "uncertain", isUncertain)
	}

	q.Answers = p.Answers(ctx, p.counter, live.ID)
	p.weigh(&q, isDecided)
	return q, true
}

// past are the ids that a question had, and that it may get: those that no question has, of its
// type.
func (p *planner) past(live Question, line *Lineage) []Holding {
	return slices.DeleteFunc(p.LostIDs(line), func(h Holding) bool {
		return h.Last.Type != live.Type || p.isChosen(h.ID)
	})
}

// isChosen reports whether a person gave an id to a question.
func (p *planner) isChosen(id string) bool {
	for _, chosen := range p.decided {
		if chosen == id {
			return true
		}
	}
	return false
}
