package delivery

import (
	"encoding/json"
	"net/url"
	"regexp"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// tokenForm is the form of the token of a project.
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,200}$`)

// IsToken reports whether a text has the form of the token of a project.
func IsToken(s string) bool { return tokenForm.MatchString(s) }

// tokenNames are the names by which SDKs send the token.
var tokenNames = []string{"token", "api_key"}

// TokenInQuery is the token in a query or a form; empty when there is none.
func TokenInQuery(values url.Values) string {
	for _, name := range tokenNames {
		if token := values.Get(name); token != "" {
			return token
		}
	}
	return ""
}

// TokenInBody is the token of a body: its own, or that of the first event; empty when there is
// none.
func TokenInBody(body json.RawMessage) string {
	if rawjson.IsArray(body) {
		for _, first := range rawjson.Items(body) {
			return tokenOfObject(first)
		}
	}
	if token := tokenOfObject(body); token != "" {
		return token
	}
	if batch := rawjson.Lookup(body, "batch"); rawjson.IsArray(batch) {
		for _, first := range rawjson.Items(batch) {
			return tokenOfObject(first)
		}
	}
	return ""
}

// tokenOfObject is the token of an event or of a batch of them.
func tokenOfObject(object json.RawMessage) string {
	for _, holder := range []json.RawMessage{object, rawjson.Lookup(object, "properties")} {
		for _, name := range tokenNames {
			if token := rawjson.Lookup(holder, name); rawjson.IsString(token) && string(token) != `""` {
				return rawjson.Unquote(token)
			}
		}
	}
	return ""
}

// shareToken reports whether the events of a body that has no token of its own have the same.
func shareToken(body json.RawMessage, events []json.RawMessage) bool {
	if rawjson.IsObject(body) && tokenOfObject(body) != "" {
		return true
	}
	for _, event := range events {
		if tokenOfObject(event) != tokenOfObject(events[0]) {
			return false
		}
	}
	return true
}
