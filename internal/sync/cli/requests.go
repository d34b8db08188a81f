package cli

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/doctor"
)

// requestTimeout limits the duration of a request, including a request that finishes after an interrupt.
const requestTimeout = 60 * time.Second

// transport sends the requests of a run. If the run is interrupted, transport finishes the request in
// flight; otherwise, the program would not know whether PostHog carried out a write.
type transport struct {
	http.RoundTripper
	program *program
}

// wrap wraps a client's transport in the run's transport.
func (p *program) wrap(inner http.RoundTripper) http.RoundTripper { return &transport{inner, p} }

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(req.Context()), t.program.requestTimeout)
	started := t.program.now()

	resp, err := t.RoundTripper.RoundTrip(req.WithContext(ctx))
	finished := t.program.now()
	t.program.traffic.note(resp, finished)
	t.log(req, resp, err, finished.Sub(started))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &cancelOnClose{ReadCloser: resp.Body, cancel: cancel}
	return resp, nil
}

// log writes the -v line: method, path with query, result, and duration.
func (t *transport) log(req *http.Request, resp *http.Response, err error, duration time.Duration) {
	if !t.program.flags.verbose {
		return
	}
	result := "no answer"
	if err == nil {
		result = resp.Status
	}
	// If the user swaps the API key and the project ID, the path contains the key.
	key := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
	target := strings.ReplaceAll(req.URL.RequestURI(), key, "[API key]")
	t.program.logf("%s %s: %s after %s", req.Method, target, result, duration.Round(time.Millisecond))
}

// cancelOnClose releases the timer of a request when the response body is closed.
type cancelOnClose struct {
	io.ReadCloser
	once   sync.Once
	cancel context.CancelFunc
}

// Close implements io.Closer.
func (c *cancelOnClose) Close() error {
	c.once.Do(c.cancel)
	return c.ReadCloser.Close()
}

// traffic counts the requests of a run, and records the time on PostHog's clock.
type traffic struct {
	mu  sync.Mutex
	all doctor.Traffic
}

// note records a request's response. resp is nil if there is no response.
func (t *traffic) note(resp *http.Response, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.all.Requests++
	if resp == nil {
		return
	}
	if resp.StatusCode == http.StatusTooManyRequests {
		t.all.Throttled++
	}
	if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
		t.all.Date, t.all.At = date, now
	}
}

// counts returns the statistics so far.
func (t *traffic) counts() doctor.Traffic {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.all
}
