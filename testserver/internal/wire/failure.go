package wire

import (
	"fmt"
	"net/http"
)

// Failure is an error response: the first error that PostHog finds.
type Failure struct {
	Status             int
	Kind, Code, Detail string
	// Attr is the invalid field; empty is sent as null.
	Attr string
	// Allow are the methods of a 405, RetryAfter the seconds to wait of a 429, Challenge the
	// WWW-Authenticate of a 401.
	Allow, RetryAfter, Challenge string
}

// Invalid returns a 400 about the content of a request.
func Invalid(code, attr, detail string) *Failure {
	return &Failure{Status: http.StatusBadRequest, Kind: "validation_error", Code: code, Detail: detail, Attr: attr}
}

// Refusal returns a 400 about a field, or about the whole for none.
func Refusal(attr, format string, args ...any) *Failure {
	return Invalid("invalid_input", attr, fmt.Sprintf(format, args...))
}

// BadRequest returns a 400 about the form of a request.
func BadRequest(code, detail string) *Failure {
	return &Failure{Status: http.StatusBadRequest, Kind: "invalid_request", Code: code, Detail: detail}
}

// NotFound returns a 404.
func NotFound(detail string) *Failure {
	return &Failure{Status: http.StatusNotFound, Kind: "invalid_request", Code: "not_found", Detail: detail}
}

// ObjectNotFound returns the 404 of an object.
func ObjectNotFound() *Failure { return NotFound("Not found.") }

// Unauthenticated returns a 401, for a request without a valid key.
func Unauthenticated(code, detail string) *Failure {
	return &Failure{Status: http.StatusUnauthorized, Kind: "authentication_error", Code: code, Detail: detail}
}

// Forbidden returns a 403.
func Forbidden(detail string) *Failure {
	return &Failure{Status: http.StatusForbidden, Kind: "authentication_error", Code: "permission_denied", Detail: detail}
}

// MethodNotAllowed returns a 405.
func MethodNotAllowed(method, allow string) *Failure {
	return &Failure{
		Status: http.StatusMethodNotAllowed, Kind: "invalid_request", Code: "method_not_allowed",
		Detail: `Method "` + method + `" not allowed.`, Allow: allow,
	}
}

// ServerError returns PostHog's response to a request that fails in its code.
func ServerError() *Failure { return StatusFailure(http.StatusInternalServerError) }

// StatusFailure returns PostHog's error for a status, for faults that set only a status.
func StatusFailure(status int) *Failure {
	f := &Failure{Status: status, Kind: "server_error", Code: "error", Detail: "A server error occurred."}
	switch {
	case status == http.StatusTooManyRequests:
		f.Kind, f.Code, f.Detail = "throttled_error", "throttled", "Request was throttled."
	case status == http.StatusUnauthorized:
		return Unauthenticated("authentication_failed", "Personal API key found in request Authorization header is invalid.")
	case status == http.StatusForbidden:
		return Forbidden("You do not have permission to perform this action.")
	case status == http.StatusNotFound:
		return ObjectNotFound()
	case status < http.StatusInternalServerError:
		f.Kind, f.Code, f.Detail = "invalid_request", "invalid_input", "Invalid input."
	}
	return f
}

// Body returns the failure as an object.
func (f *Failure) Body() Value {
	var attr *string
	if f.Attr != "" {
		attr = &f.Attr
	}
	return Of(struct {
		Kind   string  `json:"type"`
		Code   string  `json:"code"`
		Detail string  `json:"detail"`
		Attr   *string `json:"attr"`
	}{f.Kind, f.Code, f.Detail, attr})
}

// FirstFailure runs checks until one fails.
func FirstFailure(checks ...func() *Failure) *Failure {
	for _, check := range checks {
		if f := check(); f != nil {
			return f
		}
	}
	return nil
}

// Response is an HTTP response. The server sends it only when it is complete, so that a fault can
// still change it.
type Response struct {
	Status int
	// ContentType is empty if the response has no body.
	ContentType string
	// Header are further fields, or nil if there is none. They may be shared, and must not be changed.
	Header http.Header
	Body   []byte
}

// JSONContent is the type of a body of JSON.
const JSONContent = "application/json"

// JSONResponse returns a response whose body is JSON.
func JSONResponse(status int, body Value) Response {
	return Response{Status: status, ContentType: JSONContent, Body: body.JSON()}
}

// Response returns the failure as a response.
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
