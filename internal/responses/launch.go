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

// activityEntries is the number of feed entries to read. It exceeds the number of edits of any survey.
const activityEntries = 1000

// feed is the result of reading a survey's activity feed.
type feed struct {
	entries []framework.ActivityEntry
	err     error
}

// malformedError is the error for a feed with an unexpected format.
type malformedError struct{ error }

// feed returns the activity feed of a survey, which it reads once. After an error that may be temporary, the next
// call reads it again.
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
	// at is the time of the launch. It is zero if there was none.
	at time.Time
	// start is the start_date that the launch set, if the survey never had another one.
	start time.Time
}

// maxSkew is how far a launching program's clock may be ahead of PostHog's clock.
const maxSkew = time.Minute

// isBegin reports whether PostHog counts from this launch on. The program that launched the survey set the
// start_date by its own clock.
func (l launch) isBegin(first time.Time) bool {
	return !l.start.IsZero() && l.start.Equal(first) && l.start.Sub(l.at) <= maxSkew
}

// firstLaunch finds the first launch of a survey in its activity feed, or returns the reason why it cannot.
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

// launchOf returns the first launch in a feed, which is ordered from newest to oldest.
func launchOf(entries []framework.ActivityEntry, s survey) (first launch, reason string) {
	h := history{survey: s, starts: map[time.Time]bool{}}
	for _, e := range slices.Backward(entries) {
		h.add(e)
	}

	switch {
	case !h.isComplete:
		return launch{}, "its activity feed does not go back to its creation"
	case !h.hasChanged && !s.start.IsZero():
		return launch{at: s.created, start: s.start}, "" // the survey was created with a start_date
	case h.isUndated:
		return launch{}, "its activity feed does not show when it was launched"
	case len(h.starts) == 1:
		for start := range h.starts {
			h.first.start = start
		}
	}
	return h.first, ""
}

// history collects the launches of a survey from its activity feed, oldest entry first.
type history struct {
	survey survey
	first  launch
	// starts contains all values of start_date.
	starts map[time.Time]bool
	// isComplete is true if the feed begins with the creation. hasChanged is true if start_date was changed.
	// isUndated is true if a launch has no time.
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
		h.launched(h.survey.created, before) // the survey was created with a start_date
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

// date removes the quotes of a date in an activity feed.
func date(text string) string { return strings.Trim(text, `"`) }
