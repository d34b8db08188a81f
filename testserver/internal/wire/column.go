package wire

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is the JSON type of a column.
type Kind int

// The kinds of columns. A choice is a string from a list. Objects and Texts are arrays.
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

// Column is a field of an object: its type, its default, and the rules for its value in a request.
type Column struct {
	Name string
	Kind Kind
	// ReadOnly columns are set only by PostHog.
	ReadOnly bool
	// CreateOnly columns are ignored by updates.
	CreateOnly bool
	// Required columns must be in a create request.
	Required bool
	// NotNull columns refuse null. NotBlank columns refuse the empty string.
	NotNull, NotBlank bool
	// Max is the maximum length of a string in characters, or the maximum integer.
	Max int64
	// Wide integers have no bounds. They are used for IDs, which are looked up anyway.
	Wide bool
	// Known reports whether a choice is valid.
	Known func(string) bool
	// Initial is the default. An absent value stands for null.
	Initial Value
	// Refusal replaces the message for a wrong type.
	Refusal string
}

// InitialValue returns the default, or null if there is none.
func (c Column) InitialValue() Value { return c.Initial.OrNull() }

// Mismatch describes a wrong JSON type of a value in a fixtures document. It returns "" if the type is right.
// It does not check choices and lengths, because a newer version of PostHog may allow others.
func (c Column) Mismatch(value Value) string {
	want, fits := "", true
	switch c.Kind {
	case Text, Choice:
		want, fits = "a string", value.IsText()
	case Integer:
		_, err := strconv.ParseInt(value.spelling, 10, 64)
		want, fits = "an integer", err == nil
	case Boolean:
		want, fits = "a boolean", value.IsBool()
	case Timestamp:
		want, fits = "a date-time", IsTimestamp(value)
	case Timestamps:
		want, fits = "an array of date-times", value.IsArray() && every(value, IsTimestamp)
	case Object:
		want, fits = "an object", value.IsObject()
	case Objects:
		want, fits = "an array of objects", value.IsArray() && every(value, Value.IsObject)
	case Texts:
		want, fits = "an array of strings", value.IsArray() && every(value, Value.IsText)
	case Any:
	}

	if fits {
		return ""
	}
	if items, ok := strings.CutPrefix(want, "an array of "); ok && value.IsArray() {
		return "must contain only " + items
	}
	return fmt.Sprintf("must be %s, not %s", want, found(value, want))
}

// found describes a value that does not meet the requirement want. It returns the type of the value, or the value
// itself if the type does not explain the error, as for a string that must be a date-time.
func found(value Value, want string) string {
	isParsed := want == "a date-time" || want == "a UUID" || want == "an integer"
	if isParsed && (value.IsText() || value.IsNumber()) {
		return value.spelling
	}
	return KindWithArticle(value)
}

// every reports whether all items of an array match.
func every(array Value, matches func(Value) bool) bool {
	for _, item := range array.Items() {
		if !matches(item) {
			return false
		}
	}
	return true
}

// Table contains an object's columns, in the order of PostHog's checks.
type Table struct {
	Columns []Column
	// Index maps column names to indexes.
	Index map[string]int
	// Initial contains the defaults.
	Initial []Value
}

// NewTable returns a table with the given columns.
func NewTable(columns ...Column) *Table {
	t := &Table{Columns: columns, Index: map[string]int{}}
	for i, c := range columns {
		t.Index[c.Name] = i
		t.Initial = append(t.Initial, c.InitialValue())
	}
	return t
}

// Column returns the column with a name, which must exist.
func (t *Table) Column(name string) Column { return t.Columns[t.Index[name]] }

// Has reports whether the table contains a column with a name.
func (t *Table) Has(name string) bool {
	_, ok := t.Index[name]
	return ok
}

// Names returns the names of the columns.
func (t *Table) Names() []string {
	names := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		names = append(names, c.Name)
	}
	return names
}

// CheckEntry checks an object of a fixtures document. null stands for the default unless the column can be
// null.
func (t *Table) CheckEntry(o *Entry) {
	for _, c := range t.Columns {
		value := o.Fields[c.Name]
		switch {
		case value.IsAbsent():
		case value.IsNull() && c.NotNull:
			o.Fail(c.Name, "cannot be null")
		case !value.IsNull():
			if misfit := c.Mismatch(value); misfit != "" {
				o.Fail(c.Name, "%s", misfit)
			}
		}
	}
}
