package acctest

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

// envCount counts the environments, so that no two have the same API key.
var envCount atomic.Int64

// newKey is an API key that no other Env has, and no response by chance: letters in
// front, and then all that JSON, HTML and URLs write in another way.
func newKey() string { return fmt.Sprintf(`phx_Hush%04d<"%%+/=&'\`, envCount.Add(1)) }

// withAPIKey returns a fixtures document with the key in place of the default one. A
// document with users or keys of its own stays as it is.
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

// KeyForms are the ways in which an API key may be written down, each in the part of
// it that no way of quoting changes: as it is, in URLs, HTML and JSON, in base64.
func KeyForms(key string) []string {
	plain := key
	if end := strings.IndexFunc(key, func(r rune) bool { return url.QueryEscape(string(r)) != string(r) }); end >= 8 {
		plain = key[:end]
	}

	forms := []string{plain}
	for shift := range 3 { // base64 writes three bytes as four letters, wherever the key begins
		whole := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), plain...))
		part := whole[(8*shift+5)/6 : len(whole)-1] // the letters that hold bits of the key alone
		forms = append(forms, part, strings.NewReplacer("+", "-", "/", "_").Replace(part))
	}
	return forms
}

// keyGuard is the provider, with every response and every line of its log searched for
// the API key: whatever a test is about, the key must not appear.
type keyGuard struct {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
	t     testing.TB
	forms [][]byte
	// logs is set when the log is searched too; else it goes where TF_LOG says.
	logs bool
}

func (env *Env) guard(server tfprotov6.ProviderServer, keys ...string) tfprotov6.ProviderServer {
	g := &keyGuard{ProviderServer: server, t: env.t, logs: os.Getenv("TF_LOG") == ""}
	g.ListResourceServer, _ = server.(tfprotov6.ListResourceServer)
	g.ActionServer, _ = server.(tfprotov6.ActionServer)

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

// guardedCall makes one call of the provider, and searches its response.
func guardedCall[Req, Resp any](ctx context.Context, g *keyGuard, do func(context.Context, *Req) (*Resp, error), req *Req) (*Resp, error) {

	if g.logs {
		ctx = tflogtest.RootLogger(ctx, logSearcher{g})
	}
	resp, err := do(ctx, req)
	g.search(fmt.Sprintf("%T", resp), reflect.ValueOf(resp))

	if err != nil {
		g.searchText("an error", []byte(err.Error()))
	}
	return resp, err
}

// logSearcher is where the log of the provider goes.
type logSearcher struct{ g *keyGuard }

// Write implements io.Writer.
func (l logSearcher) Write(line []byte) (int, error) {
	l.g.searchText("the log", line)
	return len(line), nil
}

var _ io.Writer = logSearcher{}

// search looks at all texts and bytes in a value.
func (g *keyGuard) search(where string, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		g.searchText(where, []byte(v.String()))
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			g.search(where, v.Elem())
		}
	case reflect.Struct:
		for _, field := range v.Fields() {
			g.search(where, field)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			g.searchText(where, v.Bytes())
			return
		}
		for i := range v.Len() {
			g.search(where, v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			g.search(where, key)
			g.search(where, v.MapIndex(key))
		}
	default:
	}
}

func (g *keyGuard) searchText(where string, text []byte) {
	for _, form := range g.forms {
		if bytes.Contains(text, form) {
			g.t.Errorf("the API key is in %s, as %q", where, form)
		}
	}
}

// These are the calls whose responses depend on a configuration or on the service.

func (g *keyGuard) ValidateProviderConfig(ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ValidateProviderConfig, req)
}

func (g *keyGuard) ConfigureProvider(ctx context.Context, req *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ConfigureProvider, req)
}

func (g *keyGuard) ValidateResourceConfig(ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ValidateResourceConfig, req)
}

func (g *keyGuard) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.UpgradeResourceState, req)
}

func (g *keyGuard) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ReadResource, req)
}

func (g *keyGuard) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.PlanResourceChange, req)
}

func (g *keyGuard) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ApplyResourceChange, req)
}

func (g *keyGuard) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ImportResourceState, req)
}

func (g *keyGuard) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return guardedCall(ctx, g, g.ProviderServer.ReadDataSource, req)
}

// ListResource implements tfprotov6.ListResourceServer.
func (g *keyGuard) ListResource(ctx context.Context, req *tfprotov6.ListResourceRequest) (*tfprotov6.ListResourceServerStream, error) {
	stream, err := guardedCall(ctx, g, g.ListResourceServer.ListResource, req)
	if stream != nil {
		stream.Results = searchedStream(g, stream.Results)
	}
	return stream, err
}

// InvokeAction implements tfprotov6.ActionServer.
func (g *keyGuard) InvokeAction(ctx context.Context, req *tfprotov6.InvokeActionRequest) (*tfprotov6.InvokeActionServerStream, error) {
	stream, err := guardedCall(ctx, g, g.ActionServer.InvokeAction, req)
	if stream != nil {
		stream.Events = searchedStream(g, stream.Events)
	}
	return stream, err
}

// searchedStream searches each element of a stream as it passes.
func searchedStream[T any](g *keyGuard, stream iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for element := range stream {
			g.search(fmt.Sprintf("%T", element), reflect.ValueOf(element))
			if !yield(element) {
				return
			}
		}
	}
}
