package repair

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/history"
)

// Recounter tells the numbers of answers that there are now.
type Recounter interface {
	// AnswersNow are nil where the service does not tell them.
	AnswersNow(ctx context.Context) (map[string]int64, error)
}

// Run writes the planned ids back and sets the outcome of each. Right before the write the
// survey is read again: if its questions have changed since they were planned, nothing is
// written. A question that got its first answers since is left.
func Run(ctx context.Context, surveys *client.Surveys, counter Recounter, plan *Plan) {
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
		plan.end(Skipped, DeletedSince, nil)
		return
	case err != nil:
		// The response to a write that was carried out may be lost.
		read, readErr := surveys.Retrieve(context.WithoutCancel(ctx), plan.SurveyID)
		if readErr != nil || !plan.isStored(read) {
			plan.end(Failed, RequestFailed, err)
			return
		}
		stored = read
	}
	if !plan.isStored(stored) {
		plan.end(Failed, NotKept, nil)
		return
	}
	plan.end(Done, "", nil)
	plan.count(ctx, counter)
}

// end sets the outcome of what was planned.
func (p *Plan) end(outcome Outcome, code Code, err error) {
	for i := range p.Questions {
		if q := &p.Questions[i]; q.Outcome == Planned {
			q.Outcome, q.Code, q.Err = outcome, code, err
		}
	}
}

// request is what writes the ids back, unless the survey is not as it was planned. It is empty
// when nothing is left to write.
func (p *Plan) request(ctx context.Context, counter Recounter, now api.Survey) (api.SurveyRequest, error) {
	var request api.SurveyRequest
	if !isSame(p.seen, now) {
		if !p.isStored(now) { // by an attempt whose response was lost
			p.end(Skipped, ChangedSince, nil)
		}
		return request, nil
	}
	p.leaveAnswered(ctx, counter)
	if ctx.Err() != nil {
		p.end(NotRun, Interrupted, nil)
	}
	if p.Count(Planned) == 0 {
		return request, nil
	}

	raws, err := p.withIDs()
	request.Questions.Set(raws)
	return request, err
}

// isSame reports whether a survey has the questions that were seen.
func isSame(seen []json.RawMessage, now api.Survey) bool {
	questions, err := now.Questions.Get()
	return err == nil && slices.EqualFunc(seen, questions, func(a, b json.RawMessage) bool {
		before, errBefore := jsonvalue.Decode(a)
		after, errAfter := jsonvalue.Decode(b)
		return errBefore == nil && errAfter == nil && jsonvalue.Identical(before, after)
	})
}

// leaveAnswered leaves the questions that had no answers under their new ids when they were
// planned, and have some now.
func (p *Plan) leaveAnswered(ctx context.Context, counter Recounter) {
	answers, err := counter.AnswersNow(ctx)
	for i := range p.Questions {
		q := &p.Questions[i]
		if q.Outcome != Planned || !q.Answers.IsNone() || q.ID == "" {
			continue
		}
		switch {
		case err != nil && !client.IsNotFound(err):
			q.Outcome, q.Code, q.Err = Failed, RequestFailed, err
		case answers[q.ID] > 0:
			q.Outcome, q.Code, q.Answers = Skipped, AnsweredSince, Known(answers[q.ID])
		}
	}
}

// ids are those that the questions have after the repair.
func (p *Plan) ids() []string {
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
func (p *Plan) withIDs() ([]json.RawMessage, error) {
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
func (p *Plan) isStored(now api.Survey) bool {
	questions, err := now.Questions.Get()
	if err != nil {
		return false
	}
	list, ok := history.QuestionsOf(questions)
	return ok && slices.EqualFunc(list, p.ids(), func(q history.Question, id string) bool { return q.ID == id })
}

// count says how many answers the repaired questions have now.
func (p *Plan) count(ctx context.Context, counter Recounter) {
	answers, err := counter.AnswersNow(ctx)
	if err != nil || answers == nil {
		return
	}
	for i := range p.Questions {
		if q := &p.Questions[i]; q.Outcome == Done {
			q.Restored = new(answers[q.Old.ID])
		}
	}
}

// NewIDs are the ids that code has to state when the plan is carried out: those of the questions
// that got an old one back, now or before, by every id that they have or had.
func (p Plan) NewIDs(timeline *history.Timeline) map[string]string {
	ids := p.ids()
	isConcerned := map[int]bool{}
	for _, q := range p.Questions {
		if q.Outcome == Done {
			ids[q.Index] = q.Old.ID
		}
		isConcerned[q.Index] = q.Outcome == Done || q.Outcome == Planned
	}

	known := map[string]string{}
	for i, line := range timeline.LiveLineages() {
		if isConcerned[i] = isConcerned[i] || line.IsRestored(p.live[i].ID); isConcerned[i] {
			for _, held := range line.Holdings {
				known[held.ID] = ids[i]
			}
		}
	}
	for i, id := range ids {
		if isConcerned[i] {
			known[p.live[i].ID], known[id] = id, id
		}
	}
	delete(known, "")
	return known
}
