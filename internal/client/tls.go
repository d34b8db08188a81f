package client

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"

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
