package wire

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Kind is the JSON type of a column.
type Kind int

// The kinds of columns. A choice is a text out of a list; objects and texts are an array of them.
const (
	Any Kind = iota
	Text
	Choice
	Integer
	Boolean
	Timestamp
	Timestamps
	Object
	Objects
	Texts
)

// Column is a field of an object: its type, the rules for its value in a request, and its
// default.
type Column struct {
	Name string
	Kind Kind
	// ReadOnly columns are set by the service alone.
	ReadOnly bool
	// CreateOnly columns are ignored by updates.
	CreateOnly bool
	// Required columns must be in a create request.
	Required bool
	// NotNull columns refuse null, NotBlank ones the empty string.
	NotNull, NotBlank bool
	// Max is the maximum length of a string in characters, or the maximum integer.
	Max int64
	// Wide integers have no bounds; used for ids, which are looked up anyway.
	Wide bool
	// Known reports whether a choice is valid.
	Known func(string) bool
	// Initial is the JSON of the default; empty for null.
	Initial string
	// Refusal replaces the message for a wrong type.
	Refusal string
}

// InitialValue is the default as JSON.
func (c Column) InitialValue() json.RawMessage {
	if c.Initial == "" {
		return json.RawMessage("null")
	}
	return json.RawMessage(c.Initial)
}

// Mismatch describes a wrong JSON type of a value in a fixtures document; empty if it is
// right. Choices and lengths are not checked there, since a newer service may allow others.
func (c Column) Mismatch(raw json.RawMessage) string {
	want, fits := "", true
	switch c.Kind {
	case Text, Choice:
		want, fits = "a string", raw[0] == '"'
	case Integer:
		_, err := strconv.ParseInt(string(raw), 10, 64)
		want, fits = "an integer", err == nil
	case Boolean:
		want, fits = "a boolean", raw[0] == 't' || raw[0] == 'f'
	case Timestamp:
		want, fits = "a date-time", IsTimestamp(raw)
	case Timestamps:
		want, fits = "an array of date-times", IsArray(raw) && every(raw, IsTimestamp)
	case Object:
		want, fits = "an object", raw[0] == '{'
	case Objects:
		want, fits = "an array of objects", IsArray(raw) && every(raw, IsObject)
	case Texts:
		want, fits = "an array of strings", IsArray(raw) && every(raw, IsString)
	case Any:
	}

	if fits {
		return ""
	}
	return fmt.Sprintf("must be %s, is %s", want, KindOf(raw))
}

// every reports whether all items of an array are of a sort.
func every(array json.RawMessage, is func(json.RawMessage) bool) bool {
	for _, item := range Items(array) {
		if !is(item) {
			return false
		}
	}
	return true
}

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

// CheckEntry checks an object of a fixtures document. null means the default unless the
// column can hold it.
func (t *Table) CheckEntry(o *Entry) {
	for _, c := range t.Columns {
		raw := o.Fields[c.Name]
		switch {
		case raw == nil:
		case IsNull(raw) && c.NotNull:
			o.Fail(c.Name, "cannot be null")
		case !IsNull(raw):
			if misfit := c.Mismatch(raw); misfit != "" {
				o.Fail(c.Name, "%s", misfit)
			}
		}
	}
}
