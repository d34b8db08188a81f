// Package responses counts the responses to surveys. A count can be unknown, with a reason.
//
// PostHog counts only from the earliest start_date in the project. A count of zero is therefore
// reliable only for a survey that was launched once: the count for a survey that was reset to draft
// or relaunched may lack earlier responses.
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

// ErrNoSuchSurvey is the error for a survey that does not exist in the project.
var ErrNoSuchSurvey = errors.New("the survey does not exist in the project")

// Counter counts the responses to a project's surveys. It is safe for concurrent use.
//
// It keeps its first result. A run that deletes surveys may delete the one with the earliest start_date,
// after which PostHog no longer counts some of the responses to other surveys.
type Counter struct {
	surveys *client.Surveys
	// listed contains the project's surveys if the caller has read them.
	listed iter.Seq[api.Survey]

	mu   sync.Mutex
	seen *project
	// refused is PostHog's refusal to return the counts. It is nil after any other error.
	refused error
	// feeds contains the activity feeds that were read, by survey key.
	feeds map[string]feed
}

// NewCounter returns a counter for a project. listed contains the project's surveys if the caller has just
// read them, or is nil. NewCounter makes no request.
func NewCounter(surveys *client.Surveys, listed iter.Seq[api.Survey]) *Counter {
	return &Counter{surveys: surveys, listed: listed}
}

// project contains the counts of a project and the launch dates of its surveys.
type project struct {
	// reported contains PostHog's counts. It is nil if PostHog does not return them. counts contains the same
	// counts by normalized survey ID.
	reported, counts map[string]int64

	surveys map[string]survey
	// first is the earliest start of a survey. It is zero if no survey has started.
	first time.Time
	// hasUncounted reports whether surveys that are not archived have responses that PostHog does not count. It makes a
	// request on the first call.
	hasUncounted func(context.Context) bool
}

// survey contains the properties that determine whether the count of a survey is complete.
type survey struct {
	id             string
	created, start time.Time
	hasEnded       bool
	isArchived     bool
	// isHosted is true if the survey comes from PostHog itself. The documented API counts all responses.
	isHosted bool
}

// Of returns the number of responses at the time of the counter's first request.
func (c *Counter) Of(ctx context.Context, id string) Number {
	number, _ := c.of(ctx, id)
	return number
}

// Now returns the current number of responses, including responses that arrived since the counter's first request.
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
	if p.reported == nil {
		return Number{Reason: untold}, isFresh
	}
	s, err := c.survey(ctx, p, id)
	if err != nil {
		return unreadable(err), isFresh
	}
	return c.whole(ctx, p, s), isFresh
}

// Counts returns PostHog's counts by survey ID. It returns nil before the first request.
func (c *Counter) Counts() map[string]int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		return nil
	}
	return c.seen.reported
}

// Again counts the responses to a survey that previously had none. PostHog counts all new responses even if
// other surveys were deleted, because only a launched survey receives responses.
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

// untold is the reason if PostHog does not return counts.
const untold = "PostHog does not return its number of responses"

func unreadable(err error) Number {
	if errors.Is(err, ErrNoSuchSurvey) {
		return Number{Reason: err.Error(), Err: err}
	}
	return Number{Reason: "could not read its number of responses: " + cause(err), Err: err}
}

// project returns the project's data, which it reads once.
func (c *Counter) project(ctx context.Context) (seen *project, isFresh bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen != nil || c.refused != nil {
		return c.seen, false, c.refused
	}

	// Read the surveys after the counts. If a survey is deleted in between, the counting then seems to start later,
	// so a count becomes unknown instead of wrong.
	read := &project{surveys: map[string]survey{}}
	counts, err := c.surveys.ResponsesCount(ctx)
	if err != nil {
		if client.IsForbidden(err) {
			c.refused = err
		}
		return nil, false, err
	}
	read.reported, read.counts = counts, normalized(counts)
	if err := c.readSurveys(ctx, read); err != nil {
		return nil, false, err
	}
	read.hasUncounted = c.hasUncounted(read)
	c.seen = read
	return read, true, nil
}

