package faults

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// page is the web page of the html effect.
const page = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>This is not JSON.</p></body></html>
`

// readResponse returns the response that replaces the real one, or nil if there is none. hasErrorOfAPI
// reports whether its body is the API's error for the status.
func readResponse(o *wire.Entry, status int, html bool) (replacement *wire.Response, hasErrorOfAPI bool) {
	header := http.Header{}
	readHeaders(o, header)
	retryAfter := readRetryAfter(o)
	if retryAfter != "" {
		header.Set("Retry-After", retryAfter)
	}

	var body []byte
	contentType := "application/json"
	switch {
	case status == 0 && retryAfter == "" && !html:
		return nil, false
	case status == 0 && html:
		status = http.StatusOK
	case status == 0:
		status = http.StatusTooManyRequests
	}

	switch rawBody := o.Fields["body"]; {
	case html && !rawBody.IsAbsent():
		o.Fail("body", "cannot be combined with html, which sets its own body")
	case html:
		body, contentType = []byte(page), "text/html; charset=utf-8"
	case rawBody.IsAbsent():
		body = defaultBody(status, retryAfter)
		hasErrorOfAPI = body != nil
	case rawBody.IsText():
		body, contentType = []byte(rawBody.Text()), "text/plain; charset=utf-8"
	default:
		body = rawBody.JSON()
	}

	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", contentType)
	}

	return &wire.Response{Status: status, Header: header, Body: body}, hasErrorOfAPI
}

// readRetryAfter reads a rule's Retry-After header. Its value may also be a number of seconds. It returns "" if the
// rule has none.
func readRetryAfter(o *wire.Entry) string {
	raw := o.Fields["retry_after"]
	if raw.IsAbsent() || raw.IsText() {
		return o.Text("retry_after", "")
	}
	seconds := o.Integer("retry_after", 0)
	if seconds < 0 {
		o.Fail("retry_after", "must be 0 or more, not %d", seconds)
	}
	return strconv.FormatInt(seconds, 10)
}

// defaultBody returns the body of PostHog's error for a status, or nil for a success status.
func defaultBody(status int, retryAfter string) []byte {
	if status < http.StatusBadRequest {
		return nil
	}
	f := wire.StatusFailure(status)
	if status == http.StatusTooManyRequests && retryAfter != "" {
		f.Detail += " Expected available in " + retryAfter + " seconds."
		if strings.Contains(retryAfter, " ") {
			f.Detail = "Request was throttled."
		}
	}
	return f.Body().JSON()
}

func readHeaders(o *wire.Entry, into http.Header) {
	raw := o.Fields["headers"]
	if raw.IsAbsent() {
		return
	}
	if !raw.IsObject() {
		o.Fail("headers", "must be an object, not %s", wire.KindWithArticle(raw))
		return
	}
	for name, value := range raw.Fields() {
		if !value.IsText() {
			o.Fail("headers", "%s must be a string, not %s", name, wire.KindWithArticle(value))
			return
		}
		into.Set(name, value.Text())
	}
}
