package htmlclean

import (
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// allowedSchemes are the schemes of addresses that stay.
var allowedSchemes = strings.Fields("bitcoin ftp ftps geo http https im irc ircs magnet mailto mms mx news nntp " +
	"openpgp4fpr sip sms smsto ssh tel url webcal wtai xmpp")

// hostedSchemes have a host behind them, whatever the number of slashes.
var hostedSchemes = []string{"ftp", "http", "https"}

var schemeForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// forbiddenInHost are the characters that no host may hold, with those below the blank.
const forbiddenInHost = " \"#%/:<>?@[\\]^`{|}\x7f"

// allowsAddress reports whether an address stays: a relative one, or an absolute one
// with a known scheme that a browser can read.
func allowsAddress(address string) bool {
	// A browser does not see blanks and control characters around and line breaks inside.
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	prefix := schemeForm.FindString(address)
	if prefix == "" {
		return true
	}
	scheme, rest := strings.ToLower(strings.TrimSuffix(prefix, ":")), address[len(prefix):]
	if !slices.Contains(allowedSchemes, scheme) {
		return false
	}
	if slices.Contains(hostedSchemes, scheme) {
		rest = strings.TrimLeft(rest, `/\`)
		return validAuthority(rest[:endOf(rest, `/\?#`)], false)
	}
	if rest, ok := strings.CutPrefix(rest, "//"); ok {
		return validAuthority(rest[:endOf(rest, "/?#")], true)
	}
	return true
}

// endOf is the place of the first of some characters, the length when there is none.
func endOf(s, characters string) int {
	if i := strings.IndexAny(s, characters); i >= 0 {
		return i
	}
	return len(s)
}

// validAuthority reports whether a host, with a port and a user perhaps, can be read.
// Where the scheme has no notion of hosts, it may be empty or escaped.
func validAuthority(authority string, opaque bool) bool {
	host := authority[strings.LastIndex(authority, "@")+1:]
	if address, port, ok := strings.Cut(strings.TrimPrefix(host, "["), "]"); ok && host[0] == '[' {
		parsed, err := netip.ParseAddr(address)
		return err == nil && parsed.Is6() && parsed.Zone() == "" && (port == "" || port[0] == ':' && validPort(port[1:]))
	}
	host, port, _ := strings.Cut(host, ":")
	if !validPort(port) {
		return false
	}
	if opaque {
		return !strings.ContainsAny(host, strings.ReplaceAll(forbiddenInHost, "%", "")) && !hasControl(host)
	}
	decoded, err := url.PathUnescape(host)
	return err == nil && decoded != "" && !strings.ContainsAny(decoded, forbiddenInHost) && !hasControl(decoded)
}

func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' })
}

// validPort reports whether a port can be read; none at all can.
func validPort(port string) bool {
	if port == "" {
		return true
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n <= 65535
}
