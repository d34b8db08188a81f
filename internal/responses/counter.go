// Package responses counts the responses of surveys. A count can be unknown, with a reason.
//
// PostHog counts only from the earliest start_date in the project. A count of zero is therefore
// reliable only for a survey that was launched once: earlier responses of a survey that was reset
// to draft or relaunched may be missing from it.
package responses

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// ErrNoSuchSurvey is the error for a survey that the project does not have.
var ErrNoSuchSurvey = errors.New("the survey does not exist in the project")

// Counter tells how many responses the surveys of one project have. It is safe for
// concurrent use.
//
// It keeps what it saw first. A run that deletes surveys may delete the one that the service
// counts from, and responses of the others, which were counted before, are not any more.
type Counter struct {
	surveys *client.Surveys
	// listed are the surveys of the project if the caller has them.
	listed iter.Seq[api.Survey]

	mu   sync.Mutex
	seen *project
	// feeds are the activity feeds that were read, by the keys of their surveys.
	feeds map[string]feed
}

// NewCounter returns the counter of a project. listed are its surveys if they were just
// read; nil otherwise. It makes no request.
func NewCounter(surveys *client.Surveys, listed iter.Seq[api.Survey]) *Counter {
	return &Counter{surveys: surveys, listed: listed}
}

// project is what was counted in a project, and when its surveys were launched.
type project struct {
	// told are the numbers of the service, nil when it does not tell them; counts have
	// normalized ids.
	told, counts map[string]int64

	surveys map[string]survey
	// first is the earliest start of a survey; zero if none has started.
	first time.Time
}

// survey is what the number of its responses depends on.
type survey struct {
	id             string
	created, start time.Time
	hasEnded       bool
	// isHosted is set on the hosted service; the documented interface counts all responses.
	isHosted bool
}

// Of tells how many responses a survey had when the counter was first asked.
func (c *Counter) Of(ctx context.Context, id string) Number {
	number, _ := c.of(ctx, id)
	return number
}

// Now tells how many responses a survey has: those that came in since the counter was first
// asked, too.
func (c *Counter) Now(ctx context.Context, id string) Number {
	number, isFresh := c.of(ctx, id)
	if isFresh || !number.IsNone() {
		return number
	}
	return Again(ctx, c.surveys, id)
}

func (c *Counter) of(ctx context.Context, id string) (number Number, isFresh bool) {
	p, isFresh, err := c.project(ctx)
	if err != nil {
		return unreadable(err), isFresh
	}
	if p.told == nil {
		return Number{Reason: untold}, isFresh
	}
	s, err := c.survey(ctx, p, id)
	if err != nil {
		return unreadable(err), isFresh
	}
	return c.whole(ctx, p, s), isFresh
}

// Counts are the numbers that the service told, by survey id; nil before anything was asked.
func (c *Counter) Counts() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		return nil
	}
	return c.seen.told
}

// Again counts the responses that came in since a survey was found to have none. Those are
// counted whatever became of other surveys: only a survey that is launched gets any.
func Again(ctx context.Context, surveys *client.Surveys, id string) Number {
	counts, err := surveys.ResponsesCount(ctx)
	switch {
	case err != nil:
		return unreadable(err)
	case counts == nil:
		return Number{Reason: untold}
	}
	return Number{Counted: normalized(counts)[key(id)]}
}

// untold is the reason when the service does not tell the numbers.
const untold = "PostHog does not return its number of responses"

func unreadable(err error) Number {
	if errors.Is(err, ErrNoSuchSurvey) {
		return Number{Reason: err.Error(), Err: err}
	}
	return Number{Reason: "could not read its number of responses: " + cause(err), Err: err}
}

// project reads the project, or returns what was read before.
func (c *Counter) project(ctx context.Context) (seen *project, isFresh bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen != nil {
		return c.seen, false, nil
	}

	// The surveys are read after the counts. One that is deleted in between makes the counting
	// seem to begin later, and so a number unknown instead of wrong.
	read := &project{surveys: map[string]survey{}}
	counts, err := c.surveys.ResponsesCount(ctx)
	if err != nil {
		return nil, false, err
	}
	read.told, read.counts = counts, normalized(counts)
	if err := c.readSurveys(ctx, read); err != nil {
		return nil, false, err
	}
	c.seen = read
	return read, true, nil
}

// survey is a survey of the project. One that the list lacks is read by itself: it may have
// been created since.
func (c *Counter) survey(ctx context.Context, p *project, id string) (survey, error) {
	if s, ok := p.surveys[key(id)]; ok {
		return s, nil
	}
	wire, err := c.surveys.Retrieve(ctx, id)
	switch {
	case client.IsNotFound(err):
		return survey{}, ErrNoSuchSurvey
	case err != nil:
		return survey{}, err
	}
	return newSurvey(wire), nil
}

