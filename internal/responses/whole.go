package responses

import (
	"context"
	"fmt"
	"time"
)

// whole decides whether the responses that were counted are all that a survey has. They are
// if the service counts from before the survey was first launched.
func (c *Counter) whole(ctx context.Context, seen *project, s survey) Number {
	number := Number{Counted: seen.counts[key(s.id)]}
	if !s.isHosted || seen.countsSince(s.created) {
		return number
	}

	// The statistics of a draft begin when it was created, those of others when they started.
	if s.start.IsZero() && !s.hasEnded {
		if sent, ok, err := c.surveys.Sent(ctx, s.id); err == nil && ok {
			return Number{Counted: max(sent, number.Counted)}
		}
	}

	launch, reason := c.firstLaunch(ctx, s)
	switch {
	case reason != "":
		number.Reason = fmt.Sprintf("%s, and this one may have been launched before: %s", seen.window(), reason)
	case launch.at.IsZero() || seen.countsSince(launch.at) || launch.isBegin(seen.first):
	default:
		number.Reason = fmt.Sprintf("%s, and this one was launched at %s", seen.window(), launch.at.UTC().Format(time.RFC3339))
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
		return "the service counts no responses while no survey of the project has a start_date"
	}
	return fmt.Sprintf("the service counts responses from the earliest start_date of the project on (%s)", p.first.UTC().Format(time.RFC3339))
}
