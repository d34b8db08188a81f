package sdk

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// batchError is an error response of capture v1.
type batchError struct {
	status            int
	code, description string
}

// The documentation pages to which errors link.
const (
	errorPage   = "https://posthog.com/docs/api"
	billingPage = "https://posthog.com/docs/billing/limits"
)

// retryAfter is the number of seconds after which an SDK resends a batch.
const retryAfter = "1"

// badBatch returns an error with status 400.
func badBatch(code, format string, args ...any) *batchError {
	return &batchError{http.StatusBadRequest, code, fmt.Sprintf(format, args...)}
}

// Errors for a body that cannot be read. As in PostHog, they contain no reason.
var (
	errDecoding = badBatch("request_decoding_error", "Failed to decode request body.")
	errParsing  = badBatch("request_parsing_error", "Failed to parse request body.")
)

// statusError returns the error for a status that was determined before the request was processed, or by a fault.
func statusError(status int) *batchError {
	switch status {
	case http.StatusUnauthorized:
		return &batchError{status, "invalid_api_token", "The provided API token is not valid."}
	case http.StatusPaymentRequired:
		return &batchError{status, "billing_limit_exceeded", "Billing quota exceeded. Events are being dropped. Upgrade your plan to resume ingestion."}
	case http.StatusRequestTimeout:
		return &batchError{status, "request_timeout", "request timed out"}
	case http.StatusRequestEntityTooLarge:
		return &batchError{status, "payload_too_large", "payload too large"}
	case http.StatusUnsupportedMediaType:
		return &batchError{status, "unsupported_content_type", "unsupported content type"}
	case http.StatusTooManyRequests:
		return &batchError{status, "rate_limited", "Rate limit exceeded."}
	case http.StatusServiceUnavailable:
		return &batchError{status, "service_unavailable", http.StatusText(status)}
	case http.StatusGatewayTimeout:
		return &batchError{status, "gateway_timeout", http.StatusText(status)}
	}
	if status < http.StatusInternalServerError {
		return &batchError{status, errParsing.code, errParsing.description}
	}
	return &batchError{status, "internal_error", cmp.Or(http.StatusText(status), "server error")}
}

// tooLarge returns the error for a body of more than limit bytes.
func tooLarge(limit int) *batchError {
	err := statusError(http.StatusRequestEntityTooLarge)
	err.description += ": Request body exceeds limit of " + strconv.Itoa(limit) + " bytes"
	return err
}

// isRetryable reports whether an SDK resends the batch after this error.
func (e *batchError) isRetryable() bool {
	return e.status == http.StatusRequestTimeout || e.status == http.StatusTooManyRequests || e.status >= http.StatusInternalServerError
}

// response returns the HTTP response for the error.
func (e *batchError) response() *wire.Response {
	page := errorPage
	if e.status == http.StatusPaymentRequired {
		page = billingPage
	}
	refused := wire.JSONResponse(e.status, wire.Of(struct {
		Code        string `json:"error"`
		Description string `json:"error_description"`
		Page        string `json:"error_uri"`
	}{e.code, e.description, page}))

	if e.isRetryable() {
		refused.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return &refused
}
