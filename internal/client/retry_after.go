package client

import (
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// waitInText matches the wait in the text of a 429, because PostHog sends no Retry-After header.
var waitInText = regexp.MustCompile(`(?i)available in (\d+)(\.\d+)? seconds?`)

// forever is longer than any operation, but short enough for arithmetic. A requested wait may
// overflow a time.Duration.
const forever = 100 * 365 * 24 * time.Hour

// retryAfter returns the wait that PostHog requested, or zero if there is none or it has passed.
func retryAfter(h http.Header, detail string, now time.Time) time.Duration {
	value := h.Get("Retry-After")
	if wait, ok := inSeconds(value); ok {
		return wait
	}

	if retryAt, err := http.ParseTime(value); err == nil {
		// Prefer PostHog's clock, because the local one may be minutes off.
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date
		}
		return min(max(retryAt.Sub(now), 0), forever)
	}

	if m := waitInText.FindStringSubmatch(detail); m != nil {
		wait, _ := inSeconds(m[1])
		if m[2] != "" {
			wait += time.Second
		}
		return min(wait, forever)
	}
	return 0
}

// inSeconds parses a number of seconds of any size.
func inSeconds(text string) (time.Duration, bool) {
	seconds, err := strconv.ParseUint(text, 10, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, false
	}
	return time.Duration(min(seconds, uint64(forever/time.Second))) * time.Second, true //nolint:gosec // a century at most
}
