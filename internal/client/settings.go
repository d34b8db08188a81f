package client

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-cleanhttp"
)

// parseBaseURL returns an absolute URL with one trailing slash, to which paths are appended. Its
// errors do not contain the value, which is the key if the two settings were swapped.
func parseBaseURL(value string) (*url.URL, error) {
	u, err := url.Parse(value)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("base_url is not a whole URL: it must start with https:// (or http://) and a host, for example https://us.posthog.com")
	case u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("base_url contains a user name, or a part after ? or #: use only the URL, for example https://us.posthog.com")
	}

	u.Path = strings.TrimRight(u.Path, "/") + "/"
	if u.RawPath != "" {
		u.RawPath = strings.TrimRight(u.RawPath, "/") + "/"
	}

	// Resolve dots in the prefix, as the generated client does.
	return u.Parse("./")
}

// IsPlainHTTP reports whether requests to a URL cross a network without encryption. The loopback
// interface is not a network in this sense.
func IsPlainHTTP(address string) bool {
	parsed, err := url.Parse(address)
	if err != nil || !strings.EqualFold(parsed.Scheme, "http") || parsed.Hostname() == "localhost" {
		return false
	}
	ip := net.ParseIP(parsed.Hostname())
	return ip == nil || !ip.IsLoopback()
}

// Variable returns a setting's environment variable, such as POSTHOG_CA_CERT for ca_cert.
func Variable(setting string) string { return "POSTHOG_" + strings.ToUpper(setting) }

// SettingError is an invalid setting. It never contains a value that may be a secret, or a key that
// was set by mistake.
type SettingError struct {
	// Setting is its name in the provider block.
	Setting string
	// Reason explains the problem as the rest of a sentence.
	Reason string
}

// Error implements error.
func (e *SettingError) Error() string {
	return e.Setting + " (" + Variable(e.Setting) + ") " + e.Reason
}

// Allowed are the projects and organizations that requests may access. They protect against a run
// with the settings of another environment. An empty list allows all.
type Allowed struct {
	ProjectIDs, OrganizationIDs []string
}

// The settings for [Allowed].
const (
	allowedProjectsSetting      = "allowed_project_ids"
	allowedOrganizationsSetting = "allowed_organization_ids"
)

