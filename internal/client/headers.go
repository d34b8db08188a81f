package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// HeadersVariable is the environment variable that holds extra headers.
const HeadersVariable = "POSTHOG_HEADERS"

// shortestSecret is the least length of a header value that is taken out of texts: a
// shorter one is no secret, and as a part of words it would make texts illegible.
const shortestSecret = 6

// reservedHeaders are set by the client or by the connection. Names that begin with
// Proxy- are too.
var reservedHeaders = []string{
	"Authorization", "Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Expect",
	"Host", "Keep-Alive", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent",
}

// ParseHeaders reads the value of [HeadersVariable]: a JSON object of header values by
// name, for example {"CF-Access-Client-Id": "...", "CF-Access-Client-Secret": "..."}.
// An empty text is no headers. Its errors never repeat a value.
func ParseHeaders(text string) (map[string]string, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil //nolint:nilnil // no headers are no error
	}

	var headers map[string]string
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	if err := d.Decode(&headers); err != nil || d.More() {
		return nil, fmt.Errorf(`%s must be a JSON object of texts by header name, such as {"X-Access-Token": "..."}`, HeadersVariable)
	}
	return headers, CheckHeaders(headers)
}

// CheckHeaders refuses headers that cannot be sent with every request, or that the
// client sets itself. Its errors name the header and never repeat its value.
func CheckHeaders(headers map[string]string) error {
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		canonical := http.CanonicalHeaderKey(name)
		switch end := strings.IndexFunc(name, func(r rune) bool { return !isTokenChar(r) }); {
		case name == "":
			return errors.New("a header has an empty name")
		case end >= 0:
			// The rest may be a value that was pasted with its name.
			return fmt.Errorf("the header name that begins with %q has a character that no header name has: "+
				"a name is letters, digits and hyphens, without the colon and the value", name[:end])
		case slices.Contains(reservedHeaders, canonical) || strings.HasPrefix(canonical, "Proxy-"):
			return fmt.Errorf("the header %s cannot be set: it belongs to the connection or is sent by the provider itself", canonical)
		case seen[canonical] != "":
			return fmt.Errorf("the header %s is given twice, as %s and as %s: names differ by more than case", canonical, seen[canonical], name)
		}
		seen[canonical] = name

		value := headers[name]
		if strings.TrimSpace(value) != value || value == "" || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r > '~' }) {
			return fmt.Errorf("the value of the header %s is empty, has blanks around it, or has a line break or another character "+
				"that no header value has: was it read from a file that ends in a line break?", canonical)
		}
	}
	return nil
}

// isTokenChar reports whether a character may be in the name of a header.
func isTokenChar(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
