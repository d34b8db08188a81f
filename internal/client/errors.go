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

// Error is a response with a status of 400 or above. Its texts come from PostHog, without line
// breaks and without the API key. If the body contains fields other than type, code, detail, and
// attr, Detail also contains them as JSON.
type Error struct {
	Request
	// Status is the HTTP status.
	Status int
	// Type, Code, Detail, and Attr are the fields of PostHog's error body: the kind of error, the
	// cause as a word, the cause as a sentence, and the rejected request field. They are empty if
	// the body does not contain them.
	Type, Code, Detail, Attr string
	// RequestID is the request's ID in the logs of PostHog or its proxy.
	RequestID string
	// RetryAfter is the wait that PostHog requested, or zero.
	RetryAfter time.Duration

	cause error // why the body could not be read
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

// Unwrap returns why the body could not be read: a [ResponseError], a [CutOffError], or nil.
func (e *Error) Unwrap() error { return e.cause }

// ResponseError is a response that the client cannot use: a redirect, a page instead of JSON, JSON in an unexpected
// format, an empty body instead of an object, or too much data.
type ResponseError struct {
	Request
	Status    int
	RequestID string
	// Reason describes the response and what to check.
	Reason string

	isPage bool // the body is an HTML page
}

// Error implements error.
func (e *ResponseError) Error() string {
	return fmt.Sprintf("%s: the response (%s) is %s%s", e.name(), status(e.Status),
		e.Reason, facts("request id", e.RequestID))
}

// CutOffError is a response that ended early. PostHog received the request and may have carried it
// out.
type CutOffError struct {
	Request
	Status    int
	RequestID string
	// Read is the number of bytes received. Announced is the Content-Length, or -1 if the response had
	// none.
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

// Unwrap returns the reason why the connection ended, or nil if it was closed normally.
func (e *CutOffError) Unwrap() error { return e.cause }

// HeldBackError is a request that was not sent, or not retried, because the pause that PostHog
// requested, or the configured pace, would outlast the operation.
type HeldBackError struct {
	Request
	// Wait is how long the request would have had to wait. It is zero if the operation ended during
	// the wait.
	Wait time.Duration
	// Budget is the operation's time limit, or zero if the operation has none.
	Budget Budget

	why reason
	// before is the previous attempt's 429 or failure. ended is why the operation's context ended. Each
	// is nil if it does not apply.
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

// Unwrap returns why the operation's context ended, and the previous 429 or failure of this
// request. It returns neither if another request's 429 held this one back.
func (e *HeldBackError) Unwrap() []error {
	return slices.DeleteFunc([]error{e.ended, e.before}, func(err error) bool { return err == nil })
}

// Request is the request that an error is about.
type Request struct {
	// Operation is the operationId in the API document, for example surveys_create.
	Operation string
	// Method and Path are from the request. Path includes the prefix of the base URL.
	Method, Path string
}

// name formats the request for errors.
func (r Request) name() string { return fmt.Sprintf("%s %s (%s)", r.Method, r.Path, r.Operation) }

func status(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

// facts formats the named values that are not empty, such as " [code unique, attr name]".
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

// asAPIError returns the [Error] that err is or wraps.
func asAPIError(err error) (*Error, bool) { return errors.AsType[*Error](err) }

// IsUnauthorized reports whether the key is missing, unknown, or disabled (401).
func IsUnauthorized(err error) bool { return hasStatus(err, http.StatusUnauthorized) }

// IsForbidden reports whether the key or its user lacks permission (403). Detail contains the
// missing scope.
func IsForbidden(err error) bool { return hasStatus(err, http.StatusForbidden) }

// IsThrottled reports whether PostHog asked for fewer requests (429), and the pause would have
// outlasted the operation.
func IsThrottled(err error) bool { return hasStatus(err, http.StatusTooManyRequests) }

// IsValidation reports whether PostHog rejected the values in the request (400). Attr is the field.
func IsValidation(err error) bool { return hasStatus(err, http.StatusBadRequest) }

// IsUniqueName reports whether the name is taken. Survey names are unique in a project.
func IsUniqueName(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusBadRequest && e.Code == "unique"
}

// IsAwaitingApproval reports whether the change requires an approval (409), which this request or
// an earlier one requested.
func IsAwaitingApproval(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusConflict && slices.Contains([]string{"approval_required", "change_request_pending"}, e.Code)
}

func hasStatus(err error, status int) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == status
}

// says reports whether the detail equals one of texts, ignoring case and the full stop.
func (e *Error) says(texts ...string) bool {
	return slices.Contains(texts, strings.ToLower(strings.TrimSuffix(e.Detail, ".")))
}

// Details of a 404 that is not about the object itself.
var (
	parentMissing   = []string{"project not found", "organization not found"}
	endpointMissing = []string{"endpoint not found"}
)

// IsNotFound reports whether PostHog found the project or organization, but not the object in it.
// Other 404s do not count, such as those for an unknown project, an unknown path, a proxy's page,
// or an empty body. Thus, a wrong setting never looks like a deleted object.
func IsNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound &&
		(e.Code == "not_found" || e.says("not found")) && !e.says(parentMissing...) && !e.says(endpointMissing...)
}

// IsParentNotFound reports whether PostHog did not find the project or organization of the request:
// a 404 with a matching text.
func IsParentNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound && e.says(parentMissing...)
}

// IsEndpointNotFound reports whether PostHog does not have the operation: a 404 with a matching
// text.
func IsEndpointNotFound(err error) bool {
	e, ok := asAPIError(err)
	return ok && e.Status == http.StatusNotFound && e.says(endpointMissing...)
}

// PathBelow returns the part of a base URL's path under which PostHog is not found, according to a
// 404. It returns an empty string for any other error.
func PathBelow(err error) string {
	refused, ok := asAPIError(err)
	if !ok || refused.Status != http.StatusNotFound || IsNotFound(err) || IsParentNotFound(err) {
		return ""
	}
	for _, parent := range []string{"/api/projects/", "/api/organizations/"} {
		if path, _, isBelow := strings.Cut(refused.Path, parent); isBelow {
			return path
		}
	}
	return ""
}

// Parts of a 403's text, in lower case, that affect every object alike: the operation is not
// available to API keys, the key lacks a scope, or it has no access to the project or organization.
var (
	noKeys    = []string{"does not support personal api key access"}
	tooNarrow = append([]string{"missing required scope", "`feature_flag:write` scope"}, noKeys...)
	shutOut   = append([]string{"does not have access to the requested", "have access to the project"}, limited...)
	limited   = []string{"scoped projects are only supported"}
)

// IsForNoKey reports whether PostHog offers the operation only to signed-in users of its web
// interface, and not to API keys with any scope (403).
func IsForNoKey(err error) bool { return isForbiddenWithText(err, noKeys) }

// IsShutOut reports whether the key or its user lacks access to the project or organization,
// whatever the key's scopes (403).
func IsShutOut(err error) bool { return isForbiddenWithText(err, shutOut) }

// IsLimitedToProjects reports whether PostHog rejects a request about an organization because the
// key is limited to projects, whatever its scopes (403).
func IsLimitedToProjects(err error) bool { return isForbiddenWithText(err, limited) }

// isForbiddenWithText reports whether an error is a 403 whose text contains one of parts.
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

// ofTheKey describes the cause of an error that affects all objects in a project or organization:
// the key lacks permission, or the project does not exist. It returns "" if the error affects only
// one object.
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

// pathParent describes the project or organization in a request's path.
func pathParent(path string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	if len(parts) < 3 {
		return "the service"
	}
	return strings.TrimSuffix(parts[1], "s") + " " + parts[2]
}

// ConnectionError is a request that got no response, or no complete response in time.
type ConnectionError struct {
	Request
	// Host is the host and port of the base URL.
	Host string
	// Sent is set if there was a connection. PostHog may have received the request and may be
	// processing it. If Sent is false, PostHog certainly did not receive the request.
	Sent bool
	// Timeout is set if request_timeout ended the request.
	Timeout bool
	// Budget is the operation's time limit, if the limit ended the request.
	Budget Budget

	reason    string
	cause     error
	permanent bool // retrying is useless
}

// Error implements error.
func (e *ConnectionError) Error() string {
	return fmt.Sprintf("%s: %s", e.name(), e.reason)
}

// Unwrap returns the network error, or why the context ended.
func (e *ConnectionError) Unwrap() error { return e.cause }

// connectionError explains why a request failed. If only the request's context ended, the cause is
// request_timeout. If the caller's context ended, the operation is over.
func (c *Client) connectionError(caller context.Context, call call, req *http.Request, isSent bool, err error) error {
	refused := isCertificateRefused(err)
	e := &ConnectionError{
		Request: c.describeRequest(call.operation, req), Host: req.URL.Host,
		Sent: isSent && !refused, cause: c.credential.cause(err), permanent: isPermanent(err),
	}

	proxy := c.proxy(req)
	switch {
	case errors.Is(caller.Err(), context.DeadlineExceeded) && call.isTimed(caller):
		e.cause, e.Budget = caller.Err(), call.budget.Budget
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

// networkReason explains how a connection ended, or why it failed. Package net's texts are cryptic
// and repeat the address.
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

// connectionFailure returns a phrase for the failure. The details are in err.
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

// advice returns what to check next.
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

// isPlainHTTP reports whether the server answered a TLS handshake with plain HTTP.
func isPlainHTTP(err error) bool {
	var header tls.RecordHeaderError
	return errors.As(err, &header) || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// proxy returns the proxy of a request, without the password in its URL, or an empty string.
func (c *Client) proxy(req *http.Request) string {
	if c.network == nil || c.network.Proxy == nil {
		return ""
	}
	proxy, err := c.network.Proxy(req)
	if err != nil || proxy == nil { // err is also the error of the request
		return ""
	}
	return " (through the proxy " + c.credential.hide(proxy.Host) + ")"
}
