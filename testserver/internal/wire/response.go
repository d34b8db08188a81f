package wire

import (
	"encoding/json"
	"net/http"
)

// Response is a reply of the service to a request. Nothing is sent until it is complete, so that a
// fault can still change it.
type Response struct {
	Status int
	// ContentType is empty when there is no body.
	ContentType string
	// Header are further fields; nil for none. They may be shared, and must not be changed.
	Header http.Header
	Body   []byte
}

// JSONContent is the type of a body of JSON.
const JSONContent = "application/json"

// JSONResponse is a response whose body is JSON.
func JSONResponse(status int, body json.RawMessage) Response {
	return Response{Status: status, ContentType: JSONContent, Body: body}
}

// Response is the response that tells the failure.
func (f *Failure) Response() Response {
	refused := JSONResponse(f.Status, f.Body())
	for name, value := range map[string]string{"Allow": f.Allow, "Retry-After": f.RetryAfter, "WWW-Authenticate": f.Challenge} {
		if value == "" {
			continue
		}
		if refused.Header == nil {
			refused.Header = http.Header{}
		}
		refused.Header.Set(name, value)
	}
	return refused
}
