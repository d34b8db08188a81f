package past

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

// Repair writes the planned ids back and sets the outcome of each. Right before the write the
// survey is read again: if its questions have changed since they were planned, nothing is
// written. A question that got its first answers since is left.
func Repair(ctx context.Context, surveys *client.Surveys, counter Counter, plan *RepairPlan) {
	if plan.Count(Planned) == 0 {
		return
	}

	stored, err := surveys.Change(ctx, plan.SurveyID, func(ctx context.Context, now api.Survey) (api.SurveyRequest, error) {
		return plan.request(ctx, counter, now)
	})
	switch {
	case plan.Count(Planned) == 0:
		return
	case client.IsNotFound(err):
		plan.end(Skipped, "deleted_since", "the survey was deleted since it was read")
		return
	case err != nil:
		// The response to a write that was carried out may be lost.
		read, readErr := surveys.Retrieve(context.WithoutCancel(ctx), plan.SurveyID)
		if readErr != nil || !plan.isStored(read) {
			plan.end(Failed, "request_failed", err.Error())
			return
		}
		stored = read
	}

	if !plan.isStored(stored) {
		plan.end(Failed, "not_kept", "the service accepted the update, and did not store the ids")
		return
	}
	plan.end(Done, "", "")
	plan.count(ctx, counter)
}

// end sets the outcome of what was planned.
func (p *RepairPlan) end(outcome Outcome, code Code, reason string) {
	for i := range p.Questions {
		if q := &p.Questions[i]; q.Outcome == Planned {
			q.leave(outcome, code, reason)
		}
	}
}

// request is what writes the ids back, unless the survey is not as it was planned. It is empty
// when nothing is left to write.
func (p *RepairPlan) request(ctx context.Context, counter Counter, now api.Survey) (api.SurveyRequest, error) {
	var request api.SurveyRequest
	if !isSame(p.seen, now) {
		if !p.isStored(now) { // by an attempt whose response was lost
			p.end(Skipped, "changed_since", "the questions were changed since they were read; run again to see the difference")
		}
		return request, nil
	}
	p.skipNewlyAnswered(ctx, counter)
	if ctx.Err() != nil {
		p.end(NotRun, "interrupted", "interrupted")
	}
	if p.Count(Planned) == 0 {
		return request, nil
	}

	raws, err := p.withIDs()
	request.Questions.Set(raws)
	return request, err
}

// isSame reports whether a survey has the questions that were seen.
func isSame(planned []json.RawMessage, now api.Survey) bool {
	questions, err := now.Questions.Get()
	return err == nil && slices.EqualFunc(planned, questions, func(a, b json.RawMessage) bool {
		plannedValue, errBefore := jsonvalue.Decode(a)
		currentValue, errAfter := jsonvalue.Decode(b)
		return errBefore == nil && errAfter == nil && jsonvalue.Identical(plannedValue, currentValue)
	})
}

// skipNewlyAnswered leaves the questions that had no answers under their new ids when they were
// planned, and have some now.
func (p *RepairPlan) skipNewlyAnswered(ctx context.Context, counter Counter) {
	answers, err := counter.AnswersNow(ctx)
	for i := range p.Questions {
		q := &p.Questions[i]
		if q.Outcome != Planned || !q.Answers.IsNone() || q.ID == "" {
			continue
		}
		switch {
		case err != nil && !client.IsNotFound(err):
			q.leave(Failed, "request_failed", err.Error())
		case answers[q.ID] > 0:
			q.Answers = ExactCount(answers[q.ID])
			q.leave(Skipped, "answered_since", q.Answers.Words()+" came in under its new id since it was read; run again to decide")
		}
	}
}

// ids are those that the questions have after the repair.
func (p *RepairPlan) ids() []string {
	ids := make([]string, len(p.live))
	for i, q := range p.live {
		ids[i] = q.ID
	}
	for _, q := range p.Questions {
		if q.Outcome == Planned {
			ids[q.Index] = q.Old.ID
		}
	}
	return ids
}

// withIDs are the questions with the ids that they get, and otherwise to the letter as they
// were read.
func (p *RepairPlan) withIDs() ([]json.RawMessage, error) {
	ids := p.ids()
	raws := slices.Clone(p.seen)
	for _, q := range p.Questions {
		if q.Outcome != Planned {
			continue
		}
		if slices.Index(ids, q.Old.ID) != q.Index || slices.Contains(ids[q.Index+1:], q.Old.ID) {
			return nil, fmt.Errorf("two questions would have the id %s", q.Old.ID)
		}

		var fields map[string]json.RawMessage
		if err := json.Unmarshal(raws[q.Index], &fields); err != nil {
			return nil, err
		}
		encoded, err := json.Marshal(q.Old.ID)
		if err != nil {
			return nil, err
		}
		fields["id"] = encoded
		if raws[q.Index], err = json.Marshal(fields); err != nil {
			return nil, err
		}
	}
	return raws, nil
}

// isStored reports whether a survey has the ids that were written.
func (p *RepairPlan) isStored(now api.Survey) bool {
	questions, err := now.Questions.Get()
	if err != nil {
		return false
	}
	list, ok := ParseQuestionList(questions)
	return ok && slices.EqualFunc(list, p.ids(), func(q Question, id string) bool { return q.ID == id })
}

