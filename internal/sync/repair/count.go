package repair

import (
	"context"
	"maps"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/responses"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/history"
)

// Count is a number of answers or responses, so far as the service tells it.
type Count struct {
	// Number is what was counted; nil when nothing was.
	Number *int64 `json:"number"`
	// AtLeast is set when there may be more.
	AtLeast bool `json:"at_least,omitempty"`
}

// Known is a number that is all.
func Known(n int64) Count { return Count{Number: &n} }

// IsKnown reports whether the number is all.
func (c Count) IsKnown() bool { return c.Number != nil && !c.AtLeast }

// IsNone reports whether there is known to be none.
func (c Count) IsNone() bool { return c.IsKnown() && *c.Number == 0 }

func (c Count) number() int64 {
	if c.Number == nil {
		return 0
	}
	return *c.Number
}

// Counter tells how many answers are under the ids of questions.
type Counter interface {
	// Answers are those to a question that the survey has now.
	Answers(ctx context.Context, id string) Count
	// Responses are those to the survey while a question had an id.
	Responses(ctx context.Context, held history.Holding) Count
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
		return Known(0)
	case !ok:
		return Count{}
	}
	return Known(number)
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

// AnswersNow reads the numbers of answers again; nil where the service does not tell them.
func (c *ServiceCounter) AnswersNow(ctx context.Context) (map[string]int64, error) {
	answers, err := c.Surveys.AnswersBetween(ctx, c.SurveyID, begin, end)
	if client.IsEndpointNotFound(err) {
		return nil, nil //nolint:nilnil // a service without statistics
	}
	return maps.Clone(answers), err
}

// Responses implements [Counter].
func (c *ServiceCounter) Responses(ctx context.Context, held history.Holding) Count {
	c.read(ctx)
	window := [2]time.Time{held.From, held.Until}
	counted, ok := c.windows[window]
	switch {
	case c.total.IsNone():
		return Known(0)
	case held.Until.IsZero(): // from when on it was another is not known
		return Count{}
	case ok:
		return counted
	}

	if sent, ok, err := c.Surveys.SentBetween(ctx, c.SurveyID, held.From, held.Until); err == nil && ok {
		counted = Known(sent)
		counted.AtLeast = held.From.Before(c.Start) && c.mayBeRelaunched()
	}
	if c.windows == nil {
		c.windows = map[[2]time.Time]Count{}
	}
	c.windows[window] = counted
	return counted
}

// mayBeRelaunched reports whether the survey may have been launched before its start_date, from
// which on the service counts.
func (c *ServiceCounter) mayBeRelaunched() bool {
	return c.FirstLaunch.IsZero() || c.FirstLaunch.Before(c.Start.Add(-time.Minute))
}
