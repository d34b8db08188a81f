package responses

import (
	"context"
	"fmt"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/activity"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/client"
)

// activityEntries are the entries of the activity feed that are read: more than the edits of
// any survey.
const activityEntries = 1000

// feed is what was read of the activity feed of a survey.
type feed struct {
	entries []activity.Entry
	err     error
}

// malformedError is the error of a feed that is not as expected.
type malformedError struct{ error }

// feed reads the activity feed of a survey, once for all that it is asked for. A request that
// may succeed next time is made again.
func (c *Counter) feed(ctx context.Context, id string) ([]activity.Entry, error) {
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
		if read.entries, err = activity.Entries(raw); err != nil {
			read.err = malformedError{fmt.Errorf("its activity feed is not as expected: %w", err)}
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
