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

// credential is what can be done with the API key. The key itself is in no field
// but in what these functions remember: package fmt prints fields, of unexported
// types too.
type credential struct {
	// sign makes a request the key holder's.
	sign func(http.Header)
	// hide takes the key out of a text, in each form in which a service may echo it.
	hide func(string) string
}

func newCredential(key string) *credential {
	quoted, err := json.Marshal(key)
	if err != nil { // a string always encodes
		quoted = []byte(`""`)
	}
	var forms []string
	for _, form := range []string{
		key, url.QueryEscape(key), url.PathEscape(key), html.EscapeString(key),
		string(quoted[1 : len(quoted)-1]), strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key),
	} {
		if form != "" {
			forms = append(forms, form, redacted)
		}
	}
	return &credential{
		sign: func(h http.Header) { h.Set("Authorization", "Bearer "+key) },
		hide: strings.NewReplacer(forms...).Replace,
	}
}

// cause returns err for an error to wrap: as it is, or when its text holds the key
// as that text without it.
func (k *credential) cause(err error) error {
	if text := err.Error(); k.hide(text) != text {
		return errors.New(k.hide(text))
	}
	return err
}
