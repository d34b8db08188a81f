package testserver

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// object is a stored object: the values of its table's columns in order, and the keys that
// the table does not have. Values are compact JSON and never decoded: 100,000 surveys have to
// fit into memory and be served without encoding them again. A stored object is not changed,
// but replaced.
type object struct {
	values []json.RawMessage
	extra  []rawjson.Member
}

// newObject takes the columns of a table from fields, with the defaults of the service for
// the others, and keeps the keys that neither the table nor skip has.
func newObject(t *field.Table, from rawjson.Fields, skip []string) object {
	o := object{values: slices.Clone(t.Initial)}
	for i, c := range t.Columns {
		if value := from[c.Name]; value != nil {
			o.values[i] = value
		}
	}
	return o.absorb(t, from, skip)
}

// initialObject has the defaults of the service in all columns of a table. Its values are
// shared.
func initialObject(t *field.Table) object { return object{values: t.Initial} }

// absorb returns a copy that also has the keys of fields that neither it nor the table nor
// skip has.
func (o object) absorb(t *field.Table, from rawjson.Fields, skip []string) object {
	o.extra = slices.Clone(o.extra)
	for name := range from {
		column := t.Has(name)
		has := func(m rawjson.Member) bool { return m.Name == name }
		if !column && !slices.Contains(skip, name) && !slices.ContainsFunc(o.extra, has) {
			o.extra = append(o.extra, rawjson.Member{Name: name, Value: from[name]})
		}
	}
	slices.SortFunc(o.extra, func(a, b rawjson.Member) int { return strings.Compare(a.Name, b.Name) })
	return o
}

// only returns the extra members with one of the names.
func (o object) only(names []string) []rawjson.Member {
	return slices.DeleteFunc(slices.Clone(o.extra), func(m rawjson.Member) bool { return !slices.Contains(names, m.Name) })
}

// with returns a copy with the values of sent in its columns.
func (o object) with(t *field.Table, sent rawjson.Fields) object {
	o.values = slices.Clone(o.values)
	for name, value := range sent {
		if i, ok := t.Index[name]; ok {
			o.values[i] = value
		}
	}
	return o
}

// text decodes a column that holds a string; null gives the empty one.
func (o object) text(t *field.Table, name string) string {
	return rawjson.Unquote(o.values[t.Index[name]])
}

// isNull reports whether a column holds null.
func (o object) isNull(t *field.Table, name string) bool {
	return string(o.values[t.Index[name]]) == "null"
}

// isTrue reports whether a column holds true.
func (o object) isTrue(t *field.Table, name string) bool {
	return string(o.values[t.Index[name]]) == "true"
}

// answering is the context in which the keys of an answer are encoded.
type answering struct {
	profile *profile
	store   *store
	// sent are the fields of the request, for those that the answer echoes.
	sent rawjson.Fields
	// asEntry asks for a fixtures entry, in which nothing is hidden or converted.
	asEntry bool
}

// key is a key of an answer about a T.
type key[T any] struct {
	name string
	// quoted is the encoded name, with the comma before and the colon after it.
	quoted string
	append func(b []byte, a answering, thing T) []byte
}

func newKey[T any](name string, appendValue func([]byte, answering, T) []byte) key[T] {
	return key[T]{name: name, quoted: `,"` + name + `":`, append: appendValue}
}

func appendNull[T any](b []byte, _ answering, _ T) []byte { return append(b, "null"...) }

// appendObject writes keys and extra members as one JSON object.
func appendObject[T any](b []byte, a answering, schema string, keys []key[T], thing T, extra []rawjson.Member) []byte {
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

// member is an extra member, nil when it is not there.
func (o object) member(name string) json.RawMessage {
	if i, ok := o.findMember(name); ok {
		return o.extra[i].Value
	}
	return nil
}

// withMember returns a copy with another value for an extra member; nil takes it away.
func (o object) withMember(name string, value json.RawMessage) object {
	o.extra = slices.Clone(o.extra)
	i, ok := o.findMember(name)
	switch {
	case ok && value == nil:
		o.extra = slices.Delete(o.extra, i, i+1)
	case ok:
		o.extra[i].Value = value
	case value != nil:
		o.extra = slices.Insert(o.extra, i, rawjson.Member{Name: name, Value: value})
	}
	return o
}

func (o object) findMember(name string) (int, bool) {
	return slices.BinarySearchFunc(o.extra, name, func(m rawjson.Member, name string) int { return strings.Compare(m.Name, name) })
}
