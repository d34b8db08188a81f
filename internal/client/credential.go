package client

import (
	"encoding/json"
	"errors"
	"html"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// redacted replaces the key.
const redacted = "[API key]"

// redactedHeader replaces the value of an extra header.
const redactedHeader = "[header value]"

// credential is what can be done with the API key and the extra headers. Their values
// are in no field but in what these functions remember: package fmt prints fields, of
// unexported types too.
type credential struct {
	// sign adds the key and the extra headers to those of a request.
	sign func(http.Header)
	// hide takes the key and the header values out of a text, in each form in which a
	// service may echo them.
	hide func(string) string
}

func newCredential(key string, headers map[string]string) *credential {
	headers = maps.Clone(headers)

	secrets := map[string]string{}
	for _, value := range headers {
		// A service may echo the token alone of "Bearer TOKEN" or "name=TOKEN; ...".
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

// checkKey refuses a key that cannot be in a header. Its errors never repeat the key.
func checkKey(key string) error {
	if key == "" {
		return errors.New("the API key is empty: set api_key or POSTHOG_API_KEY to a personal API key")
	}
	if strings.HasPrefix(key, "phc_") {
		return errors.New("the API key begins with phc_: that is the key of a project, with which an app sends its events. " +
			"Set api_key or POSTHOG_API_KEY to a personal API key, which begins with phx_")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("the API key has a blank, a line break or another character that no key has: " +
			"was it copied with its surroundings, or read from a file that ends in a line break?")
	}
	return nil
}

// spellings are the forms in which a service may echo a secret.
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

// cause returns err for an error to wrap: as it is, or when its text holds the key
// as that text without it.
func (k *credential) cause(err error) error {
	if text := err.Error(); k.hide(text) != text {
		return errors.New(k.hide(text))
	}
	return err
}
