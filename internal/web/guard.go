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

// anyName stands for all names in a list of names.
const anyName = "*"

// Guard decides whether a request comes from the owner of a server. One on the loopback
// interface needs no password, yet every web site that its owner visits can make the browser
// send it requests: with the name of the site, when that name is rebound to 127.0.0.1, or across
// sites, with a form or an image. The zero value knows no
// names but those of the loopback interface.
type Guard struct {
	// names are further names of the server, in lower case; every is set for all names.
	names map[string]bool
	every bool
	cross http.CrossOriginProtection
}

// NewGuard returns a guard for a server with further names: host names without a port, or *
// for any.
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

// plainName is a name as it is compared: in lower case, without the dot of the root, and
// an IPv6 address without brackets.
func plainName(name string) string {
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	return strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
}

func isAddress(name string) bool {
	_, err := netip.ParseAddr(name)
	return err == nil
}

// CheckHost refuses a request for a name that is not the server's: a web site whose name was
// rebound to its address would otherwise read and change everything.
//
// On the loopback interface the names are localhost, the loopback addresses, and those that
// were given. From elsewhere the server is also reached by its address, and by names without
// a dot, such as those of the services of a container network: no web site has one.
func (g *Guard) CheckHost(r *http.Request) error {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !ok || g.every || r.Host == "" {
		// Without a connection, or on a socket that is a file, there is no name to rebind, and
		// browsers always send one.
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

// hostName is the name in a Host header.
func hostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return plainName(host)
}

// errCrossSite is the error for requests that another web site makes.
var errCrossSite = errors.New("a page of another website sent the request")

// CheckSite refuses what a page of another web site makes a browser send. It may lead to a
// page (a link), but neither change anything nor load anything in the background.
func (g *Guard) CheckSite(r *http.Request) error {
	if g.cross.Check(r) != nil {
		return errCrossSite
	}
	if isCrossSite(r) && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		return errCrossSite
	}
	return nil
}

// CheckProgram refuses also links of other web sites, for paths that are made for programs:
// there, reading leaves traces.
func (g *Guard) CheckProgram(r *http.Request) error {
	if isCrossSite(r) {
		return errCrossSite
	}
	return g.CheckSite(r)
}

// isCrossSite reports whether a browser says that a page of another site made the request.
// Programs say nothing, nor do browsers for an address that the user typed in.
func isCrossSite(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "":
		// Browsers leave it out where the connection is neither encrypted nor local.
		origin := r.Header.Get("Origin")
		from, err := url.Parse(origin)
		return origin != "" && (err != nil || from.Host != r.Host)
	}
	return true
}
