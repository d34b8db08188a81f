package client

import (
	"crypto/tls"
	"errors"
	"net"
)

// refusedCertificates are the alerts by which a service refuses a connection for the
// certificate of the client, or for want of one.
var refusedCertificates = []tls.AlertError{
	42,  // bad_certificate: in TLS 1.2 also for none
	43,  // unsupported_certificate
	44,  // certificate_revoked
	45,  // certificate_expired
	46,  // certificate_unknown
	48,  // unknown_ca
	49,  // access_denied
	116, // certificate_required
}

// isCertificateRefused reports whether the service refused the connection for the certificate
// of the client. It says so before it reads a request, although TLS 1.3 lets the client send
// one by then.
func isCertificateRefused(err error) bool {
	remote, ok := errors.AsType[*net.OpError](err)
	if !ok || remote.Op != "remote error" {
		return false
	}
	for _, alert := range refusedCertificates {
		// The type of an alert from the other side is not exported.
		if remote.Err.Error() == alert.Error() {
			return true
		}
	}
	return false
}

// authorityAdvice is what to check about an authority that is not trusted.
func (t TLS) authorityAdvice() string {
	if t.CACert != "" {
		return "the authorities of ca_cert (POSTHOG_CA_CERT) did not sign its certificate: check that they are those of this service, " +
			"and that the service sends the intermediate certificates"
	}
	return "if that is a private service, set ca_cert (POSTHOG_CA_CERT) to the certificate of the authority that signed its certificate"
}

// clientCertificateAdvice is what to check about a certificate of the client that is refused.
func (t TLS) clientCertificateAdvice() string {
	if t.ClientCert != "" {
		return "it does not take client_cert (POSTHOG_CLIENT_CERT): check that the certificate has not expired, and that its authority is one that the service trusts"
	}
	return "it asks for a certificate of the client: set client_cert (POSTHOG_CLIENT_CERT) and client_key (POSTHOG_CLIENT_KEY)"
}
