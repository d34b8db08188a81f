package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
)

// Error is a refusal: the service answered with a status of 400 or above. Its texts
// are the service's, without line breaks and without the API key. What the body of
// a refusal says beyond type, code, detail and attr is in Detail as JSON.
type Error struct {
	Request
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
	text := fmt.Sprintf("%s: %s", e.name(), status(e.Status))

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
	Request
	Status    int
	RequestID string
	// Reason says what the response is, and what to check.
	Reason string

	isPage bool // an HTML page
}

// Error implements error.
func (e *ResponseError) Error() string {
	return fmt.Sprintf("%s: the response (%s) is %s%s", e.name(), status(e.Status),
		e.Reason, facts("request id", e.RequestID))
}

// CutOffError is a response that ended before it was whole. The service did get the
// request, and may have done what it asked for.
type CutOffError struct {
	Request
	Status    int
	RequestID string
	// Read is how many bytes of the body came, Announced how many the service said
	// there would be; -1 when it did not say.
	Read, Announced int64

	cause error
}

// Error implements error.
func (e *CutOffError) Error() string {
	text := fmt.Sprintf("%s: the response (%s) was cut off after %d", e.name(), status(e.Status), e.Read)

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
	Request
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
	text := e.name() + ": not sent: "

	switch {
	case e.Wait > 0 && e.Budget.Length > 0:
		text += fmt.Sprintf("the required wait is %s, and %s", roundDuration(e.Wait), e.Budget.sentence())
	case e.Wait > 0:
		text += fmt.Sprintf("the required wait is %s, which is longer than the operation may take", roundDuration(e.Wait))
	case errors.Is(e.ended, context.DeadlineExceeded) && e.Budget.Length > 0:
		text += e.Budget.sentence() + ", and that time ran out before its turn came"
	default:
		text += "the operation was stopped before its turn came"
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

// Request is the request that an error is about.
type Request struct {
	// Operation is the operationId of the contract, for example surveys_create.
	Operation string
	// Method and Path are what was requested, Path with the prefix of the base URL.
	Method, Path string
}

// name names the request in errors.
func (r Request) name() string { return fmt.Sprintf("%s %s (%s)", r.Method, r.Path, r.Operation) }

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

// IsUnauthorized reports whether the key is missing, unknown or switched off (401).
func IsUnauthorized(err error) bool { return hasStatus(err, http.StatusUnauthorized) }

// IsForbidden reports whether the key or its user may not do this (403); Detail names
// the scope that is missing.
func IsForbidden(err error) bool { return hasStatus(err, http.StatusForbidden) }

// IsThrottled reports whether the service asked for fewer requests (429), and that the
// pause would have outlasted the operation.
func IsThrottled(err error) bool { return hasStatus(err, http.StatusTooManyRequests) }

// IsValidation reports whether the service refused the values sent (400); Attr names the
// field.
func IsValidation(err error) bool { return hasStatus(err, http.StatusBadRequest) }

// IsUniqueName reports whether the name is taken: names of surveys are unique in their
// project.
func IsUniqueName(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusBadRequest && e.Code == "unique"
}

// IsAwaitingApproval reports whether the change needs an approval first (409), which is
// requested now or was before.
func IsAwaitingApproval(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusConflict && slices.Contains([]string{"approval_required", "change_request_pending"}, e.Code)
}

func hasStatus(err error, status int) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == status
}

// says compares the detail with texts, ignoring case and the full stop.
func (e *Error) says(texts ...string) bool {
	return slices.Contains(texts, strings.ToLower(strings.TrimSuffix(e.Detail, ".")))
}

// What a 404 of the service can be about, besides the object itself.
var (
	parentMissing   = []string{"project not found", "organization not found"}
	endpointMissing = []string{"endpoint not found"}
)

// IsNotFound reports whether the service knows the project or organization and has no
// such object in it. A 404 that says less (the project is unknown, a proxy's page,
// an empty body, an unknown path) is not that, so that a wrong setting never looks
// like a deleted object.
func IsNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound &&
		(e.Code == "not_found" || e.says("not found")) && !e.says(parentMissing...) && !e.says(endpointMissing...)
}