// ParseIDs splits a comma-separated list of IDs, as in environment variables.
func ParseIDs(text string) []string {
	var ids []string
	for id := range strings.SplitSeq(text, ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// current is the ID by which PostHog selects the key user's current project or organization.
const current = "@current"

// NotAllowedError is a request that was not sent because its project or organization is not
// allowed.
type NotAllowedError struct {
	// Parent is project or organization, and ID its ID.
	Parent, ID string
	// Setting is the setting that excludes the parent, and Allowed the setting's value.
	Setting string
	Allowed []string

	// operation is the request. It is empty if no request was about to be sent.
	operation string
}

// Error implements error.
func (e *NotAllowedError) Error() string {
	message := fmt.Sprintf("%s %s is not in %s (%s), which contains %s", e.Parent, e.ID, e.Setting, Variable(e.Setting), strings.Join(e.Allowed, ", "))
	if e.ID == current {
		message = fmt.Sprintf("%s stands for the current %s of the API key's user, but %s (%s) allows only %s",
			current, e.Parent, e.Setting, Variable(e.Setting), strings.Join(e.Allowed, ", "))
	}
	if e.operation == "" {
		return message
	}
	return e.operation + ": not sent, because " + message
}

// Project returns an error if requests about the project are not allowed.
func (a Allowed) Project(id string) *NotAllowedError {
	return checkAllowlist("project", id, allowedProjectsSetting, a.ProjectIDs)
}

// Organization returns an error if requests about the organization are not allowed.
func (a Allowed) Organization(id string) *NotAllowedError {
	return checkAllowlist("organization", id, allowedOrganizationsSetting, a.OrganizationIDs)
}

func checkAllowlist(parent, id, setting string, ids []string) *NotAllowedError {
	isID := func(allowed string) bool { return strings.EqualFold(allowed, id) } // UUIDs may be in upper case
	if len(ids) == 0 || id != current && slices.ContainsFunc(ids, isID) {
		return nil
	}
	return &NotAllowedError{Parent: parent, ID: id, Setting: setting, Allowed: ids}
}

// check returns an error if a request is about a project or organization that is not allowed,
// according to the segments of its path. Every request passes through check, including imports and
// aliases.
func (a Allowed) check(operation string, r route, segments []string) error {
	for i, name := range r.segments {
		id, _ := url.PathUnescape(segments[i]) // the route has matched, and matching unescapes it as well

		var refused *NotAllowedError
		switch name {
		case "{project_id}":
			refused = a.Project(id)
		case "{organization_id}":
			refused = a.Organization(id)
		}
		if refused != nil {
			refused.operation = operation
			return refused
		}
	}
	return nil
}

// HeadersVariable is the environment variable for extra headers.
const HeadersVariable = "POSTHOG_HEADERS"

// shortestSecret is the minimum length of header values that are removed from texts. Shorter values
// are not secrets, and removing parts of words would make texts illegible.
const shortestSecret = 6

// reservedHeaders are set by the client or by the connection. All names that start with Proxy- are
// reserved too.
var reservedHeaders = []string{
	"Authorization", "Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect",
	"Host", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent",
}

// ParseHeaders parses the value of [HeadersVariable]: a JSON object that maps header names to
// values, for example {"CF-Access-Client-Id": "...", "CF-Access-Client-Secret": "..."}. An empty
// text means no headers. Its errors never contain a value.
func ParseHeaders(text string) (map[string]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil //nolint:nilnil // no headers are no error
	}

	var headers map[string]string
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := d.Decode(&headers); err != nil || d.More() {
		return nil, fmt.Errorf(`%s must be a JSON object that maps header names to texts, such as {"X-Access-Token": "..."}`, HeadersVariable)
	}
	return headers, CheckHeaders(headers)
}

// CheckHeaders rejects headers that cannot be sent with every request, or that the client sets
// itself. Its errors contain the header's name but never the value.
func CheckHeaders(headers map[string]string) error {
	spellings := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		canonical := http.CanonicalHeaderKey(name)
		switch end := strings.IndexFunc(name, func(r rune) bool { return !isTokenChar(r) }); {
		case name == "":
			return errors.New("a header has an empty name")
		case end >= 0:
			// The rest may be a value that was pasted with its name.
			return fmt.Errorf("the header name that starts with %q contains an invalid character: "+
				"use letters, digits, and hyphens, without the colon and the value", name[:end])
		case slices.Contains(reservedHeaders, canonical) || strings.HasPrefix(canonical, "Proxy-"):
			return fmt.Errorf("the header %s cannot be set, because it belongs to the connection or the provider sets it", canonical)
		case spellings[canonical] != "":
			return fmt.Errorf("the header %s is set twice, as %s and as %s: header names ignore case", canonical, spellings[canonical], name)
		}
		spellings[canonical] = name

		value := headers[name]
		if strings.TrimSpace(value) != value || value == "" || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
			return fmt.Errorf("the value of the header %s is empty, starts or ends with a space, or contains a line break or another invalid character. "+
				"If you read it from a file, remove the trailing line break", canonical)
		}
	}
	return nil
}

// isTokenChar reports whether a header name may contain a character.
func isTokenChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// FormatDuration formats a duration briefly: 30m instead of Go's 30m0s.
func FormatDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if short, ok := strings.CutSuffix(text, zero); ok {
			text = short + zero[:1]
		}
	}
	return text
}

// roundDuration formats a duration with reasonable precision.
func roundDuration(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 3*day:
		return fmt.Sprintf("%d days", d/day)
	case d >= time.Second:
		return FormatDuration(d.Round(time.Second))
	}
	return d.Round(time.Millisecond).String()
}

