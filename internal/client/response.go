package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// response is an HTTP response with its complete body.
type response struct {
	client  *Client
	request Request
	url     *url.URL
	status  int
	header  http.Header
	body    []byte
	// hide removes the request's sensitive values from text. It is nil if there are none.
	hide func(string) string
}

// object decodes the response to an operation that always returns an object with an ID. It takes
// the results of [Client.do].
func object[T any](a *response, err error) (T, error) {
	var value, none T
	if err != nil {
		return none, err
	}
	if err := a.decode(&value); err != nil {
		return none, err
	}

	// JSON for a different kind of object would decode without error to an object without any fields.
	var identified struct {
		ID json.RawMessage `json:"id"`
	}
	if err := a.decode(&identified); err != nil {
		return none, err
	}
	if identified.ID == nil || string(identified.ID) == "null" {
		return none, a.unusable("a JSON object without an id, which this operation does not return: check that base_url is the URL of the API")
	}
	return value, a.checkID(strings.Trim(string(identified.ID), `"`))
}

// rawJSON returns the response to an operation that is documented without a response body, but may
// return JSON. It returns nil if the body is empty.
func rawJSON(a *response, err error) (json.RawMessage, error) {
	if err != nil || a.empty() {
		return nil, err
	}
	var raw json.RawMessage
	err = a.check(json.Unmarshal(a.body, &raw))
	return raw, err
}

// noContent checks the response to an operation that returns no content. If an HTML page arrives
// instead, PostHog did not carry out the operation.
func noContent(a *response, err error) error {
	_, err = rawJSON(a, err)
	return err
}

// decode decodes the body, which must be a JSON object.
func (a *response) decode(into any) error {
	if a.empty() {
		return a.unusable("empty, but this operation returns a JSON object")
	}
	if err := a.check(json.Unmarshal(a.body, into)); err != nil {
		return err
	}
	if bytes.TrimSpace(a.body)[0] != '{' {
		return a.unusable("JSON, but not the object that this operation returns: " + a.excerpt())
	}
	return nil
}

func (a *response) empty() bool { return len(bytes.TrimSpace(a.body)) == 0 }

// check describes an encoding/json error about the body.
func (a *response) check(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &syntax):
		return a.unusable("JSON, but not in the format that this operation returns: " + a.clean(err.Error(), 200))
	case a.startsLikeJSON() && int(syntax.Offset) >= len(a.body) && strings.Contains(syntax.Error(), "unexpected end"):
		return a.cutOff(int64(len(a.body)), -1, nil)
	case a.startsLikeJSON():
		return a.unusable(fmt.Sprintf("invalid JSON at byte %d: %s", syntax.Offset, a.clean(syntax.Error(), 200)))
	}
	return a.notJSON()
}

func (a *response) startsLikeJSON() bool {
	body := bytes.TrimSpace(a.body)
	return len(body) > 0 && (body[0] == '{' || body[0] == '[' || body[0] == '"')
}

// notJSON describes a page or text.
func (a *response) notJSON() *ResponseError {
	contentType := a.clean(a.header.Get("Content-Type"), 80)
	title, isPage := htmlPage(contentType, string(a.body))

	var reason string
	switch {
	case isPage && a.clean(title, 80) != "":
		reason = fmt.Sprintf("an HTML page titled %q, not JSON", a.clean(title, 80))
	case isPage:
		reason = "an HTML page, not JSON"
	case contentType == "":
		reason = "not JSON and has no content type; it starts with " + a.excerpt()
	default:
		reason = fmt.Sprintf("%s, not JSON; it starts with %s", contentType, a.excerpt())
	}

	if a.status < http.StatusInternalServerError {
		reason += ": check that base_url is the URL of the API"
	}
	e := a.unusable(reason)
	e.isPage = isPage
	return e
}

// requireSuccess returns the response. It also returns an error unless the response is from PostHog
// and reports success.
func (a *response) requireSuccess() (*response, error) {
	if err := a.statusError(); err != nil {
		return a, err
	}

	// No operation returns an HTML page, so the response is not from PostHog.
	if _, isPage := htmlPage(a.header.Get("Content-Type"), string(a.body)); isPage && !a.empty() {
		return nil, a.notJSON()
	}
	return a, nil
}

