package past

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
)

// Outcome describes what happens to a question.
type Outcome string

// The possible outcomes.
const (
	// Planned questions will receive an old ID. Done questions have received it.
	Planned Outcome = "planned"
	Done    Outcome = "done"
	// Unresolved questions need a decision.
	Unresolved Outcome = "unresolved"
	// Skipped questions changed after the plan.
	Skipped Outcome = "skipped"
	// Failed questions ended with an error. NotRun questions were not processed.
	Failed Outcome = "failed"
	NotRun Outcome = "not_run"
)

// ByDecision means that the user matched the question.
const ByDecision Match = "decision"

// LostQuestion is a question that certainly or possibly lost its ID.
type LostQuestion struct {
	Index int    `json:"index"`
	ID    string `json:"id"`
	Type  string `json:"type"`
	Text  string `json:"question"`
	// Answers counts the answers under the current ID.
	Answers Count `json:"answers"`
	// Old is the ID to restore or propose, or nil.
	Old *Candidate `json:"old,omitempty"`
	// Others are further IDs that the question had or may have had.
	Others  []Candidate `json:"others"`
	Outcome Outcome     `json:"outcome"`
	// Code and Reason explain why the question is not repaired.
	Code   Code   `json:"code,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Decisions are the flag arguments for each choice. The last argument keeps the current ID, if there
	// is one.
	Decisions []string `json:"decisions,omitempty"`
	// Restored is the number of answers after the repair, or nil if PostHog does not report it.
	Restored *int64 `json:"restored,omitempty"`
}

// Choices returns the IDs that the question could receive.
func (q LostQuestion) Choices() []Candidate {
	switch {
	case q.Code == SharedID:
		return nil
	case q.Old == nil:
		return q.Others
	}
	return append([]Candidate{*q.Old}, q.Others...)
}

// leave records why a question does not receive its old ID.
func (q *LostQuestion) leave(outcome Outcome, code Code, reason string) {
	q.Outcome, q.Code, q.Reason = outcome, code, reason
}

// Candidate is an earlier ID of a question, or the ID of a missing question.
type Candidate struct {
	ID string `json:"id"`
	// Text is the latest text of the question under the ID.
	Text string `json:"question"`
	// Evidence describes how the question was recognized.
	Evidence Match  `json:"matched_by"`
	Source   Source `json:"source"`
	// Responses counts the survey's responses while the question had the ID. The ID has at most as
	// many answers.
	Responses Count `json:"responses"`
}

// isPossible reports whether the ID may belong to a missing question.
func (c Candidate) isPossible() bool {
	return c.Evidence == SameText || c.Evidence == OlderText || c.Evidence == SimilarOrPlace
}

// Evidence that a question continues a missing one. It is never certain.
const (
	// SameText means the same type and text, which other questions also have or had.
	SameText Match = "same text"
	// OlderText means that the missing question once had the same text.
	OlderText Match = "older text"
	// SimilarOrPlace means a similar text or the same position.
	SimilarOrPlace Match = "similar text or place"
)

// RepairPlan lists the repairs of a survey.
type RepairPlan struct {
	SurveyID string
	// Questions certainly or possibly lost their IDs.
	Questions []LostQuestion
	// Gone are the IDs of missing questions that no current question may continue.
	Gone []Candidate
	// Kept are the current IDs that the user decided to keep.
	Kept []string

	// seen are the questions of the survey as they were read.
	seen []json.RawMessage
	live []Question
	// known are all IDs that questions of the survey have or had.
	known []string
}

// RepairOptions control what a plan may do.
type RepairOptions struct {
	// DetachedAnswers allows restoring an old ID even if the question has answers under its new
	// one.
	DetachedAnswers bool
	// Decisions are the user's decisions.
	Decisions []Decision
}

// PlanRepair plans the repair of a survey. raws are its questions, and timeline is their history.
func PlanRepair(ctx context.Context, id string, raws []json.RawMessage, timeline *Timeline, counter Counter, options RepairOptions) (RepairPlan, error) {
	p := planner{Timeline: timeline, counter: counter, match: identity.Compare, moved: timeline.movedIDs(), options: options, taken: map[string]bool{}}
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
		if id := timeline.Live()[i].ID; p.decided[i] == id && id != "" {
			plan.Kept = append(plan.Kept, id)
		}
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

// Count counts the questions with one of the outcomes.
func (p RepairPlan) Count(outcomes ...Outcome) int {
	n := 0
	for _, q := range p.Questions {
		if slices.Contains(outcomes, q.Outcome) {
			n++
		}
	}
	return n
}

// decisions returns the arguments from which the user can choose.
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

// Short returns the shortest unambiguous prefix of an ID, for display. Decisions accept it.
func (p RepairPlan) Short(id string) string {
	for n := shortest; n < len(id); n++ {
		if isOther := func(knownID string) bool { return knownID != id && strings.HasPrefix(knownID, id[:n]) }; !slices.ContainsFunc(p.known, isOther) {
			return id[:n]
		}
	}
	return id
}

// planner holds the state of PlanRepair.
type planner struct {
	*Timeline
	counter Counter
	// match finds the questions that others may have replaced.
	match matching
	// moved contains, for each question with the ID of another one, its form under its own ID.
	moved   []identity.Question
	options RepairOptions
	// decided maps question indexes to the IDs that the user chose. taken contains the IDs that the
	// plan mentions.
	decided map[int]string
	taken   map[string]bool
}

// question plans the repair of one question. ok is false if nothing needs repair.
func (p *planner) question(ctx context.Context, i int, line *Lineage) (LostQuestion, bool) {
	live := p.Live()[i]
	q := LostQuestion{Index: i, ID: live.ID, Type: live.Type, Text: live.Text, Others: []Candidate{}, Outcome: Unresolved}
	chosen, isDecided := p.decided[i]
	if isDecided && chosen == live.ID {
		return q, false
	}

	past, own := p.past(live, line), p.ownID(ctx, i)
	switch {
	case isDecided:
		holding, _ := p.Holding(chosen)
		q.Old = new(p.candidate(ctx, holding, ByDecision))
		q.Outcome = Planned
	case live.ID != "" && isRepeated(p.Live(), live.ID) && len(own) == 0:
		q.leave(Unresolved, SharedID, fmt.Sprintf("several questions have or had the ID %s at the same time, so their answers cannot be distinguished: "+
			"set a different ID for one of them in the configuration or in PostHog", q.ID))
	case len(past) > 0 && !line.IsRestored(live.ID):
		if !p.restore(ctx, &q, live, line, past) {
			return q, false
		}
	case len(past) > 0:
		return q, false
	default:
		if q.Others = append(own, p.suspects(ctx, live, line)...); len(q.Others) == 0 {
			return q, false
		}
		q.leave(Unresolved, "uncertain", isUncertain)
	}

	q.Answers = p.Answers(ctx, p.counter, live.ID)
	p.weigh(&q, isDecided)
	return q, true
}

// past returns the lost IDs of a lineage that the current question may receive: they must have its
// type.
func (p *planner) past(live Question, line *Lineage) []Holding {
	return slices.DeleteFunc(p.LostIDs(line), func(h Holding) bool {
		return h.Last.Type != live.Type || p.isChosen(h.ID)
	})
}

// isChosen reports whether the user assigned an ID.
func (p *planner) isChosen(id string) bool {
	for _, chosen := range p.decided {
		if chosen == id {
			return true
		}
	}
	return false
}
