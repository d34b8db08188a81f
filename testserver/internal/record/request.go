package record

import (
	"encoding/json"
	"net/http"
	"time"
)

// Request is an entry of the journal: a request to the API with its response. API keys are
// replaced wherever they stand.
type Request struct {
	// Sequence numbers the requests in the order of their arrival, from 1. Emptying
	// the journal does not begin again.
	Sequence int64 `json:"sequence"`
	// Time is the time of its arrival, by the server's clock.
	Time time.Time `json:"time"`
	// DurationMS is the time in milliseconds until the response was ready, including delays of faults.
	// It is measured by the Clock of the [Options], even if the server's clock is stopped. On a server
	// of [Start], no time passes, so that tests are repeatable.
	DurationMS float64 `json:"duration_ms"`
	// Method is the HTTP method, in capitals.
	Method string `json:"method"`
	// Path is the path, below the mount point when the server is mounted, and Query
	// the query without its question mark.
	Path  string `json:"path"`
	Query string `json:"query"`
	// Operation is the operationId, for example surveys_list; empty when the
	// document has none for the request.
	Operation string `json:"operation"`
	// Status is the status of the response, 0 without a response: the request is still
	// waiting, or a fault dropped it.
	Status int `json:"status"`
	// Headers are the headers of the request. The value of a header that may contain a secret is
	// [redacted]; only headers that every client sends are shown.
	Headers http.Header `json:"headers"`
	// Body is the JSON of the request's body; a body that is not JSON is a JSON string with
	// its text, no body is null.
	Body json.RawMessage `json:"body"`
	// BodySize is the size of the body in bytes. BodyOmitted is set when the journal
	// dropped the body in favor of newer ones.
	BodySize    int  `json:"body_size"`
	BodyOmitted bool `json:"body_omitted,omitempty"`
	// Answer is the response; nil if Status is 0.
	Answer *Answer `json:"answer"`
	// Faults are the rules that affected the request, as they were set.
	Faults []json.RawMessage `json:"faults,omitempty"`
}

// Answer is the response to a request in the journal.
type Answer struct {
	// Headers are the headers of the response.
	Headers http.Header `json:"headers"`
	// Body is the JSON of the body as far as it was sent, in the form of [Request].Body.
	Body json.RawMessage `json:"body"`
	// Size is the number of bytes of the body that were sent. Omitted is set when Body is
	// null because the body is larger than 64 KiB, or was dropped in favor of newer ones.
	Size    int  `json:"size"`
	Omitted bool `json:"omitted,omitempty"`
}

// NewRequest returns an entry as users read it; keys are API keys that it must not tell.
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