// hasUncounted returns the function for a project. The project's statistics also contain the responses from before the
// time since when PostHog counts.
func (c *Counter) hasUncounted(p *project) func(context.Context) bool {
	var once sync.Once
	result := true // also if PostHog does not return the statistics
	return func(ctx context.Context) bool {
		once.Do(func() {
			total, ok, err := c.surveys.TotalResponseCount(ctx, p.first)
			result = err != nil || !ok || total > 0
		})
		return result
	}
}

// survey returns one of the project's surveys. It reads a survey that the list lacks, which may be new.
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
	case into.reported == nil:
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

// pageSize is the requested page size. PostHog may return smaller pages.
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
	s.isArchived, _ = wire.Archived.Get() // false if null
	return s
}

// moment parses a date from PostHog. It returns the zero time if there is no date.
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

// key normalizes a UUID, which PostHog accepts in several forms.
func key(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }

func normalized(counts map[string]int64) map[string]int64 {
	byKey := make(map[string]int64, len(counts))
	for id, count := range counts {
		byKey[key(id)] += count
	}
	return byKey
}

// cause describes an error briefly: the status and the detail of a response.
func cause(err error) string {
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Detail != "" {
		return fmt.Sprintf("%d: %s", refused.Status, strings.TrimSuffix(refused.Detail, "."))
	}
	return err.Error()
}

// Number is the number of responses to a survey.
type Number struct {
	// Counted is the number of responses that PostHog counts.
	Counted int64
	// Reason explains why there may be more responses. It is empty if Counted is complete.
	Reason string
	// Err is the error that prevented the counting, or nil.
	Err error
	// WasLaunched is set if the survey was launched before the time since when PostHog counts.
	WasLaunched bool
}

// IsKnown reports whether Counted is complete.
func (n Number) IsKnown() bool { return n.Reason == "" }

// MayBeSome reports whether a survey has or may have responses. If it is unknown whether a draft has ever run, it is assumed
// to have none, as most drafts.
func (n Number) MayBeSome(isDraft bool) bool {
	if isDraft {
		return n.Counted > 0 || n.WasLaunched
	}
	return !n.IsNone()
}

// IsNone reports whether the survey is known to have no responses.
func (n Number) IsNone() bool { return n.IsKnown() && n.Counted == 0 }

// Known returns the number, or nil if it is unknown.
func (n Number) Known() *int64 {
	if !n.IsKnown() {
		return nil
	}
	return &n.Counted
}

// String describes the number in words, such as "at least 3 responses".
func (n Number) String() string {
	switch {
	case n.IsKnown():
		return Count(n.Counted, "response")
	case n.Counted > 0:
		return "at least " + Count(n.Counted, "response")
	}
	return "an unknown number of responses"
}

// whole returns a survey's number, and determines whether the counted responses are complete. They are
// complete if PostHog counts from a time before the survey's first launch.
func (c *Counter) whole(ctx context.Context, seen *project, s survey) Number {
	number := Number{Counted: seen.counts[key(s.id)]}
	if !s.isHosted || seen.countsSince(s.created) {
		return number
	}

	// A draft's statistics begin with its creation. The statistics of other surveys begin with their start.
	if s.start.IsZero() && !s.hasEnded {
		if !s.isArchived && !seen.hasUncounted(ctx) {
			return number
		}
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
		number.WasLaunched = true
		number.Reason = fmt.Sprintf("%s, and this survey was launched at %s", seen.window(), launch.at.UTC().Format(time.RFC3339))
	}
	return number
}

// countsSince reports whether PostHog counts all responses since a time.
func (p *project) countsSince(at time.Time) bool {
	return !at.IsZero() && !p.first.IsZero() && !p.first.After(at)
}

// window describes which responses PostHog counts.
func (p *project) window() string {
	if p.first.IsZero() {
		return "PostHog counts responses only if a survey of the project has a start_date"
	}
	return fmt.Sprintf("PostHog counts responses only since the earliest start_date in the project (%s)", p.first.UTC().Format(time.RFC3339))
}

// Count formats a number followed by the noun in singular or plural.
func Count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
