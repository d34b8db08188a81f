package field

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Kind is the JSON type of a column.
type Kind int

// The kinds of columns. A choice is a text out of a list; objects are an array of them.
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
		want, fits = "a date-time", checkTimestamp("", raw) == nil
	case Timestamps:
		want, fits = "an array of date-times", c.checkTimestamps(raw) == nil
	case Object:
		want, fits = "an object", raw[0] == '{'
	case Objects:
		want, fits = "an array of objects", raw[0] == '['
		if fits {
			for _, item := range rawjson.Items(raw) {
				fits = fits && item[0] == '{'
			}
		}
	case Any:
	}

	if fits {
		return ""
	}
	return fmt.Sprintf("must be %s, is %s", want, rawjson.Kind(raw))
}
