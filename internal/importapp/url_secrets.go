package importapp

import (
	"net/url"
	"regexp"
	"strings"
)

// secretKey matches the names of parameters that hold secrets.
var secretKey = regexp.MustCompile(`(?i)token|secret|password|passwd|key|auth|credential`)

// accessToken matches what code hosts hand out as tokens.
var accessToken = regexp.MustCompile(`^(gh[a-z]_|github_pat_|glpat-|phx_)`)

// holdsToken reports whether an address has a part that looks like a token: a user, or a
// parameter of the query or of the fragment. A part that cannot be read may have one.
func holdsToken(address string) bool {
	base, fragment, _ := strings.Cut(address, "#")
	base, query, _ := strings.Cut(base, "?")
	return userOf(base) != "" || hasSecret(query) || hasSecret(fragment)
}

func hasSecret(parameters string) bool {
	values, err := url.ParseQuery(parameters)
	if err != nil {
		return true
	}
	for name := range values {
		if secretKey.MatchString(name) || accessToken.MatchString(name) {
			return true
		}
	}
	return false
}

// userOf is what stands before the host of an address that is fetched over HTTP: a token,
// or a name with one. That of an address for SSH is no secret.
func userOf(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found || !strings.HasPrefix(strings.ToLower(scheme), "http") {
		return ""
	}
	authority, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@')
	return authority[:max(at, 0)]
}

// titleURL is an address for the title of a diagnostic: without the parts that may hold a
// token.
func titleURL(address string) string {
	address, _, _ = strings.Cut(shownURL(address), "#")
	if user := userOf(address); user != "" {
		return strings.Replace(address, user+"@", "", 1)
	}
	return address
}

// secrets are the values of an app that no error may repeat: the query and all parts of url
// that may hold a token, as a whole and one by one.
func (m Model) secrets() []string {
	query := m.query()
	base, fragment, _ := strings.Cut(m.URL.ValueString(), "#")
	base, inURL, _ := strings.Cut(base, "?")
	user := userOf(base)
	_, password, _ := strings.Cut(user, ":")

	secrets := []string{query, fragment, user, password}
	for _, parameters := range []string{query, inURL, fragment} {
		for parameter := range strings.FieldsFuncSeq(parameters, func(r rune) bool { return r == '&' || r == ';' }) {
			name, value, _ := strings.Cut(parameter, "=")
			if parameters != inURL || secretKey.MatchString(name) {
				decoded, _ := url.QueryUnescape(value) // one that cannot be decoded is there as it is
				secrets = append(secrets, value, decoded)
			}
		}
	}
	return secrets
}