// count says how many answers the repaired questions have now.
func (p *RepairPlan) count(ctx context.Context, counter Counter) {
	answers, err := counter.AnswersNow(ctx)
	if err != nil || answers == nil {
		return
	}
	for i := range p.Questions {
		q := &p.Questions[i]
		if q.Outcome != Done {
			continue
		}
		if number, ok := answers[q.Old.ID]; ok {
			q.Restored = &number
		}
	}
}

// NewIDs are the ids that code has to state when the plan is carried out: those of the questions
// that got an old one back, now or before, by every id that they have or had.
func (p RepairPlan) NewIDs(timeline *Timeline) map[string]string {
	ids := p.ids()
	isConcerned := map[int]bool{}
	for _, q := range p.Questions {
		if q.Outcome == Done {
			ids[q.Index] = q.Old.ID
		}
		isConcerned[q.Index] = q.Outcome == Done || q.Outcome == Planned
	}

	idByID := map[string]string{}
	for i, line := range timeline.LiveLineages() {
		if isConcerned[i] = isConcerned[i] || line.IsRestored(p.live[i].ID); isConcerned[i] {
			for _, holding := range line.Holdings {
				idByID[holding.ID] = ids[i]
			}
		}
	}
	for i, id := range ids {
		if isConcerned[i] {
			idByID[p.live[i].ID], idByID[id] = id, id
		}
	}
	delete(idByID, "")
	return idByID
}

// Counter tells how many answers are under the ids of questions.
type Counter interface {
	// Answers are those to a question that the survey has now.
	Answers(ctx context.Context, id string) Count
	// Responses are those to the survey while a question had an id.
	Responses(ctx context.Context, holding Holding) Count
	// AnswersNow reads the numbers of answers again; nil where the service does not tell them.
	AnswersNow(ctx context.Context) (map[string]int64, error)
}

// ServiceCounter asks the service. It keeps what it was told.
type ServiceCounter struct {
	Surveys *client.Surveys
	// SurveyID is the survey, Start its start_date, zero for none.
	SurveyID string
	Start    time.Time
	// FirstLaunch is when it was launched first; zero where that is not known.
	FirstLaunch time.Time

	isRead  bool
	total   responses.Number
	answers map[string]int64
	windows map[[2]time.Time]Count
}

// Answers implements [Counter].
func (c *ServiceCounter) Answers(ctx context.Context, id string) Count {
	c.read(ctx)
	number, ok := c.answers[id]
	switch {
	case c.total.IsNone():
		return ExactCount(0)
	case !ok:
		return Count{}
	}
	return ExactCount(number)
}

// read reads the numbers that the service tells of the questions that it has now. What it does
// not tell is unknown.
func (c *ServiceCounter) read(ctx context.Context) {
	if c.isRead {
		return
	}
	c.isRead = true
	c.answers, _ = c.AnswersNow(ctx)
	if c.answers == nil {
		c.total = responses.NewCounter(c.Surveys, nil).Of(ctx, c.SurveyID)
		return
	}
	c.total = responses.Number{Reason: "answers are counted one by one"}
}

// The bounds of all time. Without the second one, answers after the end of a survey would not
// count.
var begin, end = time.Unix(0, 0), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// AnswersNow implements [Counter].
func (c *ServiceCounter) AnswersNow(ctx context.Context) (map[string]int64, error) {
	return AnswersNow(ctx, c.Surveys, c.SurveyID)
}

// AnswersNow are the numbers of answers to the questions of a survey, by their IDs; nil where PostHog
// does not count them.
func AnswersNow(ctx context.Context, surveys *client.Surveys, id string) (map[string]int64, error) {
	answers, err := surveys.AnswersBetween(ctx, id, begin, end)
	if client.IsEndpointNotFound(err) {
		return nil, nil //nolint:nilnil // a service without statistics
	}
	return maps.Clone(answers), err
}

// Responses implements [Counter].
func (c *ServiceCounter) Responses(ctx context.Context, holding Holding) Count {
	c.read(ctx)
	window := [2]time.Time{holding.From, holding.Until}
	counted, ok := c.windows[window]
	switch {
	case c.total.IsNone():
		return ExactCount(0)
	case holding.Until.IsZero(): // from when on it was another is not known
		return Count{}
	case ok:
		return counted
	}

	if number, ok, err := c.Surveys.SentBetween(ctx, c.SurveyID, holding.From, holding.Until); err == nil && ok {
		counted = ExactCount(number)
		counted.AtLeast = holding.From.Before(c.Start) && c.couldHaveEarlierLaunch()
	}
	if c.windows == nil {
		c.windows = map[[2]time.Time]Count{}
	}
	c.windows[window] = counted
	return counted
}

// couldHaveEarlierLaunch reports whether the survey may have been launched before its start_date, from
// which on the service counts.
func (c *ServiceCounter) couldHaveEarlierLaunch() bool {
	return c.FirstLaunch.IsZero() || c.FirstLaunch.Before(c.Start.Add(-time.Minute))
}
