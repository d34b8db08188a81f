package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// redacted replaces the key.
const redacted = "[API key]"

// redactedHeader replaces the value of an extra header.
const redactedHeader = "[header value]"

// credential provides operations on the API key and the extra headers. The values exist only in
// closures, because package fmt prints fields, including unexported ones.
type credential struct {
	// sign adds the key and the extra headers to a request's headers.
	sign func(http.Header)
	// hide removes the key and the header values from a text, in every form in which a server may
	// echo them.
	hide func(string) string
}

func newCredential(key string, headers map[string]string) *credential {
	headers = maps.Clone(headers)

	secrets := map[string]string{}
	for _, value := range headers {
		// A server may echo only the token of "Bearer TOKEN" or "name=TOKEN; ...".
		parts := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" ;=,", r) })
		for _, secret := range append(parts, value) {
			if len(secret) >= shortestSecret && !strings.EqualFold(secret, "bearer") {
				secrets[secret] = redactedHeader
			}
		}
	}
	secrets[key] = redacted

	hide := redactor(secrets)
	logged.add(hide)
	return &credential{
		sign: func(h http.Header) {
			for name, value := range headers {
				h.Set(name, value)
			}
			h.Set("Authorization", "Bearer "+key)
		},
		hide: hide,
	}
}

// checkKey rejects a key that cannot be sent in a header. Its errors never contain the key.
func checkKey(key string) error {
	if key == "" {
		return errors.New("the API key is empty. Set api_key or POSTHOG_API_KEY to a personal API key")
	}
	if strings.HasPrefix(key, "phc_") {
		return errors.New("the API key starts with phc_, so it is a project API key, which apps use to send events. " +
			"Set api_key or POSTHOG_API_KEY to a personal API key, which starts with phx_")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the API key contains a space, a line break, or another invalid character. " +
			"If you read it from a file, remove the trailing line break")
	}
	return nil
}

// spellings returns the forms in which a server may echo a secret.
func spellings(secret string) []string {
	quoted, err := json.Marshal(secret)
	if err != nil { // a string always encodes
		quoted = []byte(`""`)
	}

	forms := []string{
		secret, url.QueryEscape(secret), url.PathEscape(secret), html.EscapeString(secret),
		string(quoted[1 : len(quoted)-1]), strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(secret),
	}
	return slices.DeleteFunc(forms, func(form string) bool { return form == "" })
}

// cause returns an error to wrap: err itself, or err's text without the key if the text contains it.
func (k *credential) cause(err error) error {
	if text := err.Error(); k.hide(text) != text {
		return errors.New(k.hide(text))
	}
	return err
}

// redactedValue replaces a request's sensitive value.
const redactedValue = "[sensitive value]"

// shortestValue is the minimum length of values that are removed from texts. Shorter values occur in
// any text.
const shortestValue = 4

// Hiding returns the same objects for requests that contain sensitive values. Errors and logs about
// the responses omit these values, in every spelling that PostHog may use.
func (p *PipelineImportApps) Hiding(values ...string) *PipelineImportApps {
	secrets := map[string]string{}
	for _, value := range values {
		if len(value) >= shortestValue {
			secrets[value] = redactedValue
		}
	}
	if len(secrets) == 0 {
		return p
	}
	hiding := *p
	hiding.hide = redactor(secrets)
	return &hiding
}

// redactor returns a function that replaces each secret with its placeholder, in every spelling.
func redactor(secrets map[string]string) func(string) string {
	// If one secret starts with another, replace the longer one first.
	longestFirst := slices.SortedFunc(maps.Keys(secrets), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var forms []string
	for _, secret := range longestFirst {
		for _, form := range spellings(secret) {
			forms = append(forms, form, secrets[secret])
		}
	}
	return strings.NewReplacer(forms...).Replace
}

// logged removes all of the process's API keys and header values from its log.
var logged redactions

// redactions holds the redactors of the newest clients.
type redactions struct {
	mu   sync.RWMutex
	hide []func(string) string
}

// mostRedactions is more than the number of clients in one process.
const mostRedactions = 256

func (r *redactions) add(hide func(string) string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hide = append(r.hide, hide)
	if extra := len(r.hide) - mostRedactions; extra > 0 {
		r.hide = slices.Delete(r.hide, 0, extra)
	}
}

func (r *redactions) apply(text string) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, hide := range r.hide {
		text = hide(text)
	}
	return text
}

// LogWriter returns a writer for the standard logger that removes all of the process's API keys and
// header values. net/http logs data that a server sends after the end of a response, which may be
// the request itself.
func LogWriter(w io.Writer) io.Writer { return logWriter{w} }

type logWriter struct{ to io.Writer }

// Write implements io.Writer. The logger writes each message in one call.
func (w logWriter) Write(message []byte) (int, error) {
	if _, err := io.WriteString(w.to, logged.apply(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}
