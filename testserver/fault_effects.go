package testserver

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// faultPage is the web page of the html effect.
const faultPage = `<!DOCTYPE html>
<html><head><title>Sign in</title></head><body><h1>Sign in</h1><p>This is no JSON.</p></body></html>
`

// longestTime is longer than any test, and what delays and windows are bounded by.
const longestTime = 365 * 24 * time.Hour

// readEffect reads what a rule does.
func readEffect(o *strict) effect {
	delay := o.integer("delay_ms", 0)
	e := effect{
		delay: time.Duration(delay) * time.Millisecond,
		drop:  o.text("drop", ""),
		cut:   int(o.integer("cut_body", -1)),
	}
	switch {
	case delay < 0:
		o.fail("delay_ms", "must not be below 0")
	case delay > longestTime.Milliseconds():
		o.fail("delay_ms", "must not be above %d, which is a year", longestTime.Milliseconds())
	case o.has("drop") && e.drop != dropBefore && e.drop != dropAfter:
		o.fail("drop", "must be %q or %q, is %q", dropBefore, dropAfter, e.drop)
	case o.has("cut_body") && e.cut < 0:
		o.fail("cut_body", "must not be below 0")
	}
	status := int(o.integer("status", 0))
	if o.has("status") && (status < 200 || status > 599) {
		o.fail("status", "must be from 200 to 599, is %d", status)
	}
	html := o.boolean("html", false)
	e.answer = readAnswer(o, status, html)
	e.throttle = readThrottle(o)
	e.edit = readEdit(o)
	e.emptyForNull, e.reorderKeys = o.boolean("empty_for_null", false), o.boolean("reorder_keys", false)
	// False asks for nothing.
	asked := func(name string) bool { return o.has(name) && string(o.members[name]) != "false" }
	switch {
	case e.answer != nil && e.drop != "":
		o.fail("drop", "there is no answer to drop beside status, retry_after and html")
	case e.answer != nil && e.throttle != nil:
		o.fail("throttle", "there is no room for it beside status, retry_after and html, which answer all requests")
	case e.answer != nil && e.edit != nil:
		o.fail("edit", "is made right before the work, and beside status, retry_after and html no work is done")
	case e.answer == nil && (o.has("headers") || o.has("body")):
		o.fail("", "headers and body need a status")
	case !slices.ContainsFunc(faultEffects, asked):
		o.fail("", "says nothing about what happens; there are %s", strings.Join(faultEffects, ", "))
	}
	return e
}

// readAnswer makes the answer that stands for the real one; nil when there is none.
func readAnswer(o *strict, status int, html bool) func(*exchange) {
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
	switch sent := o.members["body"]; {
	case html && sent != nil:
		o.fail("body", "html brings its own body")
	case html:
		body, contentType = []byte(faultPage), "text/html; charset=utf-8"
	case sent == nil:
		body = defaultFaultBody(status, retryAfter)
	case sent[0] == '"':
		body, contentType = []byte(unquote(sent)), "text/plain; charset=utf-8"
	default:
		body = sent
	}
	if header.Get("Content-Type") == "" && len(body) > 0 {
		header.Set("Content-Type", contentType)
	}
	return func(x *exchange) {
		maps.Copy(x.header, header)
		x.status, x.answer = status, append(x.answer[:0], body...)
	}
}

// readRetryAfter reads the wait to ask for; empty for none. What people write as a
// number of seconds is one.
func readRetryAfter(o *strict) string {
	raw := o.members["retry_after"]
	if raw == nil || raw[0] == '"' {
		return o.text("retry_after", "")
	}
	seconds := o.integer("retry_after", 0)
	if seconds < 0 {
		o.fail("retry_after", "must not be below 0, is %d", seconds)
	}
	return strconv.FormatInt(seconds, 10)
}

// defaultFaultBody is the error of the service for a status; success has no body.
func defaultFaultBody(status int, retryAfter string) []byte {
	if status < http.StatusBadRequest {
		return nil
	}
	f := failureFor(status)
	if status == http.StatusTooManyRequests && retryAfter != "" {
		f.detail += " Expected available in " + retryAfter + " seconds."
		if strings.Contains(retryAfter, " ") {
			f.detail = "Request was throttled."
		}
	}
	return f.body()
}

func readHeaders(o *strict, into http.Header) {
	raw := o.members["headers"]
	if raw == nil {
		return
	}
	if raw[0] != '{' {
		o.fail("headers", "must be an object, is %s", kindOf(raw))
		return
	}
	for name, value := range members(raw) {
		if value[0] != '"' {
			o.fail("headers", "%s must be a string, is %s", name, kindOf(value))
			return
		}
		into.Set(name, unquote(value))
	}
}

// readThrottle reads the limit of a rule; nil when there is none.
func readThrottle(o *strict) *limiter {
	raw := o.members["throttle"]
	if raw == nil {
		return nil
	}
	limit := readStrict(o.path+".throttle", raw, []string{"requests", "per_seconds"})
	limit.need("requests", "per_seconds")
	requests, seconds := limit.integer("requests", 1), limit.integer("per_seconds", 1)
	switch {
	case requests < 1:
		limit.fail("requests", "must be 1 or more, is %d", requests)
	case seconds < 1:
		limit.fail("per_seconds", "must be 1 or more, is %d", seconds)
	case seconds > int64(longestTime/time.Second):
		limit.fail("per_seconds", "must not be above %d, which is a year", int64(longestTime/time.Second))
	}
	if o.err == nil {
		o.err = limit.err
	}
	return &limiter{rate: rate{requests: int(requests), per: time.Duration(seconds) * time.Second}}
}

// refusalUntil makes the answer to a request that has to wait; nil when it has not.
func refusalUntil(wait time.Duration) func(*exchange) {
	f := tooEarly(wait)
	if f == nil {
		return nil
	}
	return func(x *exchange) { x.refuse(f) }
}
