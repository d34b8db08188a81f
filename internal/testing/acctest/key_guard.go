package acctest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/protocol"
)

// envCount counts the environments, so that each has a different API key.
var envCount atomic.Int64

// newKey returns an API key that is unique to an Env and that no response contains by chance. After its
// letters, it contains the characters that JSON, HTML, and URLs escape.
func newKey() string { return fmt.Sprintf(`phx_Hush%04d<"%%+/=&'\`, envCount.Add(1)) }

// withAPIKey returns a fixtures document with the key instead of the default key. It does not change a document with
// users or keys.
func withAPIKey(document []byte, key string) []byte {
	parts := map[string]json.RawMessage{}
	if len(document) > 0 && json.Unmarshal(document, &parts) != nil {
		return document // the server reports the error
	}

	if parts["api_keys"] != nil || parts["users"] != nil {
		return document
	}

	keys, err := json.Marshal([]map[string]any{{"key": key}})
	if err != nil {
		panic(err) // a string always encodes
	}
	parts["api_keys"] = keys

	encoded, err := json.Marshal(parts)
	if err != nil {
		panic(err) // decoded values always encode
	}
	return encoded
}

// SetFixtures replaces the objects on the server. It keeps the API key.
func (env *Env) SetFixtures(document string) {
	env.Instance.SetFixtures(string(withAPIKey([]byte(document), env.key)))
}

// KeyForms returns the parts of an API key that no quoting changes, in all encodings: plain (also in URLs,
// HTML, and JSON) and base64.
func KeyForms(key string) []string {
	plain := key
	if end := strings.IndexFunc(key, func(r rune) bool { return url.QueryEscape(string(r)) != string(r) }); end >= 8 {
		plain = key[:end]
	}

	forms := []string{plain}
	for shift := range 3 { // base64 encodes three bytes as four characters, so its form depends on the key's offset
		whole := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), plain...))
		part := whole[(8*shift+5)/6 : len(whole)-1] // the characters that encode only bits of the key
		forms = append(forms, part, strings.NewReplacer("+", "-", "/", "_").Replace(part))
	}
	return forms
}

// keyGuard searches every response of the provider and every line of its log for the API key, which must never
// appear.
type keyGuard struct {
	t     testing.TB
	forms [][]byte
	// logs reports whether to search the log. It is false if TF_LOG directs the log elsewhere.
	logs bool
}

func newKeyGuard(t testing.TB, keys ...string) *keyGuard {
	g := &keyGuard{t: t, logs: os.Getenv("TF_LOG") == ""}
	for _, key := range slices.Compact(keys) {
		if len(key) < 8 {
			continue // an omitted key, or a word that can occur by chance
		}
		for _, form := range KeyForms(key) {
			g.forms = append(g.forms, []byte(form))
		}
	}
	return g
}

// call makes a call of the provider, and searches its response. It searches the elements of a stream as they
// pass.
func (g *keyGuard) call(ctx context.Context, _ any, next func(context.Context) (any, error)) {
	if g.logs {
		ctx = tflogtest.RootLogger(ctx, logSearcher{g})
	}
	resp, err := next(ctx)
	g.search(fmt.Sprintf("%T", resp), reflect.ValueOf(resp))
	switch resp := resp.(type) {
	case *tfprotov6.ListResourceServerStream:
		resp.Results = protocol.Each(resp.Results, func(result *tfprotov6.ListResourceResult) { g.search("a result", reflect.ValueOf(*result)) })
	case *tfprotov6.InvokeActionServerStream:
		resp.Events = protocol.Each(resp.Events, func(event *tfprotov6.InvokeActionEvent) { g.search("an event", reflect.ValueOf(*event)) })
	}
	if err != nil {
		g.searchText("an error", []byte(err.Error()))
	}
}

// logSearcher receives the provider's log.
type logSearcher struct{ g *keyGuard }

// Write implements io.Writer.
func (l logSearcher) Write(line []byte) (int, error) {
	l.g.searchText("the log", line)
	return len(line), nil
}

// search searches all strings and byte slices in a value.
func (g *keyGuard) search(location string, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		g.searchText(location, []byte(v.String()))
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			g.search(location, v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			g.search(location, field)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			g.searchText(location, v.Bytes())
			return
		}
		for i := range v.Len() {
			g.search(location, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			g.search(location, key)
			g.search(location, v.MapIndex(key))
		}
	default:
	}
}

func (g *keyGuard) searchText(location string, text []byte) {
	for _, form := range g.forms {
		if bytes.Contains(text, form) {
			g.t.Errorf("the API key is in %s, as %q", location, form)
		}
	}
}