func (c *Counter) readSurveys(ctx context.Context, into *project) error {
	switch {
	case c.listed != nil:
		for wire := range c.listed {
			into.add(wire)
		}
		return nil
	case into.told == nil:
		return nil
	}
	for wire, err := range c.surveys.List(ctx, client.ListOptions{PageSize: pageSize}) {
		if err != nil {
			return err
		}
		into.add(wire)
	}
	return nil
}

// pageSize is the page size that the list asks for; the service may return smaller pages.
const pageSize = 500

func (p *project) add(wire api.Survey) {
	added := newSurvey(wire)
	p.surveys[key(added.id)] = added
	if !added.start.IsZero() && (p.first.IsZero() || added.start.Before(p.first)) {
		p.first = added.start
	}
}

func newSurvey(wire api.Survey) survey {
	s := survey{
		created: moment(wire.CreatedAt.Get()), start: moment(wire.StartDate.Get()),
		hasEnded: !moment(wire.EndDate.Get()).IsZero(), isHosted: wire.Schedule.IsSpecified(),
	}
	if wire.ID != nil {
		s.id = *wire.ID
	}
	return s
}

// moment is a date of the service; zero for none.
func moment(text string, err error) time.Time {
	if err != nil {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return t
}

// key normalizes a UUID in one of the forms that the service accepts.
func key(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }

func normalized(counts map[string]int64) map[string]int64 {
	byKey := make(map[string]int64, len(counts))
	for id, count := range counts {
		byKey[key(id)] += count
	}
	return byKey
}

// cause is an error in a few words: the status and the detail of a response.
func cause(err error) string {
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Detail != "" {
		return fmt.Sprintf("%d: %s", refused.Status, strings.TrimSuffix(refused.Detail, "."))
	}
	return err.Error()
}

// Number is how many responses a survey has.
type Number struct {
	// Counted are the responses that the service counts.
	Counted int64
	// Reason says why there may be more; empty when Counted is all.
	Reason string
	// Err is the error because of which nothing was counted; nil otherwise.
	Err error
}

// IsKnown reports whether Counted is all.
func (n Number) IsKnown() bool { return n.Reason == "" }

// IsNone reports whether the survey is known to have no responses.
func (n Number) IsNone() bool { return n.IsKnown() && n.Counted == 0 }

// Known is the number; nil if it is unknown.
func (n Number) Known() *int64 {
	if !n.IsKnown() {
		return nil
	}
	return &n.Counted
}

// String is the number in words, such as at least 3 responses.
func (n Number) String() string {
	switch {
	case n.IsKnown():
		return Count(n.Counted, "response")
	case n.Counted > 0:
		return "at least " + Count(n.Counted, "response")
	}
	return "an unknown number of responses"
}

// whole decides whether the responses that were counted are all that a survey has. They are
// if the service counts from before the survey was first launched.
func (c *Counter) whole(ctx context.Context, seen *project, s survey) Number {
	number := Number{Counted: seen.counts[key(s.id)]}
	if !s.isHosted || seen.countsSince(s.created) {
		return number
	}

	// The statistics of a draft begin when it was created, those of others when they started.
	if s.start.IsZero() && !s.hasEnded {
		if sent, ok, err := c.surveys.ResponseCount(ctx, s.id); err == nil && ok {
			return Number{Counted: max(sent, number.Counted)}
		}
	}

	launch, reason := c.firstLaunch(ctx, s)
	switch {
	case reason != "":
		number.Reason = fmt.Sprintf("%s, and this survey may have been launched earlier: %s", seen.window(), reason)
	case launch.at.IsZero() || seen.countsSince(launch.at) || launch.isBegin(seen.first):
	default:
		number.Reason = fmt.Sprintf("%s, and this survey was launched at %s", seen.window(), launch.at.UTC().Format(time.RFC3339))
	}
	return number
}

// countsSince reports whether the service counts all responses since a moment.
func (p *project) countsSince(at time.Time) bool {
	return !at.IsZero() && !p.first.IsZero() && !p.first.After(at)
}

// window says which responses the service counts.
func (p *project) window() string {
	if p.first.IsZero() {
		return "PostHog counts responses only if a survey of the project has a start_date"
	}
	return fmt.Sprintf("PostHog counts responses only since the earliest start_date in the project (%s)", p.first.UTC().Format(time.RFC3339))
}

// Count formats a number with a noun in singular or plural.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