// TLS configures what a private server requires in addition to the system's defaults. The zero value
// suits a public server.
type TLS struct {
	// CACert contains the PEM certificates of authorities to trust in addition to the system's.
	CACert string
	// ClientCert and ClientKey are the client's certificate and private key in PEM form.
	ClientCert, ClientKey string
	// InsecureSkipVerify accepts any server certificate, so that anyone on the network path can
	// read the key.
	InsecureSkipVerify bool
}

// config returns the TLS settings, or nil if the defaults suffice.
func (t TLS) config() (*tls.Config, error) {
	if t == (TLS{}) {
		return nil, nil //nolint:nilnil // net/http takes nil for its defaults
	}

	config := &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: t.InsecureSkipVerify, //nolint:gosec // the user asks for it
	}
	if t.CACert != "" {
		pool, err := t.authorities()
		if err != nil {
			return nil, err
		}
		config.RootCAs = pool
	}

	if t.ClientCert != "" || t.ClientKey != "" {
		pair, err := t.clientCertificate()
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// authorities returns the system's certificate authorities and those in CACert.
func (t TLS) authorities() (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // the system has no authorities
	}
	if !pool.AppendCertsFromPEM([]byte(t.CACert)) {
		return nil, &SettingError{"ca_cert", "does not contain a PEM certificate, which starts with -----BEGIN CERTIFICATE-----"}
	}
	return pool, nil
}

// clientCertificate returns the pair of ClientCert and ClientKey.
func (t TLS) clientCertificate() (tls.Certificate, error) {
	switch {
	case t.ClientKey == "":
		return tls.Certificate{}, &SettingError{"client_key", "is not set, but client_cert is: set both"}
	case t.ClientCert == "":
		return tls.Certificate{}, &SettingError{"client_cert", "is not set, but client_key is: set both"}
	}

	pair, err := tls.X509KeyPair([]byte(t.ClientCert), []byte(t.ClientKey))
	if err != nil {
		return tls.Certificate{}, &SettingError{"client_cert", fmt.Sprintf("and client_key must be a PEM certificate and its private key: %v", err)}
	}
	return pair, nil
}

// pooledTransport returns a client's transport if [Options] contains none.
func pooledTransport(config *tls.Config) *http.Transport {
	pooled := cleanhttp.DefaultPooledTransport()
	pooled.MaxIdleConnsPerHost = idleConnections
	pooled.DialContext = (&net.Dialer{Timeout: connectTimeout}).DialContext
	pooled.TLSClientConfig = config
	return pooled
}

// isCertificateRefused reports whether the server rejected the connection with a TLS alert, for
// example because of the client's certificate. It does so before it reads a request, although in
// TLS 1.3 the client may have sent one.
func isCertificateRefused(err error) bool {
	remote, ok := errors.AsType[*net.OpError](err)
	return ok && remote.Op == "remote error"
}

// pemBegin starts each block of PEM text. Comments may precede it.
const pemBegin = "-----BEGIN "

// PEMText returns the value if it is PEM text. Otherwise, it returns the content of the file with
// this path, relative to dir. Its errors never contain the value, which may be a damaged private
// key.
func PEMText(value, dir string) (string, error) {
	if value == "" || strings.Contains(value, pemBegin) {
		return value, nil
	}
	if strings.ContainsAny(value, "\r\n") {
		return "", fmt.Errorf("is neither PEM text, which contains a line that starts with %s, nor the path of a file", strings.TrimSpace(pemBegin))
	}

	text, err := os.ReadFile(PEMPath(value, dir))
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = failed.Err // without the path
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("is the path of a file that cannot be read: %w", err)
	case !strings.Contains(string(text), pemBegin):
		return "", fmt.Errorf("is the path of a file without PEM text, which contains a line that starts with %s", strings.TrimSpace(pemBegin))
	}
	return string(text), nil
}

// PEMPath returns the value with its path relative to dir, or PEM text unchanged.
func PEMPath(value, dir string) string {
	if value == "" || strings.Contains(value, pemBegin) || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(dir, value)
}
