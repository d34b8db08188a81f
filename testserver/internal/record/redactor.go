package record

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// redacted replaces secrets in the journal.
const redacted = "[redacted]"

// KeyParameter is a query parameter and body field in which PostHog also accepts an API key.
const KeyParameter = "personal_api_key"

// shownHeaders are the request headers whose values the journal shows. Any other header, such as a
// proxy's header, may contain a secret.
var shownHeaders = map[string]bool{
	"Accept": true, "Accept-Charset": true, "Accept-Encoding": true, "Accept-Language": true, "Cache-Control": true,
	"Connection": true, "Content-Encoding": true, "Content-Language": true, "Content-Length": true, "Content-Type": true,
	"Date": true, "Dnt": true, "Expect": true, "If-Match": true, "If-Modified-Since": true, "If-None-Match": true,
	"Origin": true, "Posthog-Attempt": true, "Posthog-Request-Id": true, "Posthog-Request-Timestamp": true, "Posthog-Sdk-Info": true,
	"Pragma": true, "Prefer": true, "Priority": true, "Range": true, "Sec-Fetch-Dest": true,
	"Sec-Fetch-Mode": true, "Sec-Fetch-Site": true, "Sec-Fetch-User": true, "Te": true, "Traceparent": true,
	"Transfer-Encoding": true, "Upgrade-Insecure-Requests": true, "User-Agent": true, "X-Request-Id": true,
}

// authSchemes are the Authorization schemes that the journal shows, in lower case. Any other word may be
// the secret itself.
var authSchemes = map[string]bool{"basic": true, "bearer": true, "digest": true, "token": true}

// minKey is the minimum length of an API key that Redactor searches for. longKey is the length from
// which a key is unlikely to occur within another word by chance.
const (
	minKey  = 6
	longKey = 20
)

// keyForm matches PostHog's API keys, even keys that the server does not contain.
var keyForm = regexp.MustCompile(`ph[xs]_[A-Za-z0-9]{30,}`)

// Redactor hides API keys in a request and its response.
type Redactor struct{ keys []string }

// Redactor returns a redactor for the server's keys and for keys that the request contains.
func (e *Entry) Redactor(keys []string) Redactor {
	var hide Redactor
	add := func(key string) {
		if key = strings.TrimSpace(key); len(key) >= minKey {
			hide.keys = append(hide.keys, key)
		}
	}

	for _, key := range keys {
		add(key)
	}
	for _, value := range e.Header["Authorization"] {
		_, key, _ := strings.Cut(value, " ")
		add(key)
	}
	// Ignore the error, because Query hides malformed parts of a query.
	query, _ := url.ParseQuery(e.Query)
	for _, key := range query[KeyParameter] {
		add(key)
	}
	return hide
}

// Text hides keys in a text. It does not search for short keys within longer words: phx_test_world does
// not contain phx_test.
func (hide Redactor) Text(s string) string {
	for _, key := range hide.keys {
		if len(key) >= longKey {
			s = strings.ReplaceAll(s, key, redacted)
			continue
		}
		s = withoutWord(s, key)
	}
	return keyForm.ReplaceAllLiteralString(s, redacted)
}

// withoutWord replaces each occurrence of a word in s, except within longer words.
func withoutWord(s, word string) string {
	parts := strings.Split(s, word)
	var result strings.Builder
	for i, next := range parts {
		if i > 0 {
			previous := parts[i-1]
			isPart := previous != "" && isWordPart(previous[len(previous)-1]) || next != "" && isWordPart(next[0])
			if isPart {
				result.WriteString(word)
			} else {
				result.WriteString(redacted)
			}
		}
		result.WriteString(next)
	}
	return result.String()
}

func isWordPart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Header hides keys in the header values of a response.
func (hide Redactor) Header(header http.Header) http.Header {
	hidden := make(http.Header, len(header))
	for name, values := range header {
		for _, value := range values {
			hidden[name] = append(hidden[name], hide.Text(value))
		}
	}
	return hidden
}

// RequestHeader returns the header of a request. It shows only the values of known headers.
func (hide Redactor) RequestHeader(header http.Header) http.Header {
	hidden := hide.Header(header)
	for name, values := range hidden {
		for i, value := range values {
			scheme, _, hasScheme := strings.Cut(value, " ")
			switch {
			case shownHeaders[name]:
			case hasScheme && strings.HasSuffix(name, "Authorization") && authSchemes[strings.ToLower(scheme)]:
				values[i] = scheme + " " + redacted
			default:
				values[i] = redacted
			}
		}
	}
	return hidden
}

// Query hides keys in a query or a form, and parts that it cannot parse.
func (hide Redactor) Query(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		plain, err := url.QueryUnescape(part)
		name, value, _ := strings.Cut(plain, "=")
		switch {
		case err != nil:
			parts[i] = url.QueryEscape(redacted)
		case strings.Contains(name, KeyParameter):
			parts[i] = url.QueryEscape(hide.Text(name)) + "=" + url.QueryEscape(redacted)
		case hide.Text(plain) != plain:
			parts[i] = url.QueryEscape(hide.Text(name)) + "=" + url.QueryEscape(hide.Text(value))
		}
	}
	return strings.Join(parts, "&")
}

// RequestBody hides keys in the body of a request.
func (hide Redactor) RequestBody(e *Entry) []byte {
	if json.Valid(e.Body) {
		return hide.Body(withoutKeyMember(e.Body))
	}
	media := e.Header.Get("Content-Type")
	switch {
	case strings.HasPrefix(media, "application/x-www-form-urlencoded"):
		return []byte(hide.Query(string(e.Body)))
	case strings.HasPrefix(media, "multipart/"), bytes.Contains(e.Body, []byte(KeyParameter)):
		// The end of the key cannot be determined.
		return []byte(redacted)
	}
	return hide.Body(e.Body)
}

// withoutKeyMember replaces the value of the field KeyParameter if the JSON text contains this field.
func withoutKeyMember(text []byte) []byte {
	body, err := wire.Decode(text)
	if err != nil || body.Get(KeyParameter).IsAbsent() {
		return text
	}
	return body.With(KeyParameter, wire.NewText(redacted)).JSON()
}

// Body hides keys in a body. In JSON, it decodes strings to find escaped keys.
func (hide Redactor) Body(body []byte) []byte {
	if !json.Valid(body) {
		return []byte(hide.Text(string(body)))
	}
	return jsonString.ReplaceAllFunc(body, hide.hideInJSON)
}

// jsonString matches a JSON string.
var jsonString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// hideInJSON hides keys in a JSON string.
func (hide Redactor) hideInJSON(spelling []byte) []byte {
	var plain string
	if err := json.Unmarshal(spelling, &plain); err != nil {
		return spelling
	}
	if hidden := hide.Text(plain); hidden != plain {
		return wire.NewText(hidden).JSON()
	}
	return spelling
}
