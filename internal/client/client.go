// Package client wraps the generated API client with authentication, rate limiting, retries, and
// error handling. Survey operations are in surveys.go, import app operations in import_apps.go.
//
// The package uses only types of package api. It must not depend on Terraform types, read
// configuration files, or validate surveys. Start at New.
package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/oapi-codegen/nullable"
)

// defaultTimeout limits one request if the caller sets no limit.
const defaultTimeout = 60 * time.Second

// defaultMaxResponse is larger than a page of the longest surveys, but small enough for a CI
// runner's memory.
const defaultMaxResponse = 64 << 20

// defaultMostPages limits the pages of a list, in case PostHog returns a next page forever.
const defaultMostPages = 10_000

// Options configure a client: the server, the credentials, and the pace.
type Options struct {
	// BaseURL is the URL of PostHog, without /api. It may have a path prefix and a trailing slash.
	BaseURL string
	// APIKey is a personal API key, sent as a bearer token. No error or log line of this package
	// contains it.
	APIKey string
	// UserAgent is sent unchanged, for example "terraform-provider-posthog/1.2.3". If empty,
	// net/http's default is sent.
	UserAgent string
	// Headers are sent with every request, for a proxy in front of PostHog. Their values are as
	// secret as the key. [CheckHeaders] rejects headers that the client sets itself.
	Headers map[string]string
	// RequestTimeout limits one request from its first byte to the last byte of its response. It
	// does not include the time before it is sent. Zero means 60 seconds.
	RequestTimeout time.Duration
	// RequestsPerMinute limits the request rate, with even intervals. Zero means no limit except PostHog's.
	RequestsPerMinute int
	// TLS configures the connections to a private server. It has no effect if Transport is set.
	TLS TLS
	// Allowed are the projects and organizations that requests may access.
	Allowed Allowed
	// MaxRetries limits the retries of one request. Nil means that only the operation's timeout limits them.
	MaxRetries *int
	// SingleReads makes Read request each object individually, even if a list would return many at
	// once.
	SingleReads bool
	// Now and Sleep are the clock for pauses. Nil means the system clock. Sleep returns early with
	// the context's error when the context ends.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	// Transport sends the requests. Nil means a separate pooled transport that honors HTTP_PROXY,
	// HTTPS_PROXY, and NO_PROXY.
	Transport http.RoundTripper
	// Wrap wraps the transport, for example to log or count requests. Nil means no wrapper.
	Wrap func(http.RoundTripper) http.RoundTripper
}

// idleConnections is the number of connections that stay open between requests. go-cleanhttp keeps
// one more than the number of processors. Terraform works on ten objects at a time, so the other
// connections would repeat their TLS handshakes.
const idleConnections = 16

// connectTimeout limits one connection attempt. If packets are dropped silently, by a firewall or
// because a VPN is off, nothing else ends the attempt.
const connectTimeout = 10 * time.Second

// Client sends requests to one server with one key. It is safe for concurrent use. All of its users
// share its pace.
type Client struct {
	base        *url.URL
	server      string // base as text
	userAgent   string
	timeout     time.Duration
	maxResponse int64
	mostPages   int
	credential  *credential
	allowed     Allowed
	transport   http.RoundTripper
	// network is the HTTP transport, even if it is wrapped. It is nil for any other kind of transport.
	network *http.Transport

	// Parts that decide when requests are sent and retried.
	gate       *gate
	retry      retryPolicy
	maxRetries *int
	breaker    *breaker
	reports    *reports

	// Facts about objects that the client remembers between requests.

	// created contains the IDs of all objects of both kinds that this client created. None of them
	// can be the outcome of another create.
	created *sync.Map
	// highestAppIDs maps an organization to its highest import app ID before this client created an
	// app in it. Apps have no creation date, so an app is new if its ID is higher.
	highestAppIDs *memo[int64]
	// accessLevels maps a project to the API key's access level on surveys that it creates. PostHog
	// returns the level only in reads, so one read serves all creates.
	accessLevels  *memo[nullable.Nullable[string]]
	surveysOptIns *memo[optIn]
	keyScopes     *memo[keyScopes]
	plannedFlags  *memo[plannedFlag]
	singleReads   bool
	surveys       *collections[string]
	importApps    *collections[int64]

	importAppRoutes *importAppRoutes
}

// New checks the options and returns a client. It sends no request.
func New(o Options) (*Client, error) {
	base, err := parseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	tlsConfig, err := o.TLS.config()
	if err != nil {
		return nil, err
	}

	c := &Client{
		base:        base,
		server:      base.String(),
		userAgent:   o.UserAgent,
		timeout:     cmp.Or(o.RequestTimeout, defaultTimeout),
		maxResponse: defaultMaxResponse,
		mostPages:   defaultMostPages,
		credential:  newCredential(o.APIKey, o.Headers),
		allowed:     o.Allowed,
		transport:   o.Transport,

		gate:       newGate(o),
		retry:      (*retryState).next,
		maxRetries: o.MaxRetries,
		breaker:    &breaker{},
		reports:    &reports{},

		created:     &sync.Map{},
		singleReads: o.SingleReads,
		surveys:     &collections[string]{},
		importApps:  &collections[int64]{},

		importAppRoutes: newImportAppRoutes(),
	}
	c.highestAppIDs = newMemo[int64](c.gate.now, failuresEnd)
	c.accessLevels, c.surveysOptIns = newMemo[nullable.Nullable[string]](c.gate.now, 0), newMemo[optIn](c.gate.now, 0)
	c.keyScopes, c.plannedFlags = newMemo[keyScopes](c.gate.now, 0), newMemo[plannedFlag](c.gate.now, 0)
	if c.transport == nil {
		c.transport = pooledTransport(tlsConfig)
	}
	c.network, _ = c.transport.(*http.Transport)
	if o.Wrap != nil {
		c.transport = o.Wrap(c.transport)
	}
	return c, nil
}

// BaseURL returns the URL of PostHog, without /api and with a trailing slash.
func (c *Client) BaseURL() string { return c.server }

// check rejects options that make every request impossible. It does not check the URL.
func (o Options) check() error {
	if err := checkKey(o.APIKey); err != nil {
		return err
	}
	if strings.ContainsFunc(o.UserAgent, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf("the user agent %q has a character that a header cannot contain", o.UserAgent)
	}
	if err := CheckHeaders(o.Headers); err != nil {
		return err
	}

	if o.RequestTimeout < 0 {
		return fmt.Errorf("request_timeout is %s: it must be greater than zero, or 0 for %s", o.RequestTimeout, defaultTimeout)
	}
	if o.RequestsPerMinute < 0 {
		return fmt.Errorf("requests_per_minute is %d: it must be 1 or more, or 0 to wait only if PostHog requires it", o.RequestsPerMinute)
	}
	if o.MaxRetries != nil && *o.MaxRetries < 0 {
		return &SettingError{maxRetriesSetting, "must not be negative"}
	}
	return nil
}
