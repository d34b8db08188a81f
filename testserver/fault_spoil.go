package testserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
)

// spoil rewrites a finished answer as a fault asks for. What is no JSON stays.
func (x *exchange) spoil(hit effect) {
	if !hit.emptyForNull && !hit.reorderKeys || len(x.answer) == 0 ||
		x.header.Get("Content-Type") != jsonContent[0] || !json.Valid(x.answer) {
		return
	}
	answer := compact(x.answer)
	if hit.emptyForNull {
		answer = withEmptyTexts(answer, x.plainTexts())
	}
	if hit.reorderKeys {
		answer = backwards(answer)
	}
	x.answer = append(x.answer[:0], answer...)
}

// plainTexts are the names of the plain texts of the noun that a request is about.
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
	p := pairsOf(raw)
	for i, m := range p {
		switch {
		case m.value[0] == 'n' && slices.Contains(names, m.name):
			p[i].value = json.RawMessage(`""`)
		case m.name == "results" && m.value[0] == '[':
			p[i].value = eachOf(m.value, func(item json.RawMessage) json.RawMessage { return withEmptyTexts(item, names) })
		}
	}
	return p.json()
}

// backwards returns a value with the keys of all objects in it from last to first.
// Strings and numbers keep their bytes, lists their order.
func backwards(raw json.RawMessage) json.RawMessage {
	switch raw[0] {
	case '{':
		p := pairsOf(raw)
		slices.Reverse(p)
		for i := range p {
			p[i].value = backwards(p[i].value)
		}
		return p.json()
	case '[':
		return eachOf(raw, backwards)
	}
	return raw
}

// eachOf rewrites the items of a list.
func eachOf(list json.RawMessage, rewrite func(json.RawMessage) json.RawMessage) json.RawMessage {
	b := []byte{'['}
	for i, item := range elements(list) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, rewrite(item)...)
	}
	return append(b, ']')
}
