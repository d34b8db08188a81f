package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
)

// redacted replaces what is secret in the journal.
const redacted = "[redacted]"

// KeyParameter is the query parameter and body field in which the hosted service also accepts
// an API key.
const KeyParameter = "personal_api_key"

// shownHeaders are the headers of requests whose values the journal shows. Any other may hold
// a secret, such as those of a proxy.
var shownHeaders = map[string]bool{
	"Accept": true, "Accept-Charset": true, "Accept-Encoding": true, "Accept-Language": true, "Cache-Control": true,
	"Connection": true, "Content-Encoding": true, "Content-Language": true, "Content-Length": true, "Content-Type": true,
	"Date": true, "Dnt": true, "Expect": true, "If-Match": true, "If-Modified-Since": true, "If-None-Match": true,
	"Origin": true, "Pragma": true, "Prefer": true, "Priority": true, "Range": true, "Sec-Fetch-Dest": true,
	"Sec-Fetch-Mode": true, "Sec-Fetch-Site": true, "Sec-Fetch-User": true, "Te": true, "Traceparent": true,
	"Transfer-Encoding": true, "Upgrade-Insecure-Requests": true, "User-Agent": true, "X-Request-Id": true,
}

// authSchemes are the schemes of Authorization that the journal shows, in lower case. Any
// other word may be the secret itself.
var authSchemes = map[string]bool{"basic": true, "bearer": true, "digest": true, "token": true}

// minKey is the length of the shortest API key that is looked for in texts, longKey that of
// the shortest one that is no part of another word by chance.
const (
	minKey  = 6
	longKey = 20
)

// keyForm is the form of keys of the hosted service, whether the server has them or not, and
// keyPrefixes is what all of them begin with.
var (
	keyForm     = regexp.MustCompile(`ph[xs]_[A-Za-z0-9]{30,}`)
	keyPrefixes = []string{"phx_", "phs_"}
)

// Redactor hides API keys, wherever they stand in a request or its response.
type Redactor struct{ keys []string }

// Redactor returns one for the keys of the server, and those that the request was made with.
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
	for part := range strings.SplitSeq(e.Query, "&") {
		if name, value, _ := strings.Cut(part, "="); unescaped(name) == KeyParameter {
			add(unescaped(value))
		}
	}
	return hide
}

// Text hides keys in a text. A short one is not looked for in longer words: phx_test is no
// part of phx_test_world.
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

// withoutWord replaces a word in a text.
func withoutWord(s, word string) string {
	var out strings.Builder
	for {
		i := strings.Index(s, word)
		if i < 0 {
			break
		}

		end := i + len(word)
		if i > 0 && isWordPart(s[i-1]) || end < len(s) && isWordPart(s[end]) {
			out.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}

		out.WriteString(s[:i])
		out.WriteString(redacted)
		s = s[end:]
	}

	if out.Len() == 0 {
		return s
	}
	out.WriteString(s)
	return out.String()
}

func isWordPart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Header hides keys in the values of the header of a response.
func (hide Redactor) Header(header http.Header) http.Header {
	hidden := make(http.Header, len(header))
	for name, values := range header {
		for _, value := range values {
			hidden[name] = append(hidden[name], hide.Text(value))
		}
	}
	return hidden
}

// RequestHeader is the header of a request, with the values of known headers alone.
func (hide Redactor) RequestHeader(header http.Header) http.Header {
	hidden := hide.Header(header)
	for name, values := range hidden {
		for i, value := range values {
			scheme, _, found := strings.Cut(value, " ")
			switch {
			case shownHeaders[name]:
			case found && strings.HasSuffix(name, "Authorization") && authSchemes[strings.ToLower(scheme)]:
				values[i] = scheme + " " + redacted
			default:
				values[i] = redacted
			}
		}
	}
	return hidden
}

