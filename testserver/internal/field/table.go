package field

import (
	"encoding/json"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// Table has the columns of an object, in the order in which the service checks them.
type Table struct {
	Columns []Column
	// Index are the indexes of the columns by their names.
	Index map[string]int
	// Initial are the defaults.
	Initial []json.RawMessage
}

// NewTable returns a table of some columns.
func NewTable(columns ...Column) *Table {
	t := &Table{Columns: columns, Index: map[string]int{}}
	for i, c := range columns {
		t.Index[c.Name] = i
		t.Initial = append(t.Initial, slices.Clip(c.InitialValue()))
	}
	return t
}

// Column is the column of a name that the table has.
func (t *Table) Column(name string) Column { return t.Columns[t.Index[name]] }

// Has reports whether the table has a column of a name.
func (t *Table) Has(name string) bool {
	_, ok := t.Index[name]
	return ok
}

// Names are the names of the columns.
func (t *Table) Names() []string {
	names := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}

// Reading is how a request is read.
type Reading struct {
	// Value checks a value that is not null: [Column.Check] or [Column.Accept].
	Value func(Column, json.RawMessage) (json.RawMessage, *Failure)
	// Creating is set for a request that must have the required columns.
	Creating bool
	// Refine checks a value further, null too, and may change what is stored; nil for
	// nothing further.
	Refine func(Column, json.RawMessage) (json.RawMessage, *Failure)
}

// Read returns the fields of a request that the table has, as they are stored. Like the
// service it refuses the first invalid field in the order of the table.
func (t *Table) Read(body rawjson.Fields, how Reading) (rawjson.Fields, *Failure) {
	sent := rawjson.Fields{}
	for _, c := range t.Columns {
		if c.ReadOnly || (c.CreateOnly && !how.Creating) {
			continue
		}

		raw, present := body[c.Name]
		if !present {
			if c.Required && how.Creating {
				return nil, Invalid("required", c.Name, "This field is required.")
			}
			continue
		}

		value, f := how.value(c, raw)
		if f != nil {
			return nil, f
		}
		sent[c.Name] = value
	}
	return sent, nil
}

// value checks one value.
func (r Reading) value(c Column, raw json.RawMessage) (json.RawMessage, *Failure) {
	switch {
	case rawjson.IsNull(raw) && c.NotNull:
		return nil, Invalid("null", c.Name, "This field may not be null.")
	case !rawjson.IsNull(raw):
		var f *Failure
		if raw, f = r.Value(c, raw); f != nil {
			return nil, f
		}
	}

	if r.Refine == nil {
		return raw, nil
	}
	return r.Refine(c, raw)
}

// CheckEntry checks an object of a fixtures document. null means the default unless the
// column can hold it.
func (t *Table) CheckEntry(o *strictjson.Object) {
	for _, c := range t.Columns {
		raw := o.Fields[c.Name]
		switch {
		case raw == nil:
		case rawjson.IsNull(raw) && c.NotNull:
			o.Fail(c.Name, "cannot be null")
		case !rawjson.IsNull(raw):
			if misfit := c.Mismatch(raw); misfit != "" {
				o.Fail(c.Name, "%s", misfit)
			}
		}
	}
}
