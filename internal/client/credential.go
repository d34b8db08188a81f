package client

import (
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/url"
	"strings"
)

// redacted stands where the key was.
const redacted = "[API key]"

// credential is the API key and the only code that reads it. It is held by pointer
// everywhere, so that formatting a [Client] prints an address.
type credential struct {
	key    string
	hiding *strings.Replacer
}

func newCredential(key string) *credential {
	quoted, err := json.Marshal(key)
	if err != nil { // a string of visible ASCII always encodes
		quoted = []byte(`""`)
	}
	var pairs []string
	for _, form := range []string{
		key, url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key), string(quoted[1 : len(quoted)-1]),
	} {
		if form != "" {
			pairs = append(pairs, form, redacted)
		}
	}
	return &credential{key: key, hiding: strings.NewReplacer(pairs...)}
}

// sign makes the request the key holder's.
func (k *credential) sign(h http.Header) { h.Set("Authorization", "Bearer "+k.key) }

// hide takes the key out of a text, in each form that a service may echo it.
func (k *credential) hide(text string) string { return k.hiding.Replace(text) }

// cause returns err for an error to wrap: as it is, or when its text holds the key
// as that text without it.
func (k *credential) cause(err error) error {
	if text := err.Error(); k.hide(text) != text {
		return errors.New(k.hide(text))
	}
	return err
}
