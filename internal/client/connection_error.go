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
	"strings"
)

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
func (c *Client) connectionError(caller context.Context, operation string, req *http.Request, sent bool, err error) error {
	refused := isCertificateRefused(err)
	e := &ConnectionError{
		Request: c.named(operation, req), Host: req.URL.Host,
		Sent: sent && !refused, cause: c.credential.cause(err), permanent: isPermanent(err),
	}

	proxy := c.proxy(req)
	switch {
	case errors.Is(caller.Err(), context.DeadlineExceeded) && budgetFrom(caller).Length > 0:
		e.cause, e.Budget = caller.Err(), budgetFrom(caller)
		e.reason = fmt.Sprintf("%s, and that time was over before %s had responded", e.Budget.sentence(), e.Host)
	case caller.Err() != nil:
		e.cause = caller.Err()
		e.reason = fmt.Sprintf("stopped before %s had responded: %v", e.Host, e.cause)
	case req.Context().Err() != nil && sent:
		e.Timeout = true
		e.reason = fmt.Sprintf("no complete response from %s within %s (request_timeout)%s; the service may still be working on it", e.Host, c.timeout, proxy)
	case req.Context().Err() != nil:
		e.Timeout = true
		e.reason = fmt.Sprintf("no connection to %s within %s (request_timeout)%s; check base_url and the network", e.Host, c.timeout, proxy)
	default:
		e.reason = fmt.Sprintf("%s%s: %s; %s", connectionFailure(e, err), proxy, networkReason(e.cause), c.advice(sent, err))
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
		return "the other side closed the connection"
	case errors.As(cause, &dns):
		return fmt.Sprintf("the name %q could not be looked up: %s", oneLine(dns.Name, 253), dns.Err)
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
		return "no trusted connection to " + e.Host
	case e.Sent:
		return "the connection to " + e.Host + " broke before a response came"
	default:
		return "cannot reach " + e.Host
	}
}

// advice is what to check next.
func (c *Client) advice(sent bool, err error) string {
	var unknown x509.UnknownAuthorityError
	var hostname x509.HostnameError
	switch {
	case isPlainHTTP(err):
		return "the port speaks plain http: check base_url, which says https"
	case errors.As(err, &unknown):
		return c.tls.authorityAdvice()
	case isCertificateRefused(err):
		return c.tls.clientCertificateAdvice()
	case errors.As(err, &hostname):
		return "check base_url: the certificate is for another host"
	case isTLS(err):
		return "check base_url and the certificate of the service"
	case strings.Contains(err.Error(), "malformed HTTP"):
		return "the port speaks no http: check base_url (https?)"
	case sent:
		return "the service may have received the request and carried it out"
	default:
		return "check base_url and the network"
	}
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
