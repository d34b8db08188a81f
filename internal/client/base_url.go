package client

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// parseBaseURL returns the address that paths are appended to: absolute, ending in
// one slash. Its errors do not repeat the value, which is the key when the two
// settings were swapped.
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
		return nil, errors.New("base_url holds a user name or password: remove it, since the service identifies callers by the API key only")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("base_url has a part after ? or #: give only the address, for example https://us.posthog.com")
	}

	u.Path = strings.TrimRight(u.Path, "/") + "/"
	if u.RawPath != "" {
		u.RawPath = strings.TrimRight(u.RawPath, "/") + "/"
	}

	// Dots in the prefix are resolved here as the generated client resolves them.
	return u.Parse("./")
}

// IsPlainHTTP reports whether requests to an address cross a network without encryption.
// The loopback interface is none.
func IsPlainHTTP(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || !strings.EqualFold(parsed.Scheme, "http") || parsed.Hostname() == "localhost" {
		return false
	}
	ip := net.ParseIP(parsed.Hostname())
	return ip == nil || !ip.IsLoopback()
}
