// Package client is the HTTP policy over the generated API client: where requests
// go, what they carry, how long they may take, when they have to wait, and what
// each kind of answer means. One file per noun holds the operations of that noun.
//
// Terraform types, files, and opinions about what a survey should look like never
// enter it: it takes and returns the types of package api.
package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/go-cleanhttp"
)

// defaultTimeout bounds one request when the caller names no bound.
const defaultTimeout = 60 * time.Second

// defaultMaxAnswer is more than a page of the longest surveys takes, and less than
// what brings a CI runner down.
const defaultMaxAnswer = 64 << 20

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
	// answer, not the time that it is held back before. Zero is 60 seconds.
	RequestTimeout time.Duration
	// RequestsPerMinute spaces all requests of the client evenly. Zero leaves the
	// pace to the service.
	RequestsPerMinute int
	// SingleReads has Read ask for every object by itself, even when a list would
	// answer many at once.
	SingleReads bool
	// Now and Sleep are the clock that pauses are measured by. Nil is the machine's.
	// Sleep returns early, with the context's error, when the context ends.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	// Transport carries the requests. Nil is a pooled transport of the client's own
	// that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY.
	Transport http.RoundTripper
}

// idleConnections is how many connections stay open between requests. go-cleanhttp
// keeps one more than there are processors, and Terraform works on ten objects at a
// time: the others would shake hands again and again.
const idleConnections = 16

// connectTimeout bounds one try to connect. Where packets are dropped in silence, by
// a firewall or for want of a VPN, nothing but this ends it.
const connectTimeout = 10 * time.Second

// Client talks to one service with one key. It is safe for concurrent use, and all
// that use it share its pace.
type Client struct {
	base         *url.URL
	server       string
	userAgent    string
	timeout      time.Duration
	maxAnswer    int64
	tries        int
	credential   *credential
	transport    http.RoundTripper
	gate         *gate
	apps         *appsBefore
	made         *made
	reach        *reach
	reports      *reports
	single       bool
	surveys      *collections[string]
	accessLevels *accessLevels
	importApps   *collections[int64]
}

// New checks the options and returns a client. It sends nothing.
func New(o Options) (*Client, error) {
	base, err := parseBaseURL(o.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := checkKey(o.APIKey); err != nil {
		return nil, err
	}
	if strings.ContainsFunc(o.UserAgent, func(r rune) bool { return r < ' ' || r > '~' }) {
		return nil, fmt.Errorf("the user agent %q has a character that a header can't carry", o.UserAgent)
	}
	if err := CheckHeaders(o.Headers); err != nil {
		return nil, err
	}
	if o.RequestTimeout < 0 {
		return nil, fmt.Errorf("request_timeout is %s: it must be more than nothing, or 0 for %s", o.RequestTimeout, defaultTimeout)
	}
	if o.RequestsPerMinute < 0 {
		return nil, fmt.Errorf("requests_per_minute is %d: it must be 1 or more, or 0 to leave the pace to the service", o.RequestsPerMinute)
	}
	c := &Client{
		base:         base,
		server:       base.String(),
		userAgent:    o.UserAgent,
		timeout:      o.RequestTimeout,
		maxAnswer:    defaultMaxAnswer,
		credential:   newCredential(o.APIKey, o.Headers),
		transport:    o.Transport,
		gate:         newGate(o),
		apps:         newAppsBefore(),
		made:         &made{},
		accessLevels: &accessLevels{},
		reach:        &reach{},
		reports:      &reports{},
		single:       o.SingleReads,
		surveys:      &collections[string]{},
		importApps:   &collections[int64]{},
	}
	if c.timeout == 0 {
		c.timeout = defaultTimeout
	}
	if c.transport == nil {
		pooled := cleanhttp.DefaultPooledTransport()
		pooled.MaxIdleConnsPerHost = idleConnections
		pooled.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
		c.transport = pooled
	}
	return c, nil
}

// parseBaseURL returns the address that paths are appended to: absolute, ending in
// one slash. Its errors don't repeat the value, which is the key when somebody
// swapped the two settings.
func parseBaseURL(value string) (*url.URL, error) {
	u, err := url.Parse(value)
	switch {
	case value == "":
		return nil, errors.New("base_url is empty: set it to the address of the service, for example https://us.posthog.com")
	case err != nil || u.Opaque != "" || u.Scheme == "" || (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() == "":
		return nil, errors.New("base_url is not a whole URL: it must start with https:// (or http://) and a host, for example https://us.posthog.com")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("base_url must start with https:// or http://, not with another scheme")
	case u.User != nil:
		return nil, errors.New("base_url holds a user name or password: take it out, the service knows its callers by the API key alone")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("base_url has a part after ? or #: give the address alone, for example https://us.posthog.com")
	}
	u.Path = strings.TrimRight(u.Path, "/") + "/"
	if u.RawPath != "" {
		u.RawPath = strings.TrimRight(u.RawPath, "/") + "/"
	}
	// Dots in the prefix are resolved here as the generated client resolves them.
	return u.Parse("./")
}

// checkKey refuses what can't be in a header. Its errors never repeat the key.
func checkKey(key string) error {
	if key == "" {
		return errors.New("the API key is empty: set api_key or POSTHOG_API_KEY to a personal API key")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the API key has a blank, a line break or another character that no key has: " +
			"was it copied with its surroundings, or read from a file that ends in a line break?")
	}
	return nil
}
