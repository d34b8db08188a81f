package testserver

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/strictjson"
)

// kind is the JSON type of a column.
type kind int

const (
	anything kind = iota
	text
	choice
	integer
	boolean
	moment
	moments
	jsonObject
	jsonObjects
)

// column is a field of an object: its type, the rules for its value in a request, and its
// default.
type column struct {
	name string
	kind kind
	// readOnly columns are set by the service alone.
	readOnly bool
	// createOnly columns are ignored by updates.
	createOnly bool
	// required columns must be in a create request.
	required bool
	// notNull columns refuse null, filled ones the empty string.
	notNull, filled bool
	// max is the maximum length of a string in characters, or the maximum integer.
	max int64
	// wide integers have no bounds; used for ids, which are looked up anyway.
	wide bool
	// known reports whether a choice is valid.
	known func(string) bool
	// initial is the JSON of the default; empty for null.
	initial string
	// refusal replaces the message for a wrong type.
	refusal string
}

func (c column) initialValue() json.RawMessage {
	if c.initial == "" {
		return json.RawMessage("null")
	}
	return json.RawMessage(c.initial)
}

// table has the columns of an object, in the order in which the service checks them.
type table struct {
	columns []column
	index   map[string]int
	// initial are the defaults.
	initial []json.RawMessage
}

func newTable(columns ...column) *table {
	t := &table{columns: columns, index: map[string]int{}}
	for i, c := range columns {
		t.index[c.name] = i
		t.initial = append(t.initial, slices.Clip(c.initialValue()))
	}
	return t
}

// check checks a value of a request, and returns it in the form in which it is stored. The
// caller handles null.
func (c column) check(raw json.RawMessage) (json.RawMessage, *failure) {
	switch c.kind {
	case text:
		return raw, c.checkText(raw)
	case choice:
		if raw[0] != '"' || !c.known(rawjson.Unquote(raw)) {
			return nil, invalid("invalid_choice", c.name, `"`+strings.Trim(string(raw), `"`)+`" is not a valid choice.`)
		}
	case integer:
		return c.checkInteger(raw)
	case boolean:
		if raw[0] != 't' && raw[0] != 'f' {
			return nil, invalid("invalid_input", c.name, "Must be a valid boolean.")
		}
	case moment:
		return raw, checkMoment(c.name, raw)
	case moments:
		return raw, c.checkMoments(raw)
	case jsonObject, jsonObjects:
		if c.mismatch(raw) != "" {
			return nil, invalid("invalid_input", c.name, c.refusal)
		}
	case anything:
	}

	return raw, nil
}

func (c column) checkText(raw json.RawMessage) *failure {
	if raw[0] != '"' {
		return invalid("invalid_input", c.name, "Not a valid string.")
	}
	s := rawjson.Unquote(raw)
	switch {
	case strings.ContainsRune(s, 0):
		return invalid("null_characters_not_allowed", c.name, "Null characters are not allowed.")
	case c.filled && strings.TrimSpace(s) == "":
		return invalid("blank", c.name, "This field may not be blank.")
	case c.max > 0 && int64(utf8.RuneCountInString(s)) > c.max:
		return invalid("max_length", c.name, fmt.Sprintf("Ensure this field has no more than %d characters.", c.max))
	}
	return nil
}

// checkInteger accepts integers, and strings that hold one.
func (c column) checkInteger(raw json.RawMessage) (json.RawMessage, *failure) {
	digits := strings.TrimSpace(strings.Trim(string(raw), `"`))
	if whole, fraction, ok := strings.Cut(digits, "."); ok && strings.Trim(fraction, "0") == "" {
		digits = whole
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil:
		return nil, invalid("invalid_input", c.name, "A valid integer is required.")
	case !c.wide && n < 0:
		return nil, invalid("min_value", c.name, "Ensure this value is greater than or equal to 0.")
	case !c.wide && n > c.top():
		return nil, invalid("max_value", c.name, fmt.Sprintf("Ensure this value is less than or equal to %d.", c.top()))
	}
	return strconv.AppendInt(nil, n, 10), nil
}

func (c column) top() int64 {
	if c.max > 0 {
		return c.max
	}
	return math.MaxInt32
}

func (c column) checkMoments(raw json.RawMessage) *failure {
	if raw[0] != '[' {
		return invalid("not_a_list", c.name, fmt.Sprintf("Expected a list of items but got type %q.", python.TypeName(raw)))
	}
	for i, item := range rawjson.Items(raw) {
		attr := fmt.Sprintf("%s__%d", c.name, i)
		if item[0] == 'n' {
			return invalid("null", attr, "This field may not be null.")
		}
		if f := checkMoment(attr, item); f != nil {
			return f
		}
	}
	return nil
}

// mismatch describes a wrong JSON type of a value in a fixtures document; empty if it is
// right. Choices and lengths are not checked there, since a newer service may allow others.
func (c column) mismatch(raw json.RawMessage) string {
	want, fits := "", true
	switch c.kind {
	case text, choice:
		want, fits = "a string", raw[0] == '"'
	case integer:
		_, err := strconv.ParseInt(string(raw), 10, 64)
		want, fits = "an integer", err == nil
	case boolean:
		want, fits = "a boolean", raw[0] == 't' || raw[0] == 'f'
	case moment:
		want, fits = "a date-time", checkMoment("", raw) == nil
	case moments:
		want, fits = "an array of date-times", c.checkMoments(raw) == nil
	case jsonObject:
		want, fits = "an object", raw[0] == '{'
	case jsonObjects:
		want, fits = "an array of objects", raw[0] == '['
		if fits {
			for _, item := range rawjson.Items(raw) {
				fits = fits && item[0] == '{'
			}
		}
	case anything:
	}

	if fits {
		return ""
	}
	return fmt.Sprintf("must be %s, is %s", want, rawjson.Kind(raw))
}

// checkColumns checks an object of a fixtures document against a table. null means the
// default unless the column can hold it.
func checkColumns(o *strictjson.Object, t *table) {
	for _, c := range t.columns {
		raw := o.Fields[c.name]
		switch {
		case raw == nil:
		case raw[0] == 'n' && c.notNull:
			o.Fail(c.name, "cannot be null")
		case raw[0] != 'n':
			if misfit := c.mismatch(raw); misfit != "" {
				o.Fail(c.name, "%s", misfit)
			}
		}
	}
}
