package cli

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-cleanhttp"
)

// requestTimeout bounds a request, also one that is finished after the user interrupted.
const requestTimeout = 60 * time.Second

// transport carries the requests of a run. It finishes the request in flight when
// the run is interrupted: whether a write was carried out would be unknown otherwise.
type transport struct {
	http.RoundTripper
	program *program
}

// transport returns the one that the client of the run uses.
func (p *program) transport() http.RoundTripper {
	if p.roundTripper != nil {
		return &transport{p.roundTripper, p}
	}
	return &transport{cleanhttp.DefaultPooledTransport(), p}
}

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

// log writes the line of -v: method, path and query, and how it went.
func (t *transport) log(req *http.Request, resp *http.Response, err error, took time.Duration) {
	if !t.program.flags.verbose {
		return
	}
	result := "no answer"
	if err == nil {
		result = resp.Status
	}
	// Somebody may have swapped the key and the project.
	key := strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer ")
	target := strings.ReplaceAll(req.URL.RequestURI(), key, "[API key]")
	t.program.logf("%s %s: %s after %s", req.Method, target, result, took.Round(time.Millisecond))
}

// cancelOnClose frees the timer of a request when its body is closed.
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
