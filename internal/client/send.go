package client

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// do sends the request of an operation and returns the service's answer, its body
// read whole. All requests of the client go through here. It takes what the
// generated request builders return, their error included.
//
// What is sent again, and when, is for [tries] to say: a general retrying client
// counts tries and repeats creates, and knows of no gate that all requests share.
func (c *Client) do(ctx context.Context, operation string, req *http.Request, err error) (*answer, error) {
	if err != nil {
		return nil, fmt.Errorf("%s: can't build the request: %w", operation, c.credential.cause(err))
	}
	if err := c.aimed(operation, req.URL); err != nil {
		return nil, err
	}
	if err := c.reach.refuse(c, operation, req, c.gate.now()); err != nil {
		return nil, c.reports.share(err, c.reach)
	}

	// What completes a write goes on for a moment after the operation was stopped.
	if hasWritten(ctx) {
		var cancel context.CancelFunc
		ctx, cancel = lingering(ctx)
		defer cancel()
	}

	limit := c.gate.limit(ctx)
	so := tries{most: c.tries, budgeted: mayWait(ctx)}
	var last error
	var notBefore time.Time
	for {
		if err := c.turn(ctx, operation, req, notBefore, limit, last); err != nil {
			return nil, err
		}
		sending, sent := finishing(ctx, req.Method)
		a, err := c.attempt(sending, operation, req)
		sent()
		now := c.gate.now()
		c.reach.note(err, now)
		if err == nil && isWrite(req.Method) {
			noteWrite(ctx)
		}
		if err == nil || ctx.Err() != nil {
			return a, c.reports.share(err, c.reach)
		}

		so.known, so.unserved = c.reach.known(), c.reach.unserved()
		v := so.judge(req.Method, err, now)
		if !v.again {
			return a, c.reports.share(c.reach.giveUp(err, v, now), c.reach)
		}

		last = err
		v.pause += c.gate.jitter(v.pause)
		if v.all {
			c.gate.hold(v.pause)
		} else {
			notBefore = now.Add(v.pause)
		}
		tflog.Warn(ctx, "the request is sent again after a pause", map[string]any{
			"operation": operation, "pause": v.pause.String(), "all_requests_pause": v.all, "error": err.Error(),
		})
	}
}

// turn waits until the gate lets the request pass.
func (c *Client) turn(ctx context.Context, operation string, req *http.Request, notBefore, limit time.Time, last error) error {
	tooLong, why, err := c.gate.pass(ctx, notBefore, limit)
	if tooLong == 0 && err == nil {
		return nil
	}
	return &HeldBackError{
		Operation: operation, Method: req.Method, Path: c.path(req.URL), Wait: tooLong, Budget: budget(ctx), why: why, before: last, ended: err,
	}
}

// attempt sends the request once.
func (c *Client) attempt(caller context.Context, operation string, req *http.Request) (*answer, error) {
	ctx, cancel := context.WithTimeout(caller, c.timeout)
	defer cancel()
	var connecting, connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { connecting.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req = req.Clone(ctx)
	if req.GetBody != nil { // the body of an earlier attempt is used up
		body, err := req.GetBody()
		if err != nil {
			return nil, fmt.Errorf("%s: can't read the request's body again: %w", operation, err)
		}
		req.Body = body
	}
	req.Header.Set("Accept", "application/json")
	if c.userAgent != "" {
		req.Header.Set("User-Agent", c.userAgent)
	}
	c.credential.sign(req.Header)

	started := time.Now()
	// Not through an http.Client: it would follow redirects, and make a GET of a
	// POST on the way.
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		// A transport that doesn't tell about its connections may have sent it.
		sent := connected.Load() || !connecting.Load()
		err = c.broken(caller, operation, req, sent, err)
		c.log(caller, operation, req, started, map[string]any{"error": err.Error()})
		return nil, err
	}
	defer resp.Body.Close()
	a, err := c.read(caller, operation, req, resp)
	c.log(caller, operation, req, started, map[string]any{"status": resp.StatusCode, "request_id": c.requestID(resp.Header)})
	if err != nil {
		return nil, err
	}
	if err := a.refused(); err != nil {
		return a, err
	}
	if _, page := pageTitle(a.header.Get("Content-Type"), string(a.body)); page && !a.empty() {
		return nil, a.notJSON() // of somebody else: no operation answers with a page
	}
	return a, nil
}

// read takes in the body, up to the bound, and tells a body that ended too early.
func (c *Client) read(caller context.Context, operation string, req *http.Request, resp *http.Response) (*answer, error) {
	a := &answer{
		client: c, operation: operation, method: req.Method, path: c.path(req.URL), url: req.URL,
		status: resp.StatusCode, header: resp.Header,
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, c.maxAnswer+1))
	switch {
	case err != nil && req.Context().Err() != nil:
		return nil, c.broken(caller, operation, req, true, err)
	case err != nil:
		return nil, a.fail(a.cutOff(int64(len(body)), resp.ContentLength, c.credential.cause(err)))
	case int64(len(body)) > c.maxAnswer:
		return nil, a.fail(a.unusable(fmt.Sprintf("longer than %d bytes and was not read further", c.maxAnswer)))
	}
	a.body = body
	return a, nil
}

// log writes the line of one request: never a header, a body or a query.
func (c *Client) log(ctx context.Context, operation string, req *http.Request, started time.Time, fields map[string]any) {
	fields["operation"] = operation
	fields["method"] = req.Method
	fields["path"] = c.path(req.URL)
	fields["duration_ms"] = time.Since(started).Milliseconds()
	tflog.Debug(ctx, "request to the service", fields)
}

// path is the path of a URL as errors and logs show it.
func (c *Client) path(u *url.URL) string { return c.credential.hide(u.EscapedPath()) }

// requestID is the name of the request in the logs of the service or its proxy.
func (c *Client) requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Cf-Ray"} {
		if id := h.Get(name); id != "" {
			return cleaned(c.credential.hide(id), 100)
		}
	}
	return ""
}
