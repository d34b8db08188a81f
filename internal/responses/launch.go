package responses

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework"
)

// activityEntries are the entries of the activity feed that are read: more than the edits of
// any survey.
const activityEntries = 1000

// feed is what was read of the activity feed of a survey.
type feed struct {
	entries []framework.ActivityEntry
	err     error
}

// malformedError is the error of a feed that is not as expected.
type malformedError struct{ error }

// feed reads the activity feed of a survey, once for all that it is asked for. A request that
// may succeed next time is made again.
func (c *Counter) feed(ctx context.Context, id string) ([]framework.ActivityEntry, error) {
	c.mu.Lock()
	known, ok := c.feeds[key(id)]
	c.mu.Unlock()
	if ok {
		return known.entries, known.err
	}

	raw, err := c.surveys.Activity(ctx, id, activityEntries)
	if err != nil && !client.IsForbidden(err) {
		return nil, err
	}
	read := feed{err: err}
	if err == nil {
		if read.entries, err = framework.ActivityEntries(raw); err != nil {
			read.err = malformedError{fmt.Errorf("its activity feed has an unexpected format: %w", err)}
		}
	}

	c.mu.Lock()
	defer c.mu.Unlock()
	if c.feeds == nil {
		c.feeds = map[string]feed{}
	}
	c.feeds[key(id)] = read
	return read.entries, read.err
}

// launch is the first launch of a survey.
type launch struct {
	// at is when it was made; zero if there was none.
	at time.Time
	// start is the start_date that it set, if it is the only one that the survey ever had.
	start time.Time
}

// maxSkew is how far the clock of a program that launched a survey may be ahead of that of
// the service.
const maxSkew = time.Minute

// isBegin reports whether the counting begins with this launch. The program that made it
// chose the start_date by its own clock.
func (l launch) isBegin(first time.Time) bool {
	return !l.start.IsZero() && l.start.Equal(first) && l.start.Sub(l.at) <= maxSkew
}

// firstLaunch finds the first launch of a survey in its activity feed, or says why it cannot
// be found there.
func (c *Counter) firstLaunch(ctx context.Context, s survey) (first launch, reason string) {
	entries, err := c.feed(ctx, s.id)
	malformed, isMalformed := errors.AsType[malformedError](err)
	switch {
	case isMalformed:
		return first, malformed.Error()
	case client.IsForbidden(err):
		return first, "could not read its activity feed (" + cause(err) + "); add the scope activity_log:read to the API key"
	case err != nil:
		return first, "could not read its activity feed (" + cause(err) + ")"
	}
	return launchOf(entries, s)
}

// launchOf is the first launch in a feed, whose newest entry is the first.
func launchOf(entries []framework.ActivityEntry, s survey) (first launch, reason string) {
	h := history{survey: s, starts: map[time.Time]bool{}}
	for _, e := range slices.Backward(entries) {
		h.add(e)
	}

	switch {
	case !h.isComplete:
		return launch{}, "its activity feed does not go back to its creation"
	case !h.hasChanged && !s.start.IsZero():
		return launch{at: s.created, start: s.start}, "" // it was created with its start
	case h.isUndated:
		return launch{}, "its activity feed does not show when it was launched"
	case len(h.starts) == 1:
		for start := range h.starts {
			h.first.start = start
		}
	}
	return h.first, ""
}

// history is what a feed says about the launches of a survey, from its oldest entry on.
type history struct {
	survey survey
	first  launch
	// starts are all its dates of start.
	starts map[time.Time]bool
	// isComplete is set when the feed begins with the creation, hasChanged when the date of
	// start was changed, isUndated when a launch has no time.
	isComplete, hasChanged, isUndated bool
}

func (h *history) add(e framework.ActivityEntry) {
	isCreation := e.Activity.ValueString() == "created"
	h.isComplete = h.isComplete || isCreation
	if e.Field.ValueString() != "start_date" {
		if e.Activity.ValueString() == "launched" {
			h.launched(moment(e.At.ValueString(), nil), "")
		}
		return
	}

	before, after := date(e.Before.ValueString()), date(e.After.ValueString())
	if !h.hasChanged && before != "" {
		h.launched(h.survey.created, before) // it was created with a start
	}
	if h.hasChanged = true; after != "" {
		h.launched(moment(e.At.ValueString(), nil), after)
	}
}

// launched adds a launch.
func (h *history) launched(at time.Time, start string) {
	if h.first.at.IsZero() {
		h.first.at = at
	}
	h.isUndated = h.isUndated || at.IsZero()
	h.starts[moment(start, nil).UTC()] = true
}

// date returns the text of a date in an activity feed, without its quotes.
func date(text string) string { return strings.Trim(text, `"`) }
