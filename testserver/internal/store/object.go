package store

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Object is a stored object: the values of its table's columns in order, and the keys that
// the table does not have. Values are compact JSON and never decoded: 100,000 surveys have to
// fit into memory and be served without encoding them again. A stored object is not changed,
// but replaced.
type Object struct {
	Values []json.RawMessage
	Extra  []rawjson.Member
}

// NewObject takes the columns of a table from fields, with the defaults of the service for
// the others, and keeps the keys that neither the table nor skip has.
func NewObject(t *field.Table, from rawjson.Fields, skip []string) Object {
	o := Object{Values: slices.Clone(t.Initial)}
	for i, c := range t.Columns {
		if value := from[c.Name]; value != nil {
			o.Values[i] = value
		}
	}
	return o.Absorb(t, from, skip)
}

// InitialObject has the defaults of the service in all columns of a table. Its values are
// shared.
func InitialObject(t *field.Table) Object { return Object{Values: t.Initial} }

// Absorb returns a copy that also has the keys of fields that neither it nor the table nor
// skip has.
func (o Object) Absorb(t *field.Table, from rawjson.Fields, skip []string) Object {
	o.Extra = slices.Clone(o.Extra)
	for name := range from {
		column := t.Has(name)
		has := func(m rawjson.Member) bool { return m.Name == name }
		if !column && !slices.Contains(skip, name) && !slices.ContainsFunc(o.Extra, has) {
			o.Extra = append(o.Extra, rawjson.Member{Name: name, Value: from[name]})
		}
	}
	slices.SortFunc(o.Extra, func(a, b rawjson.Member) int { return strings.Compare(a.Name, b.Name) })
	return o
}

// Only returns the extra members with one of the names.
func (o Object) Only(names []string) []rawjson.Member {
	return slices.DeleteFunc(slices.Clone(o.Extra), func(m rawjson.Member) bool { return !slices.Contains(names, m.Name) })
}

// With returns a copy with the values of sent in its columns.
func (o Object) With(t *field.Table, sent rawjson.Fields) Object {
	o.Values = slices.Clone(o.Values)
	for name, value := range sent {
		if i, ok := t.Index[name]; ok {
			o.Values[i] = value
		}
	}
	return o
}

// Text decodes a column that holds a string; null gives the empty one.
func (o Object) Text(t *field.Table, name string) string {
	return rawjson.Unquote(o.Values[t.Index[name]])
}

// IsNull reports whether a column holds null.
func (o Object) IsNull(t *field.Table, name string) bool {
	return string(o.Values[t.Index[name]]) == "null"
}

// IsTrue reports whether a column holds true.
func (o Object) IsTrue(t *field.Table, name string) bool {
	return string(o.Values[t.Index[name]]) == "true"
}

// Member is an extra member, nil when it is not there.
func (o Object) Member(name string) json.RawMessage {
	if i, ok := o.findMember(name); ok {
		return o.Extra[i].Value
	}
	return nil
}

// WithMember returns a copy with another value for an extra member; nil takes it away.
func (o Object) WithMember(name string, value json.RawMessage) Object {
	o.Extra = slices.Clone(o.Extra)
	i, ok := o.findMember(name)
	switch {
	case ok && value == nil:
		o.Extra = slices.Delete(o.Extra, i, i+1)
	case ok:
		o.Extra[i].Value = value
	case value != nil:
		o.Extra = slices.Insert(o.Extra, i, rawjson.Member{Name: name, Value: value})
	}
	return o
}

func (o Object) findMember(name string) (int, bool) {
	return slices.BinarySearchFunc(o.Extra, name, func(m rawjson.Member, name string) int { return strings.Compare(m.Name, name) })
}