// statusError returns the error for the status, or nil for a 2xx.
func (a *response) statusError() error {
	switch {
	case a.status >= 200 && a.status <= 299:
		return nil
	case a.status < 400:
		return a.redirectError()
	}

	e := a.apiError()
	if a.empty() {
		return e
	}

	var body map[string]json.RawMessage
	var syntax *json.SyntaxError
	if err := json.Unmarshal(a.body, &body); errors.As(err, &syntax) {
		return a.fail(a.check(err))
	}

	e.Type, e.Code, e.Attr = a.errorField(body["type"]), a.errorField(body["code"]), a.errorField(body["attr"])
	if e.Detail = a.errorField(body["detail"]); e.Detail == "" {
		e.Detail = a.clean(string(a.body), 500)
	}
	e.RetryAfter = retryAfter(a.header, e.Detail, a.client.gate.now())
	return e
}

// apiError returns the error for a status of 400 or above, without the body's contents.
func (a *response) apiError() *Error {
	return &Error{
		Request: a.request, Status: a.status,
		RequestID: a.client.requestID(a.header), RetryAfter: retryAfter(a.header, "", a.client.gate.now()),
	}
}

// fail reports a defect in the body: as the error itself if the status is a success, and otherwise
// as the cause of the status's error.
func (a *response) fail(err error) error {
	if a.status < 400 {
		return err
	}
	e := a.apiError()
	e.cause = err

	if unusable, ok := errors.AsType[*ResponseError](err); ok {
		e.Detail = "the response is " + unusable.Reason
		e.RetryAfter = retryAfter(a.header, string(a.body[:min(len(a.body), 4096)]), a.client.gate.now())
	} else if cutOff, ok := errors.AsType[*CutOffError](err); ok {
		e.Detail = fmt.Sprintf("the response was cut off after %d bytes", cutOff.Read)
	}
	return e
}

func (a *response) unusable(reason string) *ResponseError {
	return &ResponseError{
		Request: a.request, Status: a.status,
		RequestID: a.client.requestID(a.header), Reason: reason,
	}
}

func (a *response) cutOff(read, announced int64, cause error) *CutOffError {
	return &CutOffError{
		Request: a.request, Status: a.status,
		RequestID: a.client.requestID(a.header), Read: read, Announced: announced, cause: cause,
	}
}

// errorField formats a field in an error body. It returns a string unchanged, an empty string for null, and JSON for
// any other value.
func (a *response) errorField(raw json.RawMessage) string {
	var text *string
	if json.Unmarshal(raw, &text) != nil {
		return a.clean(string(raw), 500)
	}
	if text == nil {
		return ""
	}
	return a.clean(*text, 2000)
}

// excerpt quotes the first characters of the body.
func (a *response) excerpt() string { return fmt.Sprintf("%q", a.clean(string(a.body), 80)) }

// clean prepares PostHog's text for an error: without the key, on one line.
func (a *response) clean(text string, limit int) string {
	text = a.client.credential.hide(text)
	if a.hide != nil {
		text = a.hide(text)
	}
	return oneLine(text, limit)
}

var titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)

// htmlPage reports whether a body is an HTML page, and returns its title if it has one.
func htmlPage(contentType, body string) (title string, isPage bool) {
	start := strings.ToLower(strings.TrimSpace(body[:min(len(body), 512)]))
	if !strings.Contains(contentType, "html") && !strings.HasPrefix(start, "<!doctype html") && !strings.HasPrefix(start, "<html") {
		return "", false
	}

	if m := titleTag.FindStringSubmatch(body[:min(len(body), 64<<10)]); m != nil {
		title = html.UnescapeString(m[1])
	}
	return title, true
}

// oneLine prepares PostHog's text for a log line: without control characters and invisible
// characters, with runs of white space collapsed, and at most limit characters long.
func oneLine(text string, limit int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")

	for i := range text {
		if limit--; limit < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// redirectError returns the error for a redirect. The client follows no redirects, because it must
// not send the key elsewhere, and a redirected POST would become a GET.
func (a *response) redirectError() error {
	target, err := a.url.Parse(a.header.Get("Location"))
	if err != nil {
		return a.unusable("a redirect without a valid URL: check that base_url is the URL of the API")
	}
	return a.unusable(fmt.Sprintf("a redirect to %s, where the API key is not sent: set base_url to the URL of the API itself, with https://",
		a.clean(target.Scheme+"://"+target.Host+target.EscapedPath(), 100)))
}
