package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ask sends one request to a URL and returns the connection's error.
func ask(t *testing.T, baseURL string, change ...func(*Options)) *ConnectionError {
	t.Helper()
	o := Options{BaseURL: baseURL, APIKey: testKey}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	require.NoError(t, err)
	c.retry = oneFailure
	_, err = c.Surveys("1").Create(t.Context(), surveyBody)
	var e *ConnectionError
	require.ErrorAs(t, err, &e)
	assert.True(t, strings.HasPrefix(err.Error(), "POST "), err)
	assert.NotContains(t, err.Error(), "\n")
	return e
}

// closedPort is a local address that refuses connections. A port that merely is free could be reused by another test.
const closedPort = "127.0.0.1:1"

func TestUnreachable(t *testing.T) {
	t.Parallel()
	e := ask(t, "http://"+closedPort)
	assert.False(t, e.Sent)
	assert.False(t, e.Timeout)
	assert.Equal(t, closedPort, e.Host)
	assert.ErrorContains(t, e, "cannot reach "+closedPort+": connection refused; ")
	assert.ErrorContains(t, e, "check base_url and the network")
	var network *net.OpError
	assert.ErrorAs(t, e, &network)
}

// A transport of an unknown kind may have sent a request even though it returned no response.
func TestUnknownConnection(t *testing.T) {
	t.Parallel()
	e := ask(t, "http://posthog.example", func(o *Options) {
		o.Transport = memory(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
	})
	assert.True(t, e.Sent)
	assert.ErrorIs(t, e, io.ErrUnexpectedEOF)
}

// If a connection breaks before the response, the request may have been carried out.
func TestBrokenConnection(t *testing.T) {
	t.Parallel()
	s := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	e := ask(t, s.URL+prefix)
	assert.True(t, e.Sent)
	assert.ErrorContains(t, e, "broke before a response came")
	assert.ErrorContains(t, e, "PostHog may have received the request")
	assert.Len(t, s.requests(), 1)
}

func TestNoHTTP(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 4096)) // the request
			_, _ = io.WriteString(conn, "\x15\x03\x01\x00\x02\x02\r\n\r\n")
			_ = conn.Close()
		}
	}()
	e := ask(t, "http://"+l.Addr().String())
	assert.ErrorContains(t, e, "malformed HTTP")
}

func TestTLS(t *testing.T) {
	t.Parallel()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // the client hangs up
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)

	trusting := func(o *Options) {
		pool := x509.NewCertPool()
		pool.AddCert(secure.Certificate())
		o.Transport = &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: pool},
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, network, secure.Listener.Addr().String())
			},
		}
	}

	for name, c := range map[string]struct {
		url    string
		change func(*Options)
		want   string
	}{
		"unknown authority": {secure.URL, func(*Options) {}, "set ca_cert (POSTHOG_CA_CERT)"},
		"another host":      {"https://posthog.invalid", trusting, "check base_url"},
		"plain port":        {strings.Replace(plain.URL, "http:", "https:", 1), func(*Options) {}, "but base_url starts with https://"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := ask(t, c.url, c.change)
			assert.False(t, e.Sent)
			assert.ErrorContains(t, e, "could not establish a trusted connection to "+e.Host)
			assert.ErrorContains(t, e, c.want)
		})
	}
}

// request_timeout ends a request that receives no response, or only half of one.
func TestTimeout(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]string{"no response": "", "half a response": `{"id":`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				e := ask(t, "http://posthog.example"+prefix, func(o *Options) {
					o.Transport = memory(func(req *http.Request) (*http.Response, error) {
						if begin == "" {
							<-req.Context().Done()
							return nil, req.Context().Err()
						}
						body := io.MultiReader(strings.NewReader(begin), silent{req.Context()})
						return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(body)}, nil
					})
				})

				assert.True(t, e.Timeout)
				assert.True(t, e.Sent)
				assert.ErrorContains(t, e, "within 1m0s (request_timeout); PostHog may still be processing the request")
				assert.ErrorIs(t, e, context.DeadlineExceeded)
			})
		})
	}
}

// silent is the rest of a response that never arrives.
type silent struct{ ctx context.Context } //nolint:containedctx // it ends with the request

// Read implements io.Reader.
func (s silent) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func TestTimeoutBeforeConnection(t *testing.T) {
	t.Parallel()
	e := ask(t, "http://posthog.invalid", func(o *Options) {
		o.RequestTimeout = 500 * time.Millisecond // enough time to establish a connection
		o.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
	})
	assert.True(t, e.Timeout)
	assert.False(t, e.Sent)
	assert.ErrorContains(t, e, "no connection to posthog.invalid within 500ms (request_timeout)")
}

// If the caller stops, the error isn't a request timeout.
func TestStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	_, err := s.client().Surveys("1").Retrieve(ctx, surveyID)
	var e *ConnectionError
	require.ErrorAs(t, err, &e)
	assert.False(t, e.Timeout)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "stopped before ")
}

// Requests go through the proxy. If the proxy can't be reached, the error contains its URL without the password.
func TestProxy(t *testing.T) {
	t.Parallel()
	via := func(address string) func(*Options) {
		return func(o *Options) {
			u, err := url.Parse("http://user:s3cret@" + address)
			require.NoError(t, err)
			o.Transport = &http.Transport{Proxy: http.ProxyURL(u)}
		}
	}

	for _, base := range []string{"http://posthog.invalid", "https://posthog.invalid"} {
		e := ask(t, base, via(closedPort))
		assert.ErrorContains(t, e, "cannot reach posthog.invalid (through the proxy "+closedPort+"): connection refused; ")
		assert.NotContains(t, e.Error(), "s3cret")
		assert.False(t, e.Sent)
	}

	s := serve(t, found)
	c, err := New(Options{BaseURL: "http://posthog.invalid" + prefix, APIKey: testKey})
	require.NoError(t, err)
	o := Options{}
	via(s.Listener.Addr().String())(&o)
	c.transport = o.Transport
	_, err = c.Surveys("1").Retrieve(t.Context(), surveyID)
	require.NoError(t, err)
	assert.Len(t, s.requests(), 1)
}
