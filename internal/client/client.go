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

// defaultTimeout bounds one request when the caller sets no bound.
const defaultTimeout = 60 * time.Second

// defaultMaxResponse is more than a page of the longest surveys takes, and less than
// what brings a CI runner down.
const defaultMaxResponse = 64 << 20

// defaultMostPages bounds a list that has no end.
const defaultMostPages = 10_000

// Options say which service to talk to, as whom, and how fast.
type Options struct {
	// BaseURL is the address of the service, without /api. A path prefix and a
	// trailing slash are both fine.
	BaseURL string
	// APIKey is a personal API key, sent as a bearer token. It is in no error and
	// in no log line of this package.
	APIKey string
	// UserAgent is sent whole, for example "terraform-provider-posthog/1.2.3". Empty
	// sends the one of net/http.
	UserAgent string
	// Headers are sent with every request besides those of the client, for a proxy
	// before the service. Their values are secrets as the key is; [CheckHeaders] says
	// which are refused.
	Headers map[string]string
	// RequestTimeout bounds one request from its first byte to the last byte of its
	// response, not the time that it is held back before. Zero is 60 seconds.
	RequestTimeout time.Duration
	// RequestsPerMinute spaces all requests of the client evenly. Zero leaves the
	// pace to the service.
	RequestsPerMinute int
	// TLS is what the connections to a private service need. It has no effect on a
	// Transport that is given.
	TLS TLS
	// Allowed are the projects and organizations that requests may be about.
	Allowed Allowed
	// MaxRetries is how often one request is sent again at most; nil for as often as the
	// operation has time for.
	MaxRetries *int
	// SingleReads has Read ask for every object by itself, even when a list would
	// respond to many at once.
	SingleReads bool
	// Now and Sleep are the clock that pauses are measured by. Nil is the machine's.
	// Sleep returns early, with the context's error, when the context ends.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	// Transport carries the requests. Nil is a pooled transport of the client's own
	// that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
	Transport http.RoundTripper
	// Wrap is put around the transport, to see or count the requests. Nil is nothing.
	Wrap func(http.RoundTripper) http.RoundTripper
}

// idleConnections is how many connections stay open between requests. go-cleanhttp
// keeps one more than there are processors, and Terraform works on ten objects at a
// time: the others would shake hands again and again.
const idleConnections = 16

// connectTimeout bounds one try to connect. Where packets are dropped silently, by
// a firewall or for want of a VPN, nothing but this ends it.
const connectTimeout = 10 * time.Second

// Client talks to one service with one key. It is safe for concurrent use, and all
// that use it share its pace.
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
	// network is what the transport is or is put around; nil if it is something else.
	network *http.Transport

	// How requests are held back, sent again and given up.
	gate       *gate
	retry      retryPolicy
	maxRetries *int
	breaker    *breaker
	reports    *reports

	// What is known of objects between requests.

	// created are the ids of all objects that this client created, of both kinds: none of them
	// is ever the outcome of another create.
	created *sync.Map
	// highestAppIDs are the highest ids of import apps in an organization before this client
	// created one there. An app has no date of creation: one counts as new when its id is above.
	highestAppIDs *memo[int64]
	// accessLevels are the levels that the API key has on the surveys it creates in a project.
	// The service puts them into the responses to reads alone: one read serves all creates.
	accessLevels  *memo[nullable.Nullable[string]]
	surveysOptIns *memo[optIn]
	singleReads   bool
	surveys       *collections[string]
	importApps    *collections[int64]

	importAppRoutes *importAppRoutes
}

// New checks the options and returns a client. It sends nothing.
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
	if c.transport == nil {
		c.transport = pooledTransport(tlsConfig)
	}
	c.network, _ = c.transport.(*http.Transport)
	if o.Wrap != nil {
		c.transport = o.Wrap(c.transport)
	}
	return c, nil
}

// BaseURL is the address of the service, without /api and ending in a slash.
func (c *Client) BaseURL() string { return c.server }

// check refuses options that no request can be sent with, but for the address.
func (o Options) check() error {
	if err := checkKey(o.APIKey); err != nil {
		return err
	}
	if strings.ContainsFunc(o.UserAgent, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf("the user agent %q has a character that a header cannot carry", o.UserAgent)
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
