package cli

import (
	"net/http"
	"sync"
	"time"
)

// traffic counts the requests of a run, and keeps the clock of the service.
type traffic struct {
	mu       sync.Mutex
	requests int
	waits    int
	// date is the time of the service when the local time was at.
	date, at time.Time
}

// note records the response to a request; nil when there was none.
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

// Count is the number of requests.
func (t *traffic) Count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.requests
}

// Throttled is the number of requests that the service refused with 429.
func (t *traffic) Throttled() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.waits
}

// Clock is the time of the service in its last response, and the local time then; both are
// zero before the first response.
func (t *traffic) Clock() (date, at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.date, t.at
}
