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
	"github.com/surveys-as-code/terraform-provider-posthog/internal/identity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
)

// Repair restores the planned IDs and sets each question's outcome. Just before it writes, it reads
// the survey again. If the questions changed after the plan, it writes nothing. It skips a question
// that received its first answers after the plan.
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
		plan.end(Skipped, "deleted_since", "the survey was deleted in the meantime")
		return
	case err != nil:
		// The write may have succeeded even if its response was lost.
		read, readErr := surveys.Retrieve(context.WithoutCancel(ctx), plan.SurveyID)
		if readErr != nil || !plan.isStored(read) {
			plan.end(Failed, "request_failed", err.Error())
			return
		}
		stored = read
	}

	if !plan.isStored(stored) {
		plan.end(Failed, "not_kept", "PostHog accepted the update but did not store the IDs")
		return
	}
	plan.end(Done, "", "")
	plan.count(ctx, counter)
}

// end sets the outcome for all planned questions.
func (p *RepairPlan) end(outcome Outcome, code Code, reason string) {
	for i := range p.Questions {
		if q := &p.Questions[i]; q.Outcome == Planned {
			q.leave(outcome, code, reason)
		}
	}
}

// request returns the request that restores the IDs. It is empty if the survey changed after the
// plan, or if nothing remains to be written.
func (p *RepairPlan) request(ctx context.Context, counter Counter, now api.Survey) (api.SurveyRequest, error) {
	var request api.SurveyRequest
	if !isSame(p.seen, now) {
		if !p.isStored(now) { // an attempt with a lost response could have stored the IDs
			p.end(Skipped, "changed_since", "the questions changed after the list was made. Run the command again to see the change")
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

// isSame reports whether a survey still has the planned questions.
func isSame(planned []json.RawMessage, now api.Survey) bool {
	questions, err := now.Questions.Get()
	return err == nil && slices.EqualFunc(planned, questions, func(a, b json.RawMessage) bool {
		plannedValue, errBefore := jsonvalue.Decode(a)
		currentValue, errAfter := jsonvalue.Decode(b)
		return errBefore == nil && errAfter == nil && jsonvalue.Identical(plannedValue, currentValue)
	})
}

// skipNewlyAnswered skips questions that had no answers under their new IDs when they were planned,
// and have some now.
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
			q.leave(Skipped, "answered_since", q.Answers.Words()+" arrived under its new ID after the list was made. Run the command again to decide")
		}
	}
}

// ids returns the question IDs after the repair.
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

// withIDs returns the questions with their IDs restored and all other bytes unchanged.
func (p *RepairPlan) withIDs() ([]json.RawMessage, error) {
	ids := p.ids()
	raws := slices.Clone(p.seen)
	for _, q := range p.Questions {
		if q.Outcome != Planned {
			continue
		}
		if slices.Index(ids, q.Old.ID) != q.Index || slices.Contains(ids[q.Index+1:], q.Old.ID) {
			return nil, fmt.Errorf("two questions would have the ID %s", q.Old.ID)
		}

		var err error
		if raws[q.Index], err = identity.WithID(raws[q.Index], q.Old.ID); err != nil {
			return nil, err
		}
	}
	return raws, nil
}

// isStored reports whether a survey contains the restored IDs.
func (p *RepairPlan) isStored(now api.Survey) bool {
	questions, err := now.Questions.Get()
	if err != nil {
		return false
	}
	list, ok := ParseQuestionList(questions)
	return ok && slices.EqualFunc(list, p.ids(), func(q Question, id string) bool { return q.ID == id })
}

// count records how many answers the repaired questions have now.
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

// NewIDs maps every ID of a question that was restored, or whose ID the user kept, to the ID that the
// configuration must set after the repair. It omits an ID that moved from one question to another.
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
		isKept := slices.Contains(p.Kept, p.live[i].ID)
		if isConcerned[i] = isConcerned[i] || isKept || line.IsRestored(p.live[i].ID); isConcerned[i] {
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
	for i, q := range p.live {
		if isMoved := ids[i] != q.ID && slices.Contains(ids, q.ID); isMoved { // the configuration may mean either question
			delete(idByID, q.ID)
		}
	}
	delete(idByID, "")
	return idByID
}

// Counter counts the answers under question IDs.
type Counter interface {
	// Answers counts the answers to a current question.
	Answers(ctx context.Context, id string) Count
	// Responses counts the survey's responses while a question had an ID.
	Responses(ctx context.Context, holding Holding) Count
	// AnswersNow counts the answers again. It returns nil if PostHog does not report them.
	AnswersNow(ctx context.Context) (map[string]int64, error)
}

// ServiceCounter asks PostHog for counts, and caches them.
type ServiceCounter struct {
	Surveys *client.Surveys
	// SurveyID identifies the survey. Start is its start_date, or zero.
	SurveyID string
	Start    time.Time
	// FirstLaunch is when the survey was first launched, or zero if unknown.
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

// read loads the counts of the current questions. Counts that PostHog does not report are unknown.
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

// begin and end cover all time. Without end, PostHog would ignore answers after a survey's end.
var begin, end = time.Unix(0, 0), time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

// AnswersNow implements [Counter].
func (c *ServiceCounter) AnswersNow(ctx context.Context) (map[string]int64, error) {
	return AnswersNow(ctx, c.Surveys, c.SurveyID)
}

// AnswersNow counts the answers to the questions of a survey, by ID. It returns nil if PostHog does
// not count them.
func AnswersNow(ctx context.Context, surveys *client.Surveys, id string) (map[string]int64, error) {
	answers, err := surveys.AnswersBetween(ctx, id, begin, end)
	if client.IsEndpointNotFound(err) {
		return nil, nil //nolint:nilnil // this PostHog version does not have the endpoint
	}
	return maps.Clone(answers), err
}

// Responses implements [Counter].
func (c *ServiceCounter) Responses(ctx context.Context, holding Holding) Count {
	c.read(ctx)
	if c.total.IsNone() {
		return ExactCount(0)
	}

	sum := ExactCount(0)
	for _, period := range holding.Periods {
		sum = sum.plus(c.responsesDuring(ctx, period))
	}
	return sum
}

func (c *ServiceCounter) responsesDuring(ctx context.Context, period Period) Count {
	window := [2]time.Time{period.From, period.Until}
	counted, ok := c.windows[window]
	switch {
	case period.Until.IsZero(): // the time of the loss is unknown
		return Count{}
	case ok:
		return counted
	}

	if number, ok, err := c.Surveys.ResponseCountBetween(ctx, c.SurveyID, period.From, period.Until); err == nil && ok {
		counted = ExactCount(number)
		counted.AtLeast = period.From.Before(c.Start) && c.couldHaveEarlierLaunch()
	}
	if c.windows == nil {
		c.windows = map[[2]time.Time]Count{}
	}
	c.windows[window] = counted
	return counted
}

// couldHaveEarlierLaunch reports whether the survey may have been launched before its start_date.
// PostHog counts only from that date.
func (c *ServiceCounter) couldHaveEarlierLaunch() bool {
	return c.FirstLaunch.IsZero() || c.FirstLaunch.Before(c.Start.Add(-time.Minute))
}
