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

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// send sends a call's request and returns the response with its complete body. It takes the results
// of the generated request builders, including their error.
type send func(ctx context.Context, call call, req *http.Request, err error) (*response, error)

// do is the [send] that all requests of the client go through.
//
// [retryState] decides what to retry, and when. A generic retrying client would not suffice: it counts
// attempts, repeats creates, and has no gate that all requests share.
func (c *Client) do(ctx context.Context, call call, req *http.Request, err error) (*response, error) {
	operation := call.operation
	if err != nil {
		return nil, fmt.Errorf("%s: cannot build the request: %w", operation, c.credential.cause(err))
	}
	if err := c.checkRoute(operation, req.URL); err != nil {
		return nil, err
	}
	if err := c.breaker.check(c, operation, req, c.gate.now()); err != nil {
		return nil, c.reports.share(err, c.breaker)
	}

	// Requests that complete a write continue for a moment after the operation is canceled.
	if call.hasWritten() {
		var cancel context.CancelFunc
		ctx, cancel = withGrace(ctx)
		defer cancel()
	}

	wait := wait{limit: c.gate.limit(ctx, call)}
	retries, retryCount := c.newRetryState(ctx, call), 0
	out := &outgoing{call: call, req: req}
	defer func() { c.endTurn(out) }()
	for {
		if done, err := c.ready(ctx, out, wait); done != nil || err != nil {
			return done, c.reports.share(err, c.breaker)
		}

		sentAt := c.gate.now()
		c.gate.sends(out.turn)
		a, err := c.attempt(ctx, call, out.req)
		now := c.gate.now()
		c.breaker.note(err, now)
		if !IsThrottled(err) {
			c.gate.recordSuccess(out.turn)
		}
		switch {
		case err == nil:
			out.turn.recordResponse(sentAt, now)
			if isWrite(req.Method) {
				call.recordWrite()
			}
		case mayHaveTakenEffect(err):
			out.lost = err
		}
		if err == nil || ctx.Err() != nil {
			return a, c.reports.share(err, c.breaker)
		}

		met := c.breaker.soFar()
		retries.answered, retries.failingSince = met.answered, met.failingSince()
		decision := c.retry(&retries, req.Method, err, now)
		if decision.pauseAll {
			c.gate.recordRefusal(out.turn, decision.pause) // even if this request is given up
		}
		if decision.retry && !c.mayRetry(retryCount) {
			decision.retry, err = false, &RetriesError{Again: retryCount, cause: err}
		}
		if !decision.retry {
			return a, c.reports.share(c.breaker.trip(err, decision.unavailable, now), c.breaker)
		}

		c.endTurn(out)
		retryCount++
		wait.after = err
		if !decision.pauseAll {
			wait.notBefore = now.Add(decision.pause + c.gate.jitter(decision.pause))
		}
		tflog.Warn(ctx, "the request is retried after a pause", map[string]any{
			"operation": operation, "pause": decision.pause.String(), "all_requests_pause": decision.pauseAll, "error": err.Error(),
		})
	}
}

// endTurn ends the turn of a request, unless the request is part of a look and its write follows.
func (c *Client) endTurn(o *outgoing) {
	if o.turn != o.within {
		c.gate.end(o.turn)
	}
}

// wait describes how long a request waits before an attempt.
type wait struct {
	// notBefore is when the request's pause ends. limit is when its operation must stop waiting.
	notBefore, limit time.Time
	// after is the error of the previous attempt, or nil before the first.
	after error
}

// waitForSlot waits until the gate admits the turn of a request, or its next request.
func (c *Client) waitForSlot(ctx context.Context, o *outgoing, w wait) error {
	tooLong, cause, err := c.gate.pass(ctx, o.turn, w.notBefore, w.limit)
	if tooLong == 0 && err == nil {
		return nil
	}
	heldBack := &HeldBackError{Request: c.describeRequest(o.operation, o.req), Wait: tooLong, why: cause, before: w.after, ended: err}
	if o.isTimed(ctx) {
		heldBack.Budget = o.budget.Budget
	}
	return heldBack
}

