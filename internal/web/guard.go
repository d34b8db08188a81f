// Package web contains the parts that all local servers with pages share: a guard that rejects
// requests from other sites and hosts, and the scripts that browsers run, with their licenses. It
// must not depend on the contents of a page.
package web

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// anyName allows any name in a list of names.
const anyName = "*"

// Guard decides whether a request comes from a local server's owner. A server on the loopback interface
// needs no password, but any website that its owner visits can make the browser send requests to it. The
// website can rebind its own name to 127.0.0.1, or use a form or an image. The zero value allows only the
// loopback interface's names.
type Guard struct {
	// names contains the server's further names in lower case. every allows any name.
	names map[string]bool
	every bool
	cross http.CrossOriginProtection
}

// NewGuard returns a guard for a server with further names: host names without a port, or * for any name.
func NewGuard(names []string) (*Guard, error) {
	g := &Guard{names: map[string]bool{}}
	for _, name := range names {
		switch plain := plainName(name); {
		case name == anyName:
			g.every = true
		case plain == "" || strings.ContainsAny(plain, "/@ *") || strings.Contains(plain, ":") && !isAddress(plain):
			return nil, fmt.Errorf("%q is not a host name. Use a name such as posthog.example.com, without scheme and port, or * for any host", name)
		default:
			g.names[plain] = true
		}
	}
	return g, nil
}

// plainName normalizes a name for comparisons: in lower case, without a trailing dot, and without the brackets of an
// IPv6 address.
func plainName(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}

// CheckHost refuses a request for a name that is not the server's. Otherwise, a website whose name was
// rebound to the server's IP address could read and change everything.
//
// On the loopback interface, the names are localhost, the loopback addresses, and the configured names. Other
// machines can also use IP addresses and names without a dot, such as services in a container network,
// because no website has such a name.
func (g *Guard) CheckHost(r *http.Request) error {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok || g.every || r.Host == "" {
		// Without a TCP connection, there is no name to rebind. Browsers always send a Host header.
		return nil
	}

	name := hostName(r.Host)
	if name == "localhost" || g.names[name] {
		return nil
	}
	address, err := netip.ParseAddr(name)
	isIP := err == nil
	switch {
	case isIP && address.Unmap().IsLoopback():
		return nil
	case !local.IP.IsLoopback() && (isIP || name != "" && !strings.Contains(name, ".")):
		return nil
	}
	return fmt.Errorf("the request is for the host %q, which this server does not serve", r.Host)
}

// hostName returns the name in a Host header.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return plainName(host)
}

// errCrossSite is the error for requests from another website.
var errCrossSite = errors.New("a page of another website sent the request")

// CheckSite refuses requests from another website's page. Such a page may link to the server, but must not
// change anything or load anything in the background.
func (g *Guard) CheckSite(r *http.Request) error {
	if g.cross.Check(r) != nil {
		return errCrossSite
	}
	if isCrossSite(r) && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		return errCrossSite
	}
	return nil
}

// CheckProgram also refuses links from other websites. Use it for the paths that programs use, which record even
// reads.
func (g *Guard) CheckProgram(r *http.Request) error {
	if isCrossSite(r) {
		return errCrossSite
	}
	return g.CheckSite(r)
}

// isCrossSite reports whether another site's page made the request, according to the browser. Programs
// don't send this information, nor do browsers for a URL that the user entered.
func isCrossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "":
		// Browsers omit this header if the connection is neither encrypted nor local.
		origin := r.Header.Get("Origin")
		from, err := url.Parse(origin)
		return origin != "" && (err != nil || from.Host != r.Host)
	}
	return true
}
