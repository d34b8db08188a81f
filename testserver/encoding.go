package testserver

import (
	"encoding/json"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/store"
)

// encoding is the context in which the keys of a response are encoded.
type encoding struct {
	profile profile
	store   *store.Store
	// sent are the fields of the request, for those that the response echoes.
	sent rawjson.Fields
	// asEntry asks for a fixtures entry, in which nothing is hidden or converted.
	asEntry bool
}

// survey encodes a survey as an entry of a fixtures document.
func (e encoding) survey(found *store.Survey) json.RawMessage {
	return appendObject(nil, e, "Survey", surveyEntry, found, found.Extra)
}

// app encodes an import app as an entry of a fixtures document.
func (e encoding) app(found *store.App) json.RawMessage {
	return appendObject(nil, e, "PipelineImportApp", appKeys, found, found.Extra)
}

// key is a key of a response about a T.
type key[T any] struct {
	name string
	// quoted is the encoded name, with the comma before and the colon after it.
	quoted string
	append func(b []byte, a encoding, thing T) []byte
}

func newKey[T any](name string, appendValue func([]byte, encoding, T) []byte) key[T] {
	return key[T]{name: name, quoted: `,"` + name + `":`, append: appendValue}
}

func appendNull[T any](b []byte, _ encoding, _ T) []byte { return append(b, "null"...) }

// appendObject writes keys and extra members as one JSON object.
func appendObject[T any](b []byte, a encoding, schema string, keys []key[T], thing T, extra []rawjson.Member) []byte {
	begin := len(b)
	for i := range keys {
		b = append(b, keys[i].quoted...)
		b = keys[i].append(b, a, thing)
	}
	// The first member has no comma before it.
	b[begin] = '{'
	for _, m := range extra {
		if !a.asEntry && isHidden(schema, m.Name) {
			continue
		}
		b = append(b, ',')
		b = rawjson.AppendQuoted(b, m.Name)
		b = append(b, ':')
		b = append(b, m.Value...)
	}
	return append(b, '}')
}
