package review

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

var (
	hostName    = regexp.MustCompile(`(?i)[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+`)
	localHost   = regexp.MustCompile(`(?i)(?:://|\b)localhost:[0-9]+|://localhost\b`)
	ipv6Address = regexp.MustCompile(`(?i)\[[0-9a-f:.]+\]`)
)

// internalSuffixes are the last labels of hosts that only an internal network has.
var internalSuffixes = []string{"internal", "local", "corp", "lan"}

// internalHostIn finds a host or an address in a text that respondents cannot reach; empty
// when there is none.
func internalHostIn(text string) string {
	if host := localHost.FindString(text); host != "" {
		return strings.TrimPrefix(host, "://")
	}
	for _, host := range hostName.FindAllString(text, -1) {
		labels := strings.Split(strings.ToLower(host), ".")
		if slices.Contains(internalSuffixes, labels[len(labels)-1]) || isPrivate(host) {
			return host
		}
	}
	for _, host := range ipv6Address.FindAllString(text, -1) {
		if isPrivate(strings.Trim(host, "[]")) {
			return host
		}
	}
	return ""
}

// isPrivate reports whether an address belongs to no public network.
func isPrivate(address string) bool {
	ip, err := netip.ParseAddr(address)
	return err == nil && (ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast())
}
