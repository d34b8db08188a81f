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

// envCount counts the environments, so that no two have the same API key.
var envCount atomic.Int64

// newKey returns an API key that no other Env has, and no response by chance: letters in
// front, and then all that JSON, HTML and URLs write in another way.
func newKey() string { return fmt.Sprintf(`phx_Hush%04d<"%%+/=&'\`, envCount.Add(1)) }

// withAPIKey returns a fixtures document in which the key replaces the default one. It does not change
// a document that contains users or keys.
func withAPIKey(document []byte, key string) []byte {
	parts := map[string]json.RawMessage{}
	if len(document) > 0 && json.Unmarshal(document, &parts) != nil {
		return document // the server says what is wrong with it
	}

	if parts["api_keys"] != nil || parts["users"] != nil {
		return document
	}

	keys, err := json.Marshal([]map[string]any{{"key": key}})
	if err != nil {
		panic(err) // a text always encodes
	}
	parts["api_keys"] = keys

	encoded, err := json.Marshal(parts)
	if err != nil {
		panic(err) // what was decoded encodes
	}
	return encoded
}

// SetFixtures replaces what is on the server; the key stays.
func (env *Env) SetFixtures(document string) {
	env.Instance.SetFixtures(string(withAPIKey([]byte(document), env.key)))
}

// KeyForms returns the ways in which an API key may be written down, each in the part of
// it that no way of quoting changes: as it is, in URLs, HTML and JSON, in base64.
func KeyForms(key string) []string {
	plain := key
	if end := strings.IndexFunc(key, func(r rune) bool { return url.QueryEscape(string(r)) != string(r) }); end >= 8 {
		plain = key[:end]
	}

	forms := []string{plain}
	for shift := range 3 { // base64 writes three bytes as four letters, wherever the key begins
		whole := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), plain...))
		part := whole[(8*shift+5)/6 : len(whole)-1] // the letters that contain only bits of the key
		forms = append(forms, part, strings.NewReplacer("+", "-", "/", "_").Replace(part))
	}
	return forms
}

// keyGuard has every response of the provider and every line of its log searched for the API key:
// whatever a test is about, the key must not appear.
type keyGuard struct {
	t     testing.TB
	forms [][]byte
	// logs is set if the log is also searched. Otherwise, the log goes to the destination of TF_LOG.
	logs bool
}

func newKeyGuard(t testing.TB, keys ...string) *keyGuard {
	g := &keyGuard{t: t, logs: os.Getenv("TF_LOG") == ""}
	for _, key := range slices.Compact(keys) {
		if len(key) < 8 {
			continue // a key that a test leaves out, or a word like any other
		}
		for _, form := range KeyForms(key) {
			g.forms = append(g.forms, []byte(form))
		}
	}
	return g
}

// call makes one call of the provider, and searches its response; elements of a stream as they pass.
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

// logSearcher is where the log of the provider goes.
type logSearcher struct{ g *keyGuard }

// Write implements io.Writer.
func (l logSearcher) Write(line []byte) (int, error) {
	l.g.searchText("the log", line)
	return len(line), nil
}

// search looks at all texts and bytes in a value.
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
