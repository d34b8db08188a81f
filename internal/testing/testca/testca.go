// Package testca provides a certificate authority for one test, and servers with certificates from this
// authority, for tests of TLS settings. Production code must not import it.
package testca

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Authority signs certificates.
type Authority struct {
	// PEM is the authority's own certificate.
	PEM string

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// New returns a new authority, which no system trusts.
func New(t testing.TB) *Authority {
	t.Helper()
	a := &Authority{key: newKey(t), certificate: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Authority of " + t.Name()},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	der, err := x509.CreateCertificate(rand.Reader, a.certificate, a.certificate, &a.key.PublicKey, a.key)
	require.NoError(t, err)
	a.PEM = encode("CERTIFICATE", der)
	return a
}

// Pair returns a certificate for this machine, signed by the authority, and its private key. Servers and clients can
// use it.
func (a *Authority) Pair(t testing.TB) (certificate, key string) {
	t.Helper()
	private := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: t.Name()},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
	}, a.certificate, &private.PublicKey, a.key)
	require.NoError(t, err)

	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return encode("CERTIFICATE", der), encode("PRIVATE KEY", pkcs8)
}

// Serve starts a server with a certificate from the authority. If mutual is true, the server requires a client
// certificate from the authority.
func (a *Authority) Serve(t testing.TB, handler http.Handler, mutual bool) *httptest.Server {
	t.Helper()
	pair, err := tls.X509KeyPair(pems(a.Pair(t)))
	require.NoError(t, err)

	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // hide the errors of refused clients
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	if mutual {
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM([]byte(a.PEM))
		server.TLS.ClientAuth, server.TLS.ClientCAs = tls.RequireAndVerifyClientCert, pool
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return key
}

func encode(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func pems(certificate, key string) (certificatePEM, keyPEM []byte) {
	return []byte(certificate), []byte(key)
}
