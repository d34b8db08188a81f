package testserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// mangle rewrites a complete response as a fault asks. A response that is not JSON stays as it
// is.
func (x *exchange) mangle(hit effect) {
	if !hit.emptyForNull && !hit.reorderKeys || len(x.response.body) == 0 ||
		x.header.Get("Content-Type") != jsonContent[0] || !json.Valid(x.response.body) {
		return
	}
	body := rawjson.MustCompact(x.response.body)
	if hit.emptyForNull {
		body = withEmptyTexts(body, x.plainTexts())
	}
	if hit.reorderKeys {
		body = reverseKeys(body)
	}
	x.response.body = body
}

// plainTexts are the names of the text fields of the object that a request is about.
func (x *exchange) plainTexts() []string {
	switch {
	case x.endpoint == nil:
		return nil
	case strings.Contains(x.endpoint.Path, "/surveys/"):
		return api.PlainTexts("Survey")
	}
	return api.PlainTexts("PipelineImportApp")
}

// withEmptyTexts replaces null by "" in the named members of an object, or of the
// objects in the results of a list. Digits and order stay as they are.
func withEmptyTexts(raw json.RawMessage, names []string) json.RawMessage {
	if raw[0] != '{' {
		return raw
	}
	p := rawjson.PairsOf(raw)
	for i, m := range p {
		switch {
		case m.Value[0] == 'n' && slices.Contains(names, m.Name):
			p[i].Value = json.RawMessage(`""`)
		case m.Name == "results" && m.Value[0] == '[':
			p[i].Value = rawjson.MapItems(m.Value, func(item json.RawMessage) json.RawMessage { return withEmptyTexts(item, names) })
		}
	}
	return p.JSON()
}

// reverseKeys returns a value with the keys of all objects in it from last to first.
// Strings and numbers keep their bytes, lists their order.
func reverseKeys(raw json.RawMessage) json.RawMessage {
	switch raw[0] {
	case '{':
		p := rawjson.PairsOf(raw)
		slices.Reverse(p)
		for i := range p {
			p[i].Value = reverseKeys(p[i].Value)
		}
		return p.JSON()
	case '[':
		return rawjson.MapItems(raw, reverseKeys)
	}
	return raw
}
