package testserver

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// entry is a recorded request. It is converted to a [Request] on demand, which keeps
// recording fast.
type entry struct {
	sequence, revision int64
	// started is the time of the arrival, and at the same by the server's clock, which may be
	// stopped.
	started, at                    time.Time
	method, path, query, operation string
	host, protocol                 string
	// events says which events of apps it has; empty for none.
	events    string
	encrypted bool
	header    []headerField
	body      []byte
	bodySize  int
	// omitted is set when body and response were dropped in favor of newer ones.
	omitted bool
	// ended is set when the request got its response or was dropped.
	ended bool
	outcome
}

// headerField is a header field of a request.
type headerField struct{ name, value string }

// outcome is the end of a request, with its response.
type outcome struct {
	// status is the status of the response, 0 when a fault dropped it.
	status   int
	duration time.Duration
	// at is the server's time.
	at time.Time
	// id is the X-Request-Id, contentType the type of the response; extraHeader are the other
	// header fields, nil for none.
	id          int64
	contentType string
	extraHeader http.Header
	// responseBody is the body as far as it was sent, nil when it is too large to be kept.
	responseBody []byte
	responseSize int
	// hits are the fault rules that had an effect.
	hits []*rule
}

// newEntry records a request. It shares the body, which is never changed, and has its own
// copy of the header.
func newEntry(x *exchange, started, arrived time.Time) *entry {
	r := x.request
	e := &entry{
		started: started, at: arrived, method: r.Method, path: r.URL.Path, query: r.URL.RawQuery, host: r.Host, protocol: r.Proto, encrypted: r.TLS != nil,
		body: x.body, bodySize: len(x.body),
		header: make([]headerField, 0, len(r.Header)),
	}
	for name, values := range r.Header {
		for _, value := range values {
			e.header = append(e.header, headerField{name, value})
		}
	}
	if x.endpoint != nil {
		e.operation = x.endpoint.ID
	}
	if x.delivery != nil {
		e.events = x.delivery.events
	}
	if x.endpoint.capturesEvents() && len(x.body) > maxDelivered {
		// Any page may send it, and would drive others out of the journal.
		e.body = nil
	}
	return e
}

// outcome records the response of an exchange, cut by a fault or not.
func (x *exchange) outcome(hit effect, id int64, now time.Time, duration time.Duration) outcome {
	sent := x.response.body
	if hit.cut >= 0 {
		sent = sent[:min(hit.cut, len(sent))]
	}

	end := outcome{status: x.response.status, duration: duration, at: now, id: id, responseSize: len(sent), hits: hit.hits}
	switch {
	case len(sent) > maxKeptResponse:
	case x.response.isKept:
		end.responseBody = sent
	default:
		// The buffer of the exchange is reused.
		end.responseBody = bytes.Clone(sent)
	}

	if types := x.header["Content-Type"]; len(types) > 0 {
		end.contentType = types[0]
	}
	if len(x.header) > 1 || end.contentType == "" && len(x.header) > 0 {
		end.extraHeader = maps.Clone(x.header)
		delete(end.extraHeader, "Content-Type")
	}
	return end
}

// omit drops body and response, and returns their size.
func (e *entry) omit() int {
	size := len(e.body) + len(e.responseBody)
	e.body, e.responseBody, e.omitted = nil, nil, true
	return size
}

// fieldOverhead and entryOverhead are about the memory that a header field and an entry take
// besides their texts.
const (
	fieldOverhead = 64
	entryOverhead = 512
)

// weight is an estimate of the memory that the entry takes without body and response.
func (e *entry) weight() int {
	size := entryOverhead + len(e.path) + len(e.query) + len(e.host) + len(e.events)
	for _, field := range e.header {
		size += fieldOverhead + len(field.name) + len(field.value)
	}
	for name, values := range e.extraHeader {
		for _, value := range values {
			size += fieldOverhead + len(name) + len(value)
		}
	}
	return size
}

// request converts the entry; keys are API keys that it must not tell.
func (e *entry) request(keys []string) Request {
	hide := e.redactor(keys)
	r := Request{
		Sequence: e.sequence, Time: e.at.UTC(), Method: e.method, Path: hide.text(e.path), Query: hide.query(e.query),
		Operation: e.operation, Headers: hide.requestHeader(e),
		Body: valueOf(hide.requestBody(e)), BodySize: e.bodySize, BodyOmitted: len(e.body) == 0 && e.bodySize > 0,
	}
	if !e.ended {
		return r
	}

	r.Status = e.status
	r.DurationMS = float64(e.duration.Microseconds()) / 1000
	for _, rule := range e.hits {
		r.Faults = append(r.Faults, rule.document)
	}
	if e.status != 0 {
		r.Answer = &Answer{
			Headers: hide.header(e.responseHeader()), Body: valueOf(hide.body(e.responseBody)), Size: e.responseSize,
			Omitted: e.responseBody == nil && e.responseSize > 0,
		}
	}
	return r
}

// responseHeader is the header of the response as it was sent.
func (e *entry) responseHeader() http.Header {
	header := http.Header{}
	maps.Copy(header, e.extraHeader)
	if e.contentType != "" {
		header.Set("Content-Type", e.contentType)
	}
	header.Set("Date", e.outcome.at.UTC().Format(http.TimeFormat))
	header.Set("X-Request-Id", strconv.FormatInt(e.id, 10))
	return header
}

// valueOf is the JSON of a body: null if it is empty, and a JSON string with its text if it is
// not JSON.
func valueOf(body []byte) json.RawMessage {
	if len(body) == 0 {
		return json.RawMessage("null")
	}
	if raw, err := rawjson.Compact(body); err == nil && utf8.Valid(body) {
		return raw
	}
	return rawjson.Quote(strings.ToValidUTF8(string(body), "\uFFFD"))
}
