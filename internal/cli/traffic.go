package cli

import (
	"net/http"
	"sync"
	"time"
)

// traffic is what a run has seen of the service in the headers of its answers.
type traffic struct {
	mu       sync.Mutex
	requests int
	waits    int
	// date is the service's clock at the time at of ours.
	date, at time.Time
}

// note takes in the answer to a request; nil when there was none.
func (t *traffic) note(resp *http.Response, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	if resp == nil {
		return
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		t.waits++
	}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		t.date, t.at = date, now
	}
}

// count is how many requests were made.
func (t *traffic) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests
}

// throttled is how many of them the service refused for being too many.
func (t *traffic) throttled() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waits
}

// clock is the service's time, and ours when it arrived; zero before that.
func (t *traffic) clock() (date, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.date, t.at
}
