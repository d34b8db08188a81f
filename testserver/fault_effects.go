package testserver

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/ratelimit"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// faultPage is the web page of the html effect.
const faultPage = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>This is no JSON.</p></body></html>
`

// longestTime bounds delays and windows. It is longer than any test.
const longestTime = 365 * 24 * time.Hour

// readEffect reads the effects of a rule.
func readEffect(o *strictjson.Object) effect {
	delay := o.Integer("delay_ms", 0)
	e := effect{
		delay: time.Duration(delay) * time.Millisecond,
		drop:  o.Text("drop", ""),
		cut:   int(o.Integer("cut_body", -1)),
	}

	switch {
	case delay < 0:
		o.Fail("delay_ms", "must not be below 0")
	case delay > longestTime.Milliseconds():
		o.Fail("delay_ms", "must not be above %d, which is a year", longestTime.Milliseconds())
	case o.Has("drop") && e.drop != dropBefore && e.drop != dropAfter:
		o.Fail("drop", "must be %q or %q, is %q", dropBefore, dropAfter, e.drop)
	case o.Has("cut_body") && e.cut < 0:
		o.Fail("cut_body", "must not be below 0")
	}

	status := int(o.Integer("status", 0))
	if o.Has("status") && (status < 200 || status > 599) {
		o.Fail("status", "must be from 200 to 599, is %d", status)
	}

	html := o.Boolean("html", false)
	e.response = readResponse(o, status, html)
	e.throttle = readThrottle(o)
	e.edit = readEdit(o)
	e.emptyForNull, e.reorderKeys = o.Boolean("empty_for_null", false), o.Boolean("reorder_keys", false)

	// false is the same as omitting the key.
	asked := func(name string) bool { return o.Has(name) && string(o.Fields[name]) != "false" }
	switch {
	case e.response != nil && e.drop != "":
		o.Fail("drop", "there is no answer to drop beside status, retry_after and html")
	case e.response != nil && e.throttle != nil:
		o.Fail("throttle", "cannot be combined with status, retry_after and html, which answer all requests")
	case e.response != nil && e.edit != nil:
		o.Fail("edit", "is made right before the work, and beside status, retry_after and html no work is done")
	case e.response == nil && (o.Has("headers") || o.Has("body")):
		o.Fail("", "headers and body need a status")
	case !slices.ContainsFunc(faultEffects, asked):
		o.Fail("", "says nothing about what happens; there are %s", strings.Join(faultEffects, ", "))
	}
	return e
}

// readResponse returns the response that replaces the real one; nil when there is none.
func readResponse(o *strictjson.Object, status int, html bool) *response {
	header := http.Header{}
	readHeaders(o, header)
	retryAfter := readRetryAfter(o)
	if retryAfter != "" {
		header.Set("Retry-After", retryAfter)
	}

	var body []byte
	contentType := jsonContent[0]
	switch {
	case status == 0 && retryAfter == "" && !html:
		return nil
	case status == 0 && html:
		status = http.StatusOK
	case status == 0:
		status = http.StatusTooManyRequests
	}

	switch sent := o.Fields["body"]; {
	case html && sent != nil:
		o.Fail("body", "html brings its own body")
	case html:
		body, contentType = []byte(faultPage), "text/html; charset=utf-8"
	case sent == nil:
		body = defaultFaultBody(status, retryAfter)
	case sent[0] == '"':
		body, contentType = []byte(rawjson.Unquote(sent)), "text/plain; charset=utf-8"
	default:
		body = sent
	}

	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", contentType)
	}

	return &response{status: status, header: header, body: body, isKept: true}
}

// readRetryAfter reads the Retry-After header of a rule; empty for none. It also accepts a
// number of seconds.
func readRetryAfter(o *strictjson.Object) string {
	raw := o.Fields["retry_after"]
	if raw == nil || raw[0] == '"' {
		return o.Text("retry_after", "")
	}
	seconds := o.Integer("retry_after", 0)
	if seconds < 0 {
		o.Fail("retry_after", "must not be below 0, is %d", seconds)
	}
	return strconv.FormatInt(seconds, 10)
}

// defaultFaultBody is the error of the service for a status; success has no body.
func defaultFaultBody(status int, retryAfter string) []byte {
	if status < http.StatusBadRequest {
		return nil
	}
	f := field.FailureFor(status)
	if status == http.StatusTooManyRequests && retryAfter != "" {
		f.Detail += " Expected available in " + retryAfter + " seconds."
		if strings.Contains(retryAfter, " ") {
			f.Detail = "Request was throttled."
		}
	}
	return f.Body()
}

func readHeaders(o *strictjson.Object, into http.Header) {
	raw := o.Fields["headers"]
	if raw == nil {
		return
	}
	if raw[0] != '{' {
		o.Fail("headers", "must be an object, is %s", rawjson.Kind(raw))
		return
	}
	for name, value := range rawjson.Members(raw) {
		if value[0] != '"' {
			o.Fail("headers", "%s must be a string, is %s", name, rawjson.Kind(value))
			return
		}
		into.Set(name, rawjson.Unquote(value))
	}
}

// readThrottle reads the limit of a rule; nil when there is none.
func readThrottle(o *strictjson.Object) *ratelimit.Limiter {
	raw := o.Fields["throttle"]
	if raw == nil {
		return nil
	}
	limit := strictjson.Read(o.Path+".throttle", raw, []string{"requests", "per_seconds"})
	limit.Require("requests", "per_seconds")
	requests, seconds := limit.Integer("requests", 1), limit.Integer("per_seconds", 1)
	switch {
	case requests < 1:
		limit.Fail("requests", "must be 1 or more, is %d", requests)
	case seconds < 1:
		limit.Fail("per_seconds", "must be 1 or more, is %d", seconds)
	case seconds > int64(longestTime/time.Second):
		limit.Fail("per_seconds", "must not be above %d, which is a year", int64(longestTime/time.Second))
	}
	if o.Err == nil {
		o.Err = limit.Err
	}
	return ratelimit.NewLimiter(ratelimit.Rate{Requests: int(requests), Per: time.Duration(seconds) * time.Second})
}

// refusalUntil returns the response to a request that has to wait; nil if it need not.
func refusalUntil(wait time.Duration) *response {
	f := throttled(wait)
	if f == nil {
		return nil
	}
	return new(refusalOf(f))
}
