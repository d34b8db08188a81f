package record

import (
	"encoding/json"
	"net/http"
	"time"
)

// Request is a journal entry: a request to the API and its response. All API keys are redacted.
type Request struct {
	// Sequence is the request's number in the order of arrival, from 1. Emptying the journal does not
	// reset the numbers.
	Sequence int64 `json:"sequence"`
	// Time is the time at which the request arrived, by the server's clock.
	Time time.Time `json:"time"`
	// DurationMS is the time in milliseconds until the response was ready, including fault delays. It is measured by
	// the Clock of the [Options], even if the server's clock is stopped. On a server that [Start] returns, no time
	// passes, so that tests are repeatable.
	DurationMS float64 `json:"duration_ms"`
	// Method is the HTTP method, in capitals.
	Method string `json:"method"`
	// Path is the path, relative to the mount point of the server. Query is the query without its
	// question mark.
	Path  string `json:"path"`
	Query string `json:"query"`
	// Operation is the operationId, for example surveys_list. It is empty if the OpenAPI document has
	// none for the request.
	Operation string `json:"operation"`
	// Status is the status of the response. It is 0 if the request is still waiting, or if a fault
	// dropped it.
	Status int `json:"status"`
	// Headers are the headers of the request. The journal shows only values of headers that every client
	// sends. Other values are [redacted].
	Headers http.Header `json:"headers"`
	// Body is the JSON of the request body. A body that is not JSON becomes a JSON string. An empty body
	// becomes null.
	Body json.RawMessage `json:"body"`
	// BodySize is the size of the body in bytes. BodyOmitted reports whether the journal dropped the
	// body to make room for newer ones.
	BodySize    int  `json:"body_size"`
	BodyOmitted bool `json:"body_omitted,omitempty"`
	// Answer is the response. It is nil if Status is 0.
	Answer *Answer `json:"answer"`
	// Faults are the rules that affected the request, as the client set them.
	Faults []json.RawMessage `json:"faults,omitempty"`
}

// Answer is the response to a request in the journal.
type Answer struct {
	// Headers are the headers of the response.
	Headers http.Header `json:"headers"`
	// Body is the JSON of the part of the body that was sent, in the form of [Request].Body.
	Body json.RawMessage `json:"body"`
	// Size is the number of bytes of the body that were sent. Omitted reports whether Body is null
	// because the body is larger than 64 KiB, or because the journal dropped it to make room for newer
	// ones.
	Size    int  `json:"size"`
	Omitted bool `json:"omitted,omitempty"`
}

// NewRequest returns an entry for users, without the API keys in keys.
func NewRequest(e *Entry, keys []string) Request {
	hide := e.Redactor(keys)
	r := Request{
		Sequence: e.Sequence, Time: e.At.UTC(), Method: e.Method, Path: hide.Text(e.Path), Query: hide.Query(e.Query),
		Operation: e.Operation, Headers: hide.RequestHeader(e.Header),
		Body: asJSON(hide.RequestBody(e)), BodySize: e.BodySize, BodyOmitted: len(e.Body) == 0 && e.BodySize > 0,
	}
	if !e.Ended {
		return r
	}

	r.Status, r.Faults = e.Status, e.Faults
	r.DurationMS = float64(e.Duration.Microseconds()) / 1000
	if e.Status != 0 {
		r.Answer = &Answer{
			Headers: hide.Header(e.Outcome.Answer), Body: asJSON(hide.Body(e.AnswerBody)), Size: e.AnswerSize,
			Omitted: e.AnswerBody == nil && e.AnswerSize > 0,
		}
	}
	return r
}