// IsParentNotFound reports whether the service does not know the project or organization
// of the request: a 404 whose text says so.
func IsParentNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound && e.says(parentMissing...)
}

// IsEndpointNotFound reports whether the service has no such operation: a 404 whose text
// says so.
func IsEndpointNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound && e.says(endpointMissing...)
}

// What the text of a 403 has, in small letters, when the key is too narrow for every object
// alike: the request is for no key at all, the key lacks a scope, or it has no access to the
// project or organization.
var (
	noKeys    = []string{"does not support personal api key access"}
	tooNarrow = append([]string{"missing required scope", "`feature_flag:write` scope"}, noKeys...)
	shutOut   = append([]string{"does not have access to the requested", "have access to the project"}, limited...)
	limited   = []string{"scoped projects are only supported"}
)

// IsForNoKey reports whether the service offers this to people who are signed in to its web
// interface, and to no API key (403), whatever its scopes.
func IsForNoKey(err error) bool { return isForbiddenWithText(err, noKeys) }

// IsShutOut reports whether the key, or its user, has no access to the project or organization
// of the request (403), whatever the scopes of the key.
func IsShutOut(err error) bool { return isForbiddenWithText(err, shutOut) }

// IsLimitedToProjects reports whether PostHog refuses the key since it is limited to projects, and the
// request is about an organization (403), whatever the scopes of the key.
func IsLimitedToProjects(err error) bool { return isForbiddenWithText(err, limited) }

// isForbiddenWithText reports whether an error is a 403 whose text has one of some parts.
func isForbiddenWithText(err error, parts []string) bool {
	e, ok := asAPIError(err)
	if !ok || e.Status != http.StatusForbidden {
		return false
	}
	detail := strings.ToLower(e.Detail)
	for _, part := range parts {
		if strings.Contains(detail, part) {
			return true
		}
	}
	return false
}

// ofTheKey names the cause of an error that all objects of a project or organization have in
// common: the key may not do it, or there is no such project; "" for the error of one object.
func ofTheKey(err error) string {
	e, ok := asAPIError(err)
	switch {
	case !ok:
		return ""
	case isForbiddenWithText(err, tooNarrow):
		return strings.TrimSuffix(e.Detail, ".") + " (403)"
	case IsShutOut(err), IsParentNotFound(err):
		return pathParent(e.Path) + ": " + strings.TrimSuffix(e.Detail, ".") + " (" + status(e.Status) + ")"
	}
	return ""
}

// pathParent names the project or organization in the path of a request.
func pathParent(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) < 3 {
		return "the service"
	}
	return strings.TrimSuffix(parts[1], "s") + " " + parts[2]
}

// ConnectionError is a request that got no response, or not a whole one in time.
type ConnectionError struct {
	Request
	// Host is the host and port of the base URL.
	Host string
	// Sent is set when there was a connection: the service may have got the request
	// and be at work on it. False means that it certainly did not.
	Sent bool
	// Timeout is set when request_timeout ended the request.
	Timeout bool
	// Budget is the time of the whole operation when that ended the request.
	Budget Budget

	reason    string
	cause     error
	permanent bool // no use to try again
}

// Error implements error.
func (e *ConnectionError) Error() string {
	return fmt.Sprintf("%s: %s", e.name(), e.reason)
}

// Unwrap returns the error of the network, or why the context ended.
func (e *ConnectionError) Unwrap() error { return e.cause }

