// Package acctest gives each test of a resource or data source its own test server, a provider configured
// for this server, and access to the stored objects. It must not depend on attributes of a resource, and
// production code must not import it.
package acctest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/stretchr/testify/require"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/provider"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/testing/contracttest"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver"
)

// Env is the server of a test and the environment of the provider that uses the server.
type Env struct {
	*testserver.Instance
	// Environment contains the provider's environment variables. It replaces the machine's.
	Environment map[string]string

	t     testing.TB
	key   string
	clock *clock
	// transport replaces the network if it is not nil.
	transport http.RoundTripper
	// serves replaces the provider's own server if it is not nil.
	serves tfprotov6.ProviderServer
}

// clock is the provider's clock. It is stopped until the provider waits, and then jumps to the end of the wait.
type clock struct {
	mu   sync.Mutex
	time time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.time
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.time = c.time.Add(d)
	return ctx.Err()
}

// Option changes an Env before it starts.
type Option func(*testserver.Options)

// Fixtures starts the server with a fixtures document.
func Fixtures(document string) Option {
	return func(o *testserver.Options) { o.Fixtures = strings.NewReader(document) }
}

// Profile starts the server with a profile.
func Profile(profile testserver.Profile) Option {
	return func(o *testserver.Options) { o.Profile = profile }
}

// Profiles returns the profiles with which a test runs a CLI. With -short, it returns only the hosted
// profile, because tests without a CLI cover the differences between profiles.
func Profiles() []testserver.Profile {
	if testing.Short() {
		return []testserver.Profile{testserver.Hosted}
	}
	return []testserver.Profile{testserver.Documented, testserver.Hosted}
}

// Clock starts the server with a clock.
func Clock(now func() time.Time) Option { return func(o *testserver.Options) { o.Clock = now } }

// Start starts a server that stops when the test ends. It checks all responses against the OpenAPI
// document: see [ObserveContract].
func Start(t testing.TB, options ...Option) *Env {
	t.Helper()
	o := testserver.Options{Observe: ObserveContract(t)}
	for _, option := range options {
		option(&o)
	}

	key := newKey()
	var document []byte
	if o.Fixtures != nil {
		var err error
		document, err = io.ReadAll(o.Fixtures)
		require.NoError(t, err)
	}

	o.Fixtures = bytes.NewReader(withAPIKey(document, key))

	env := &Env{Instance: testserver.Start(t, o), t: t, key: key, clock: &clock{time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}}
	env.Environment = map[string]string{
		"POSTHOG_BASE_URL": env.URL, "POSTHOG_API_KEY": env.APIKey,
		"POSTHOG_PROJECT_ID": env.ProjectID, "POSTHOG_ORGANIZATION_ID": env.OrganizationID,
	}

	return env
}

// Pass advances the provider's clock.
func (env *Env) Pass(d time.Duration) { _ = env.clock.sleep(context.Background(), d) }

// Factories returns factories for the provider, configured for the server.
func (env *Env) Factories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){"posthog": func() (tfprotov6.ProviderServer, error) {
		if env.serves != nil {
			return env.serves, nil
		}
		served, err := provider.NewServer(env.provider())
		if err != nil {
			return nil, err
		}
		server, err := protocol.Wrap(served)
		return protocol.Around{Server: server, Call: newKeyGuard(env.t, env.APIKey, env.Environment["POSTHOG_API_KEY"]).call}, err
	}}
}

// provider returns a provider with the current environment.
func (env *Env) provider() *provider.Provider {
	environment := maps.Clone(env.Environment)
	served := &provider.Provider{
		Version: "test", Getenv: func(name string) string { return environment[name] }, Transport: env.transport,
		Now: env.clock.now, Sleep: env.clock.sleep,
	}

	if env.transport != nil {
		served.Now, served.Sleep = time.Now, nil
	}
	return served
}

// RequestBodies returns the bodies of all requests with a method, oldest first.
func (env *Env) RequestBodies(t testing.TB, method string) []string {
	t.Helper()
	var bodies []string
	for _, request := range env.Journal() {
		if request.Method == method {
			bodies = append(bodies, string(request.Body))
		}
	}
	return bodies
}

// Operations returns the number of requests by operationId.
func (env *Env) Operations() map[string]int {
	counts := map[string]int{}
	for _, request := range env.Journal() {
		counts[request.Operation]++
	}
	return counts
}

// Surveys returns the surveys on the server, in the form of the fixtures document.
func (env *Env) Surveys(t testing.TB) []map[string]any {
	t.Helper()
	return env.Server.Surveys(env.ProjectID)
}

// Apps returns the import apps on the server, in the form of the fixtures document.
func (env *Env) Apps(t testing.TB) []map[string]any {
	t.Helper()
	return env.Server.Apps(env.OrganizationID)
}

// answers collects the responses of all servers of a test binary.
var answers contracttest.Sample

// ObserveContract returns an observer for a test's server. The observer fails the test when a response violates the
// OpenAPI document. It ignores fault responses and SDK requests, which the document does not describe.
func ObserveContract(t testing.TB) func(testserver.Exchange) {
	return func(e testserver.Exchange) {
		if !e.Fault && !strings.HasPrefix(e.Operation, "sdk_") {
			answers.Check(t, e.Operation, e.Status, e.Header, e.Body)
		}
	}
}

// UseSynctest prepares the provider for a test in a testing/synctest bubble, in which time advances when all
// goroutines are blocked. The provider then uses the bubble's clock instead of the jumping clock. It calls the server
// without a network, because the bubble cannot detect that a goroutine is waiting for the network. Start the Env
// outside of the bubble, with Clock.
func (env *Env) UseSynctest() { env.transport = directTransport{env.Server} }

// directTransport passes requests to a handler without a network. Like a server, the handler continues if the
// client does not wait for its response.
type directTransport struct{ handler http.Handler }

// RoundTrip implements [http.RoundTripper]. It returns an unexpected EOF if the handler drops the connection.
func (s directTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, ended := httptest.NewRecorder(), make(chan bool, 1)
	go func() { ended <- s.serve(answer, r) }()
	select {
	case whole := <-ended:
		if !whole {
			return nil, io.ErrUnexpectedEOF
		}
		return answer.Result(), nil
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// serve reports whether the handler completed its response.
func (s directTransport) serve(w http.ResponseWriter, r *http.Request) (whole bool) {
	defer func() {
		reason := recover()
		if err, ok := reason.(error); reason != nil && (!ok || !errors.Is(err, http.ErrAbortHandler)) {
			panic(reason)
		}
	}()
	s.handler.ServeHTTP(w, r)
	return true
}

// Direct returns a transport that passes requests to a handler without a network.
func Direct(handler http.Handler) http.RoundTripper { return directTransport{handler} }