// Query hides keys in a query, or in a form, which has the same syntax.
func (hide Redactor) Query(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		switch plain, named := unescaped(value), unescaped(name); {
		case strings.Contains(named, KeyParameter):
			parts[i] = name + "=" + url.QueryEscape(redacted)
		case hide.Text(plain) != plain:
			parts[i] = name + "=" + url.QueryEscape(hide.Text(plain))
		case hide.Text(named) != named:
			parts[i] = url.QueryEscape(hide.Text(named)) + "=" + value
		}
	}
	return strings.Join(parts, "&")
}

// RequestBody hides keys in the body of a request.
func (hide Redactor) RequestBody(e *Entry) []byte {
	if json.Valid(e.Body) {
		return hide.Body(withoutKeyMember(e.Body))
	}
	if media, _, err := mime.ParseMediaType(e.Header.Get("Content-Type")); err == nil && media == "application/x-www-form-urlencoded" {
		return []byte(hide.Query(string(e.Body)))
	}
	if namesKey(e.Body) {
		// A form in parts, or a broken body: where the key ends in it is not certain.
		return []byte(redacted)
	}
	return hide.Body(e.Body)
}

// withoutKeyMember is JSON with the value of the field for an API key hidden, if it has one.
func withoutKeyMember(text []byte) []byte {
	if !mayName(text, KeyParameter) {
		return text
	}
	body := wire.MustCompact(text)
	if wire.Lookup(body, KeyParameter) == nil {
		return text
	}
	return wire.PairsOf(body).With(KeyParameter, wire.Quote(redacted)).JSON()
}

// escapes are the spellings of a byte in forms, JSON and parts of a mail.
var escapes = regexp.MustCompile(`(?i)(?:%|\\u00|=)[0-9a-f]{2}`)

// unescapedByte is the byte that an escape stands for.
func unescapedByte(escape []byte) []byte {
	code, err := hex.DecodeString(string(escape[len(escape)-2:]))
	if err != nil {
		return escape
	}
	return code
}

// unescaped decodes a part of a query; malformed escapes stay as they are.
func unescaped(part string) string {
	if plain, err := url.QueryUnescape(part); err == nil {
		return plain
	}
	return queryEscape.ReplaceAllStringFunc(strings.ReplaceAll(part, "+", " "), func(escape string) string {
		return string(unescapedByte([]byte(escape)))
	})
}

// queryEscape is the spelling of a byte in a query.
var queryEscape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

// namesKey reports whether a text mentions the parameter for an API key, in any spelling.
func namesKey(text []byte) bool {
	letters := bytes.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, bytes.ToLower(escapes.ReplaceAllFunc(text, unescapedByte)))
	return bytes.Contains(letters, []byte("personalapikey"))
}

// mayName reports whether a body can have a text in it: as it is written, or in escapes of JSON.
// Most bodies have neither, and to see that takes a small part of the time of reading them.
func mayName(body []byte, text string) bool {
	return bytes.IndexByte(body, '\\') >= 0 || bytes.Contains(body, []byte(text))
}

// mayHold reports whether a body can have a key in it.
func (hide Redactor) mayHold(body []byte) bool {
	may := func(text string) bool { return mayName(body, text) }
	return slices.ContainsFunc(keyPrefixes, may) || slices.ContainsFunc(hide.keys, may)
}

// Body hides keys in a body: in the texts of JSON however they are escaped, or else as they
// are.
func (hide Redactor) Body(body []byte) []byte {
	if !hide.mayHold(body) {
		return body
	}
	if len(hide.keys) == 0 || !json.Valid(body) {
		return []byte(hide.Text(string(body)))
	}

	return jsonString.ReplaceAllFunc(body, hide.quoted)
}

// jsonString is a text of JSON, which has nothing else between quotes.
var jsonString = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// quoted hides keys in a text of JSON.
func (hide Redactor) quoted(raw []byte) []byte {
	plain := wire.Unquote(raw)
	if hidden := hide.Text(plain); hidden != plain {
		return wire.Quote(hidden)
	}
	return raw
}
