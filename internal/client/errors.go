package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Error is a refusal: the service answered with a status of 400 or above. Its texts
// are the service's, without line breaks and without the API key. What the body of
// a refusal says beyond type, code, detail and attr is in Detail as JSON.
type Error struct {
	// Operation is the operationId of the contract, for example surveys_create.
	Operation string
	// Method and Path are what was requested, Path with the prefix of the base URL.
	Method, Path string
	// Status is the HTTP status.
	Status int
	// Type, Code, Detail and Attr are the fields of the service's error body: kind
	// of error, what is wrong as a word, as a sentence, and the request field at
	// fault. Empty when the service did not say.
	Type, Code, Detail, Attr string
	// RequestID is what the service, or the proxy before it, calls this request.
	RequestID string
	// RetryAfter is how long the service asked to wait; zero when it did not.
	RetryAfter time.Duration

	cause error // what kept the body from being read
}

// Error implements error.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s", requestName(e.Operation, e.Method, e.Path), status(e.Status))

	if e.Detail != "" {
		text += ": " + e.Detail
	} else {
		text += ", with no reason given"
	}

	return text + facts("type", e.Type, "code", e.Code, "attr", e.Attr, "request id", e.RequestID)
}

// Unwrap returns why the body of the refusal was not read: a [ResponseError] or a
// [CutOffError], or nil.
func (e *Error) Unwrap() error { return e.cause }

// ResponseError is a response that the client cannot use: a redirect, a page instead of
// JSON, JSON of another shape, nothing where an object belongs, or too much.
type ResponseError struct {
	Operation, Method, Path string
	Status                  int
	RequestID               string
	// Reason says what the response is, and what to check.
	Reason string

	isPage bool // an HTML page
}

// Error implements error.
func (e *ResponseError) Error() string {
	return fmt.Sprintf("%s: the response (%s) is %s%s", requestName(e.Operation, e.Method, e.Path), status(e.Status),
		e.Reason, facts("request id", e.RequestID))
}

// CutOffError is a response that ended before it was whole. The service did get the
// request, and may have done what it asked for.
type CutOffError struct {
	Operation, Method, Path string
	Status                  int
	RequestID               string
	// Read is how many bytes of the body came, Announced how many the service said
	// there would be; -1 when it did not say.
	Read, Announced int64

	cause error
}

// Error implements error.
func (e *CutOffError) Error() string {
	text := fmt.Sprintf("%s: the response (%s) was cut off after %d", requestName(e.Operation, e.Method, e.Path), status(e.Status), e.Read)

	if e.Announced >= 0 {
		text += fmt.Sprintf(" of %d", e.Announced)
	}
	text += " bytes"

	if e.cause != nil {
		text += ": " + networkReason(e.cause)
	}
	return text + facts("request id", e.RequestID)
}

// Unwrap returns how the connection ended; nil when it ended in good order.
func (e *CutOffError) Unwrap() error { return e.cause }

// HeldBackError is a request that was not sent (again), because the pause that the
// service asked for, or the pace that was set, would outlast the operation.
type HeldBackError struct {
	Operation, Method, Path string
	// Wait is how long the request would have had to wait; zero when the operation
	// ended while it waited.
	Wait time.Duration
	// Budget is the time that the operation has; zero when none was set.
	Budget Budget

	why reason
	// before is the 429 or failure of the attempt before, ended why the context of the
	// operation ended; each nil when there is none.
	before, ended error
}

// Error implements error.
func (e *HeldBackError) Error() string {
	text := requestName(e.Operation, e.Method, e.Path) + ": not sent: "

	switch {
	case e.Wait > 0 && e.Budget.Length > 0:
		text += fmt.Sprintf("it would have to wait for %s, and %s", roundDuration(e.Wait), e.Budget.sentence())
	case e.Wait > 0:
		text += fmt.Sprintf("it would have to wait for %s, longer than the operation may take", roundDuration(e.Wait))
	case errors.Is(e.ended, context.DeadlineExceeded) && e.Budget.Length > 0:
		text += e.Budget.sentence() + ", and that time was over while it waited for its turn"
	default:
		text += "the operation was stopped while it waited for its turn"
	}

	if e.why != "" {
		text += " (" + string(e.why) + ")"
	}
	if e.before != nil {
		text += ": " + e.before.Error()
	}
	return text
}

// Unwrap returns why the operation's context ended, and the 429 or failure that it got
// before: none of the two when another request's 429 held it back.
func (e *HeldBackError) Unwrap() []error {
	return slices.DeleteFunc([]error{e.ended, e.before}, func(err error) bool { return err == nil })
}

// requestName names a request in errors.
func requestName(operation, method, path string) string {
	return fmt.Sprintf("%s %s (%s)", method, path, operation)
}

func status(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// facts appends named values that are not empty: " [code unique, attr name]".
func facts(pairs ...string) string {
	var named []string
	for pair := range slices.Chunk(pairs, 2) {
		if text := strings.Join(pair, " "); !strings.HasSuffix(text, " ") {
			named = append(named, text)
		}
	}

	if named == nil {
		return ""
	}
	return " [" + strings.Join(named, ", ") + "]"
}

// asAPIError returns the refusal that err is or wraps.
func asAPIError(err error) (*Error, bool) { return errors.AsType[*Error](err) }
