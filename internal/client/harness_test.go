package client

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	// prefix is the path under which the tests mount the service. A request that omits the base URL's path doesn't
	// reach the service.
	prefix    = "/tenants/posthog"
	testKey   = "phx_0123456789abcdefghijklmnop"
	userAgent = "terraform-provider-posthog/1.2.3"
	surveyID  = "018f2a3b-0000-4000-8000-0000000000aa"
	orgID     = "018f2a3b-0000-4000-8000-0000000000bb"
)

// request is a request that the service received.
type request struct {
	method, path, query, body string
	header                    http.Header
}

// service is a server that returns the listed responses in order, and records the requests.
type service struct {
	*httptest.Server
	t       *testing.T
	mu      sync.Mutex
	asked   []request
	answers []http.HandlerFunc
}

// serve starts a service. If more requests arrive than there are responses, the test fails.
func serve(t *testing.T, answers ...http.HandlerFunc) *service {
	t.Helper()
	s := &service{t: t, answers: answers}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	assert.NoError(s.t, err)
	path, ok := strings.CutPrefix(r.URL.EscapedPath(), prefix)
	assert.True(s.t, ok, "%s %s is outside of the base URL", r.Method, r.URL)

	s.mu.Lock()
	s.asked = append(s.asked, request{method: r.Method, path: path, query: r.URL.RawQuery, body: string(body), header: r.Header.Clone()})
	n := len(s.asked)
	s.mu.Unlock()

	if !assert.LessOrEqual(s.t, n, len(s.answers), "unexpected request %s %s", r.Method, r.URL) {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	s.answers[n-1](w, r)
}

func (s *service) requests() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]request(nil), s.asked...)
}

// client returns a client of the service that never retries a failure.
func (s *service) client(change ...func(*Options)) *Client {
	s.t.Helper()
	o := Options{BaseURL: s.URL + prefix, APIKey: testKey, UserAgent: userAgent}
	for _, f := range change {
		f(&o)
	}
	c, err := New(o)
	require.NoError(s.t, err)
	c.retry = oneFailure
	return c
}

// oneFailure is the retry policy of tests that check the report of a single failure: the client retries only if
// PostHog asked it to wait.
func oneFailure(state *retryState, method string, err error, now time.Time) decision {
	next := state.next(method, err, now)
	next.retry = next.retry && state.failed == 0
	return next
}

// respondJSON responds with a status and a JSON body.
func respondJSON(status int, body string) http.HandlerFunc {
	return respondAs(status, "application/json", body)
}

func respondAs(status int, contentType, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // the client may be gone, which some tests intend
	}
}

// refuse responds with an error body as PostHog formats it.
func refuse(status int, kind, code, detail string) http.HandlerFunc {
	body, err := json.Marshal(map[string]any{"type": kind, "code": code, "detail": detail, "attr": nil})
	if err != nil {
		panic(err)
	}
	return respondJSON(status, string(body))
}
