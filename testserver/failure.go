package testserver

import (
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// failure is an error answer: the first error that the service finds.
type failure struct {
	status             int
	kind, code, detail string
	// attr is the invalid field; empty is sent as null.
	attr string
	// allow are the methods of a 405, retryAfter the seconds to wait of a 429.
	allow, retryAfter string
}

// invalid is a 400 about the content of a request.
func invalid(code, attr, detail string) *failure {
	return &failure{status: http.StatusBadRequest, kind: "validation_error", code: code, detail: detail, attr: attr}
}

func badRequest(code, detail string) *failure {
	return &failure{status: http.StatusBadRequest, kind: "invalid_request", code: code, detail: detail}
}

func notFound(detail string) *failure {
	return &failure{status: http.StatusNotFound, kind: "invalid_request", code: "not_found", detail: detail}
}

// missing is the 404 of an object.
func missing() *failure { return notFound("Not found.") }

func unauthenticated(code, detail string) *failure {
	return &failure{status: http.StatusUnauthorized, kind: "authentication_error", code: code, detail: detail}
}

func forbidden(detail string) *failure {
	return &failure{status: http.StatusForbidden, kind: "authentication_error", code: "permission_denied", detail: detail}
}

func methodNotAllowed(method, allow string) *failure {
	return &failure{
		status: http.StatusMethodNotAllowed, kind: "invalid_request", code: "method_not_allowed",
		detail: `Method "` + method + `" not allowed.`, allow: allow,
	}
}

// serverError is the service's answer to a request that fails in its code.
func serverError() *failure { return failureFor(http.StatusInternalServerError) }

// failureFor is the service's error for a status, for faults that have a status alone.
func failureFor(status int) *failure {
	f := &failure{status: status, kind: "server_error", code: "error", detail: "A server error occurred."}
	switch {
	case status == http.StatusTooManyRequests:
		f.kind, f.code, f.detail = "throttled_error", "throttled", "Request was throttled."
	case status == http.StatusUnauthorized:
		return unauthenticated("authentication_failed", "Personal API key found in request Authorization header is invalid.")
	case status == http.StatusForbidden:
		return forbidden("You do not have permission to perform this action.")
	case status == http.StatusNotFound:
		return missing()
	case status < http.StatusInternalServerError:
		f.kind, f.code, f.detail = "invalid_request", "invalid_input", "Invalid input."
	}
	return f
}

// body is the failure as JSON.
func (f *failure) body() []byte {
	b := append([]byte(`{"type":`), rawjson.Quote(f.kind)...)
	b = append(append(b, `,"code":`...), rawjson.Quote(f.code)...)
	b = append(append(b, `,"detail":`...), rawjson.Quote(f.detail)...)
	b = append(b, `,"attr":`...)
	if f.attr == "" {
		b = append(b, "null"...)
	} else {
		b = append(b, rawjson.Quote(f.attr)...)
	}
	return append(b, '}')
}