// attempt sends the request once. Canceling ctx does not interrupt a write.
func (c *Client) attempt(ctx context.Context, call call, req *http.Request) (*response, error) {
	caller, cancelWrite := uncanceledWrite(ctx, req.Method)
	defer cancelWrite()
	sending, cancel := context.WithTimeout(caller, c.timeout)
	defer cancel()

	// The connection shows whether a failed request may have reached PostHog.
	var connecting, connected atomic.Bool
	sending = httptrace.WithClientTrace(sending, &httptrace.ClientTrace{
		GetConn: func(string) { connecting.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})

	req, err := c.prepare(sending, call.operation, req)
	if err != nil {
		return nil, err
	}

	// Don't use an http.Client: it would follow redirects, and turn a POST into a GET.
	started := time.Now()
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		// If the transport does not report its connections, the request may have been sent.
		isSent := connected.Load() || !connecting.Load()
		err = c.connectionError(caller, call, req, isSent, err)
		c.log(caller, call.operation, req, started, map[string]any{"error": err.Error()})
		return nil, err
	}
	defer resp.Body.Close()

	a, err := c.read(caller, call, req, resp)
	c.log(caller, call.operation, req, started, map[string]any{"status": resp.StatusCode, "request_id": c.requestID(resp.Header)})
	if err != nil {
		return nil, err
	}
	return a.requireSuccess()
}

// prepare returns a copy of a request that is ready to be sent, with the client's headers and its
// whole body, even if an earlier attempt has read the body.
func (c *Client) prepare(ctx context.Context, operation string, req *http.Request) (*http.Request, error) {
	req = req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, fmt.Errorf("%s: cannot read the body of the request again: %w", operation, err)
		}
		req.Body = body
	}

	req.Header.Set("Accept", "application/json")
	if c.userAgent != "" {
		req.Header.Set("User-Agent", c.userAgent)
	}
	c.credential.sign(req.Header)
	return req, nil
}

// read reads the body up to the size limit, and detects a body that ended early.
func (c *Client) read(caller context.Context, call call, req *http.Request, resp *http.Response) (*response, error) {
	a := &response{
		client: c, request: c.describeRequest(call.operation, req), url: req.URL,
		status: resp.StatusCode, header: resp.Header, hide: call.hide,
	}

	body, err := io.ReadAll(io.LimitReader(resp.Body, c.maxResponse+1))
	switch {
	case err != nil && req.Context().Err() != nil:
		return nil, c.connectionError(caller, call, req, true, err)
	case err != nil:
		return nil, a.fail(a.cutOff(int64(len(body)), resp.ContentLength, c.credential.cause(err)))
	case int64(len(body)) > c.maxResponse:
		return nil, a.fail(a.unusable(fmt.Sprintf("longer than %d bytes, so the rest was not read", c.maxResponse)))
	}
	if err := jsonvalue.Check(body); err != nil {
		return nil, a.fail(a.unusable("not valid as an object of PostHog: " + err.Error()))
	}
	a.body = body
	return a, nil
}

// log logs a request. It never logs headers, bodies, or queries.
func (c *Client) log(ctx context.Context, operation string, req *http.Request, started time.Time, fields map[string]any) {
	fields["operation"] = operation
	fields["method"] = req.Method
	fields["path"] = c.path(req.URL)
	fields["duration_ms"] = time.Since(started).Milliseconds()
	tflog.Debug(ctx, "request to PostHog", fields)
}

// describeRequest describes a request for errors.
func (c *Client) describeRequest(operation string, req *http.Request) Request {
	return Request{Operation: operation, Method: req.Method, Path: c.path(req.URL)}
}

// path returns a URL's path for errors and logs.
func (c *Client) path(u *url.URL) string { return c.credential.hide(u.EscapedPath()) }

// requestID returns the request's ID in the logs of PostHog or its proxy.
func (c *Client) requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Cf-Ray"} {
		if id := h.Get(name); id != "" {
			return oneLine(c.credential.hide(id), 100)
		}
	}
	return ""
}