// connectionError says why a request failed. The caller's context ends with the
// operation; the request's context ending alone is request_timeout.
func (c *Client) connectionError(caller context.Context, operation string, req *http.Request, isSent bool, err error) error {
	refused := isCertificateRefused(err)
	e := &ConnectionError{
		Request: c.describeRequest(operation, req), Host: req.URL.Host,
		Sent: isSent && !refused, cause: c.credential.cause(err), permanent: isPermanent(err),
	}

	proxy := c.proxy(req)
	switch {
	case errors.Is(caller.Err(), context.DeadlineExceeded) && contextBudget(caller).Length > 0:
		e.cause, e.Budget = caller.Err(), contextBudget(caller)
		e.reason = fmt.Sprintf("%s, and that time ran out before %s responded", e.Budget.sentence(), e.Host)
	case caller.Err() != nil:
		e.cause = caller.Err()
		e.reason = fmt.Sprintf("stopped before %s responded: %v", e.Host, e.cause)
	case req.Context().Err() != nil && isSent:
		e.Timeout = true
		e.reason = fmt.Sprintf("no complete response from %s within %s (request_timeout)%s; PostHog may still be processing the request", e.Host, c.timeout, proxy)
	case req.Context().Err() != nil:
		e.Timeout = true
		e.reason = fmt.Sprintf("no connection to %s within %s (request_timeout)%s; check base_url and the network", e.Host, c.timeout, proxy)
	default:
		e.reason = fmt.Sprintf("%s%s: %s; %s", connectionFailure(e, err), proxy, networkReason(e.cause), advice(isSent, err))
	}
	return e
}

// networkReason says how a connection ended, or why there was none. The texts of package net
// say little to readers of other languages, and repeat the address.
func networkReason(cause error) string {
	var dns *net.DNSError
	var system *os.SyscallError
	var network net.Error
	switch {
	case errors.Is(cause, io.EOF) || errors.Is(cause, io.ErrUnexpectedEOF):
		return "the server closed the connection"
	case errors.As(cause, &dns):
		return fmt.Sprintf("could not look up the host name %q: %s", oneLine(dns.Name, 253), dns.Err)
	case errors.As(cause, &system):
		return system.Err.Error()
	case errors.As(cause, &network) && network.Timeout():
		return "no response came in time"
	}
	return cause.Error()
}

// connectionFailure names the failure; the error that follows it gives the details.
func connectionFailure(e *ConnectionError, err error) string {
	switch {
	case isCertificateRefused(err):
		return e.Host + " refused the connection"
	case isTLS(err):
		return "could not establish a trusted connection to " + e.Host
	case e.Sent:
		return "the connection to " + e.Host + " broke before a response came"
	default:
		return "cannot reach " + e.Host
	}
}

// advice is what to check next.
func advice(isSent bool, err error) string {
	var unknown x509.UnknownAuthorityError
	switch {
	case isPlainHTTP(err):
		return "the server uses plain HTTP on this port, but base_url starts with https://: check base_url"
	case errors.As(err, &unknown):
		return "set ca_cert (POSTHOG_CA_CERT) to the certificate of the authority that signed its certificate"
	case isCertificateRefused(err):
		return "check client_cert (POSTHOG_CLIENT_CERT) and client_key (POSTHOG_CLIENT_KEY)"
	case isSent && !isTLS(err):
		return "PostHog may have received the request and carried it out"
	}
	return "check base_url and the network"
}

func isTLS(err error) bool {
	var verify *tls.CertificateVerificationError
	var alert tls.AlertError
	return errors.As(err, &verify) || errors.As(err, &alert) || isCertificateRefused(err) || isPlainHTTP(err)
}

// isPlainHTTP reports whether the other side of a TLS connection speaks plain HTTP.
func isPlainHTTP(err error) bool {
	var header tls.RecordHeaderError
	return errors.As(err, &header) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// proxy names the proxy of a request, without the password that its address may
// hold; empty when there is none.
func (c *Client) proxy(req *http.Request) string {
	if c.network == nil || c.network.Proxy == nil {
		return ""
	}
	proxy, err := c.network.Proxy(req)
	if err != nil || proxy == nil { // the error is also that of the request
		return ""
	}
	return " (through the proxy " + c.credential.hide(proxy.Host) + ")"
}
