package control

import (
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/faults"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/record"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/sdk"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/service"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// exchange is a request and the response to it, which is being prepared.
type exchange struct {
	request *http.Request
	// operation is the operationId. It is empty if the OpenAPI document has none for the request.
	operation string
	// call is the request to the API. It is nil for an SDK request, which app contains instead. token is the token of
	// the SDK's project.
	call  *service.Call
	app   *sdk.Call
	token string
	// body is the body as the journal stores it. size is the number of bytes that the client sent.
	body []byte
	size int
	// refused is the response if the server refuses to process the request. It is nil if the server processes the
	// request.
	refused *wire.Failure

	response wire.Response
	header   http.Header
}

// problems collects the problems of the request.
func (x *exchange) problems() record.Found {
	if x.app != nil {
		return x.app.Found
	}
	return record.Found{Undocumented: x.call.Undocumented, Cut: x.call.Cut}
}

// hasEventResults reports whether the response contains a result for each event of the request.
func (x *exchange) hasEventResults() bool { return x.app != nil && x.app.Operation.HasEventResults() }

// faultRequest returns the properties of the request that fault rules can select.
func (x *exchange) faultRequest() faults.Request {
	return faults.Request{
		Operation: x.operation, Method: x.request.Method, Path: x.request.URL.Path, HasEventResults: x.hasEventResults(),
	}
}

// failure returns the response for a failure, in the format of the path.
func (x *exchange) failure(f *wire.Failure) wire.Response {
	if x.app != nil {
		if refused, ok := x.app.Refusal(f); ok {
			return refused
		}
	}
	return f.Response()
}

// faultResponse returns a fault's response. If the rule sets no body, the response contains the API's error for the
// status, or capture v1's own error.
func (x *exchange) faultResponse(hit faults.Effect) wire.Response {
	reply := *hit.Response
	if !x.hasEventResults() || !hit.HasErrorOfAPI {
		return reply
	}
	refused := x.failure(wire.StatusFailure(reply.Status))
	header := refused.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	maps.Copy(header, reply.Header)
	return wire.Response{Status: reply.Status, ContentType: refused.ContentType, Header: header, Body: refused.Body}
}

// send writes the response. If cut is not negative, it closes the connection after that many
// bytes of the body.
func (x *exchange) send(writer http.ResponseWriter, cut int) {
	h, body := writer.Header(), x.response.Body
	maps.Copy(h, x.header)
	if x.response.Status != http.StatusNoContent && x.response.Status != http.StatusNotModified {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	writer.WriteHeader(x.response.Status)

	if cut < 0 {
		// Write fails only if the client has disconnected, so no one can receive the error.
		_, _ = writer.Write(body) //nolint:gosec // the type of the response is not HTML, or the page escapes it
		return
	}
	if _, err := writer.Write(body[:min(cut, len(body))]); err == nil { //nolint:gosec // as above
		_ = http.NewResponseController(writer).Flush()
	}
	panic(http.ErrAbortHandler)
}

// entry returns the journal entry of a request when it arrives.
func (x *exchange) entry(started, arrived time.Time) record.Entry {
	r := x.request
	e := record.Entry{
		Started: started, At: arrived, Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery,
		Operation: x.operation, Header: r.Header.Clone(), Body: x.body, BodySize: x.size,
	}
	if x.app != nil {
		e.Events = x.app.Events
	}
	return e
}

// outcome returns the journal's record of the response, which a fault may have cut.
func (x *exchange) outcome(hit faults.Effect, duration time.Duration) record.Outcome {
	body := x.response.Body
	if hit.Cut >= 0 {
		body = body[:min(hit.Cut, len(body))]
	}
	end := record.Outcome{
		Status: x.response.Status, Duration: duration, Answer: x.header, AnswerSize: len(body), Faults: hit.Rules,
	}
	if len(body) <= record.MaxKeptResponse {
		end.AnswerBody = body
	}
	return end
}

// Exchange is a request to the API and its response.
type Exchange struct {
	// Method and Path are the request's method and path.
	Method, Path string
	// Operation is the operationId, for example surveys_list. It is empty if the OpenAPI document
	// has none for the request.
	Operation string
	// Status, Header, and Body are the response's values. They belong to the server and are valid until Observe
	// returns.
	Status int
	Header http.Header
	Body   []byte
	// World is the name of the world that responded. It is empty for the server itself.
	World string
	// Fault reports whether a fault produced or changed the response.
	Fault bool
}
