package wire

import (
	"fmt"
	"net/http"
)

// Failure is an error response. It contains the first error that PostHog finds.
type Failure struct {
	Status             int
	Kind, Code, Detail string
	// Attr is the invalid field. An empty field is sent as null.
	Attr string
	// Allow contains the methods for status 405, RetryAfter the seconds to wait for status 429, and Challenge the
	// WWW-Authenticate header for status 401.
	Allow, RetryAfter, Challenge string
}

// Invalid returns a failure with status 400 about the content of a request.
func Invalid(code, attr, detail string) *Failure {
	return &Failure{Status: http.StatusBadRequest, Kind: "validation_error", Code: code, Detail: detail, Attr: attr}
}

// Refusal returns a failure with status 400 about a field, or about the whole request if attr is empty.
func Refusal(attr, format string, args ...any) *Failure {
	return Invalid("invalid_input", attr, fmt.Sprintf(format, args...))
}

// BadRequest returns a failure with status 400 about the form of a request.
func BadRequest(code, detail string) *Failure {
	return &Failure{Status: http.StatusBadRequest, Kind: "invalid_request", Code: code, Detail: detail}
}

// NotFound returns a failure with status 404.
func NotFound(detail string) *Failure {
	return &Failure{Status: http.StatusNotFound, Kind: "invalid_request", Code: "not_found", Detail: detail}
}

// ObjectNotFound returns the failure with status 404 for an object.
func ObjectNotFound() *Failure { return NotFound("Not found.") }

// Unauthenticated returns a failure with status 401, for a request without a valid key.
func Unauthenticated(code, detail string) *Failure {
	return &Failure{Status: http.StatusUnauthorized, Kind: "authentication_error", Code: code, Detail: detail}
}

// Forbidden returns a failure with status 403.
func Forbidden(detail string) *Failure {
	return &Failure{Status: http.StatusForbidden, Kind: "authentication_error", Code: "permission_denied", Detail: detail}
}

// MethodNotAllowed returns a failure with status 405.
func MethodNotAllowed(method, allow string) *Failure {
	return &Failure{
		Status: http.StatusMethodNotAllowed, Kind: "invalid_request", Code: "method_not_allowed",
		Detail: `Method "` + method + `" not allowed.`, Allow: allow,
	}
}

// ServerError returns PostHog's response to a request that makes PostHog crash.
func ServerError() *Failure { return StatusFailure(http.StatusInternalServerError) }

// StatusFailure returns PostHog's error for a status. Faults use it if they set only a status.
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

// Body returns the failure as a JSON object.
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

// FirstFailure runs the checks in order and returns the first failure.
func FirstFailure(checks ...func() *Failure) *Failure {
	for _, check := range checks {
		if f := check(); f != nil {
			return f
		}
	}
	return nil
}

// Response is a complete HTTP response. The server sends it at the end, so that a fault can change it first.
type Response struct {
	Status int
	// ContentType is empty if the response has no body.
	ContentType string
	// Header contains additional header fields and may be nil. It may be shared, so it must not be changed.
	Header http.Header
	Body   []byte
}

// JSONContent is the content type of JSON.
const JSONContent = "application/json"

// JSONResponse returns a response with a JSON body.
func JSONResponse(status int, body Value) Response {
	return Response{Status: status, ContentType: JSONContent, Body: body.JSON()}
}

// Response converts the failure to a response.
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
