package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/go-cleanhttp"
)

// TLS is what a private service needs besides what this machine trusts. Zero is for a
// public one.
type TLS struct {
	// CACert are certificates of authorities in PEM form, trusted besides those of the
	// machine.
	CACert string
	// ClientCert and ClientKey are the certificate that the client shows to the service, and
	// its private key, in PEM form.
	ClientCert, ClientKey string
	// InsecureSkipVerify takes every certificate of the service: whoever is between here
	// and there can read the key.
	InsecureSkipVerify bool
}

// config returns the settings of connections; nil where the defaults do.
func (t TLS) config() (*tls.Config, error) {
	if t == (TLS{}) {
		return nil, nil //nolint:nilnil // net/http takes nil for its defaults
	}

	config := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: t.InsecureSkipVerify, //nolint:gosec // the user asks for it, and is warned
	}
	if t.CACert != "" {
		pool, err := t.authorities()
		if err != nil {
			return nil, err
		}
		config.RootCAs = pool
	}

	if t.ClientCert != "" || t.ClientKey != "" {
		pair, err := t.clientCertificate()
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// authorities are those of the machine and those of CACert.
func (t TLS) authorities() (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a machine without any
	}
	if !pool.AppendCertsFromPEM([]byte(t.CACert)) {
		return nil, &SettingError{"ca_cert", "has no certificate in PEM form: that begins with -----BEGIN CERTIFICATE-----"}
	}
	return pool, nil
}

// clientCertificate is the pair of ClientCert and ClientKey.
func (t TLS) clientCertificate() (tls.Certificate, error) {
	switch {
	case t.ClientKey == "":
		return tls.Certificate{}, &SettingError{"client_key", "is not set, and client_cert is: the certificate is of no use without its private key"}
	case t.ClientCert == "":
		return tls.Certificate{}, &SettingError{"client_cert", "is not set, and client_key is: the key is of no use without its certificate"}
	}

	pair, err := tls.X509KeyPair([]byte(t.ClientCert), []byte(t.ClientKey))
	if err != nil {
		return tls.Certificate{}, &SettingError{"client_cert", fmt.Sprintf("and client_key are no certificate and private key in PEM form that belong together: %v", err)}
	}
	return pair, nil
}

// pooledTransport is the transport of a client that is given none.
func pooledTransport(config *tls.Config) *http.Transport {
	pooled := cleanhttp.DefaultPooledTransport()
	pooled.MaxIdleConnsPerHost = idleConnections
	pooled.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	pooled.TLSClientConfig = config
	return pooled
}

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

// pemBegin is how each block of PEM text begins; comments may stand before it.
const pemBegin = "-----BEGIN "

// PEMText returns the value if it is PEM text, else the content of the file whose path it is,
// relative to dir. Its errors never repeat the value, which may be a damaged private key.
func PEMText(value, dir string) (string, error) {
	if value == "" || strings.Contains(value, pemBegin) {
		return value, nil
	}
	if strings.ContainsAny(value, "\r\n") {
		return "", fmt.Errorf("is neither PEM text, which has a line that begins with %s, nor the path of a file", strings.TrimSpace(pemBegin))
	}

	text, err := os.ReadFile(PEMPath(value, dir))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err // without the path
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("is the path of a file that cannot be read: %w", err)
	case !strings.Contains(string(text), pemBegin):
		return "", fmt.Errorf("is the path of a file without PEM text, which has a line that begins with %s", strings.TrimSpace(pemBegin))
	}
	return string(text), nil
}

// PEMPath is the value with its path relative to dir; PEM text stays as it is.
func PEMPath(value, dir string) string {
	if value == "" || strings.Contains(value, pemBegin) || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(dir, value)
}
