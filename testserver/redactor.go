package testserver

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// redacted replaces what is secret in the journal.
const redacted = "[redacted]"

// keyParameter is the query parameter and body field in which the hosted service also accepts
// an API key.
const keyParameter = "personal_api_key"

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
	keyForm     = regexp.MustCompile(`\bph[xs]_[A-Za-z0-9]{30,}`)
	keyPrefixes = []string{"phx_", "phs_"}
)

// redactor hides API keys, wherever they stand in a request or its response.
type redactor struct{ keys []string }

// redactor returns one for the keys of the server, and those that the request was made with.
func (e *entry) redactor(keys []string) redactor {
	var hide redactor
	add := func(key string) {
		if key = strings.TrimSpace(key); len(key) >= minKey {
			hide.keys = append(hide.keys, key)
		}
	}

	for _, key := range keys {
		add(key)
	}
	for _, field := range e.header {
		if field.name == "Authorization" {
			_, key, _ := strings.Cut(field.value, " ")
			add(key)
		}
	}
	for part := range strings.SplitSeq(e.query, "&") {
		if name, value, _ := strings.Cut(part, "="); unescaped(name) == keyParameter {
			add(unescaped(value))
		}
	}
	return hide
}

// text hides keys in a text. A short one is not looked for in longer words: phx_test is no
// part of phx_test_world.
func (hide redactor) text(s string) string {
	for _, key := range hide.keys {
		if len(key) >= longKey {
			s = strings.ReplaceAll(s, key, redacted)
			continue
		}
		s = withoutWord(s, key)
	}

	// Few texts have the form of a key: to try it at each letter of the others would take most of
	// the time in which a journal is read.
	if !slices.ContainsFunc(keyPrefixes, func(prefix string) bool { return strings.Contains(s, prefix) }) {
		return s
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

// header hides keys in the values of a header.
func (hide redactor) header(header http.Header) http.Header {
	hidden := make(http.Header, len(header))
	for name, values := range header {
		for _, value := range values {
			hidden[name] = append(hidden[name], hide.text(value))
		}
	}
	return hidden
}

// requestHeader is the header of a request, with the values of known headers alone.
func (hide redactor) requestHeader(e *entry) http.Header {
	header := http.Header{}
	for _, field := range e.header {
		value := redacted
		switch {
		case shownHeaders[field.name]:
			value = hide.text(field.value)
		case strings.HasSuffix(field.name, "Authorization"):
			if scheme, _, found := strings.Cut(field.value, " "); found && authSchemes[strings.ToLower(scheme)] {
				value = scheme + " " + redacted
			}
		}
		header[field.name] = append(header[field.name], value)
	}
	return header
}

// query hides keys in a query, or in a form, which has the same syntax.
func (hide redactor) query(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, value, _ := strings.Cut(part, "=")
		switch plain := unescaped(value); {
		case strings.Contains(unescaped(name), keyParameter):
			parts[i] = name + "=" + url.QueryEscape(redacted)
		case hide.text(plain) != plain:
			parts[i] = name + "=" + url.QueryEscape(hide.text(plain))
		case hide.text(unescaped(name)) != unescaped(name):
			parts[i] = url.QueryEscape(hide.text(unescaped(name))) + "=" + value
		}
	}
	return strings.Join(parts, "&")
}

// requestBody hides keys in the body of a request.
func (hide redactor) requestBody(e *entry) []byte {
	if json.Valid(e.body) {
		if mayName(e.body, keyParameter) {
			return hide.body(withoutKeyMember(e.body))
		}
		return hide.body(e.body)
	}

	for _, field := range e.header {
		if media, _, err := parseMediaType(field.value); field.name == "Content-Type" && err == nil && media == formContent {
			return []byte(hide.query(string(e.body)))
		}
	}
	if namesKey(e.body) {
		// A form in parts, or a broken body: where the key ends in it is not certain.
		return []byte(redacted)
	}
	return hide.body(e.body)
}

// withoutKeyMember is JSON with the value of the field for an API key hidden, if it has one.
func withoutKeyMember(text []byte) []byte {
	body := rawjson.MustCompact(text)
	if rawjson.Lookup(body, keyParameter) == nil {
		return text
	}
	return rawjson.PairsOf(body).With(keyParameter, rawjson.Quote(redacted)).JSON()
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
func (hide redactor) mayHold(body []byte) bool {
	may := func(text string) bool { return mayName(body, text) }
	return slices.ContainsFunc(keyPrefixes, may) || slices.ContainsFunc(hide.keys, may)
}

// body hides keys in a body: in the texts of JSON however they are escaped, or else as they
// are.
func (hide redactor) body(body []byte) []byte {
	if !hide.mayHold(body) {
		return body
	}
	if len(hide.keys) == 0 || !json.Valid(body) {
		return []byte(hide.text(string(body)))
	}

	var out []byte
	for rest := body; len(rest) > 0; {
		n := 1
		if rest[0] != '"' {
			out = append(out, rest[0])
		} else {
			n = rawjson.StringExtent(rest)
			out = append(out, hide.quoted(rest[:n])...)
		}
		rest = rest[n:]
	}
	return out
}

// quoted hides keys in a text of JSON.
func (hide redactor) quoted(raw json.RawMessage) json.RawMessage {
	plain := rawjson.Unquote(raw)
	if hidden := hide.text(plain); hidden != plain {
		return rawjson.Quote(hidden)
	}
	return raw
}
