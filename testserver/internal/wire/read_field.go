package wire

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Reading contains the options for reading a request.
type Reading struct {
	// Creating reports whether the request must contain the required columns.
	Creating bool
	// Verbatim keeps strings and dates as the client sent them. Otherwise, they are trimmed and formatted
	// as in PostHog.
	Verbatim bool
	// Refine performs further checks on a value, including null, and may change the value to store. It may be nil.
	Refine func(Column, Value) (Value, *Failure)
}

// Read returns the fields of a request that have a column, in stored form. Like PostHog, it refuses the first
// invalid field in the order of the table.
func (t *Table) Read(body Value, reading Reading) (Fields, *Failure) {
	input := Fields{}
	for _, c := range t.Columns {
		value := body.Get(c.Name)
		switch {
		case c.ReadOnly, c.CreateOnly && !reading.Creating:
			continue
		case value.IsAbsent() && c.Required && reading.Creating:
			return nil, Invalid("required", c.Name, "This field is required.")
		case value.IsAbsent():
			continue
		}

		read, f := reading.value(c, value)
		if f != nil {
			return nil, f
		}
		input[c.Name] = read
	}
	return input, nil
}

// value checks one value.
func (r Reading) value(c Column, v Value) (Value, *Failure) {
	if v.IsNull() && c.NotNull {
		return v, Invalid("null", c.Name, "This field may not be null.")
	}
	if !v.IsNull() {
		read, f := c.read(v)
		if f != nil {
			return v, f
		}
		if !r.Verbatim || c.Kind == Integer || c.Kind == Boolean {
			v = read
		}
	}
	if r.Refine == nil {
		return v, nil
	}
	return r.Refine(c, v)
}

// read checks a value that is not null, and returns its stored form.
func (c Column) read(v Value) (Value, *Failure) {
	switch c.Kind {
	case Text:
		return c.readText(v)
	case Choice:
		if !v.IsText() || !c.Known(v.Text()) {
			return v, Invalid("invalid_choice", c.Name, `"`+v.String()+`" is not a valid choice.`)
		}
	case Integer:
		return c.readInteger(v)
	case Boolean:
		return c.readBoolean(v)
	case Timestamp:
		return readTimestamp(c.Name, v)
	case Timestamps:
		return c.readTimestamps(v)
	case Texts:
		return c.readTexts(v)
	case Object, Objects:
		if c.Mismatch(v) != "" {
			return v, Invalid("invalid_input", c.Name, c.Refusal)
		}
	case Any:
	}
	return v, nil
}

// readText trims.
func (c Column) readText(v Value) (Value, *Failure) {
	if !v.IsText() {
		return v, Invalid("invalid_input", c.Name, "Not a valid string.")
	}
	s := strings.TrimSpace(v.Text())
	switch {
	case c.NotBlank && s == "":
		return v, Invalid("blank", c.Name, "This field may not be blank.")
	case c.Max > 0 && int64(utf8.RuneCountInString(s)) > c.Max:
		return v, Invalid("max_length", c.Name, fmt.Sprintf("Ensure this field has no more than %d characters.", c.Max))
	case strings.ContainsRune(s, 0):
		return v, Invalid("null_characters_not_allowed", c.Name, "Null characters are not allowed.")
	}
	return NewText(s), nil
}

// readTexts reads an array of strings, and trims each string.
func (c Column) readTexts(v Value) (Value, *Failure) {
	if !v.IsArray() {
		return v, Invalid("not_a_list", c.Name, fmt.Sprintf("Expected a list of items but got type %q.", v.Type()))
	}
	items := v.Items()
	for i, item := range items {
		column := c
		column.Name = fmt.Sprintf("%s__%d", c.Name, i)
		read, f := column.readText(item)
		if f != nil {
			return v, f
		}
		items[i] = read
	}
	return NewArray(items...), nil
}

// maxIntegerText is the maximum length of a number or string that is read as an integer.
const maxIntegerText = 1000

// integerForm matches an integer, which may have a fraction of zeros.
var integerForm = regexp.MustCompile(`^([+-]?\d+)(?:\.0*)?$`)

// readInteger accepts whole numbers of any size, and strings that contain one.
func (c Column) readInteger(v Value) (Value, *Failure) {
	if utf8.RuneCountInString(v.String()) > maxIntegerText && !v.IsObject() && !v.IsArray() {
		return v, Invalid("max_string_length", c.Name, "String value too large.")
	}
	digits := integerForm.FindStringSubmatch(strings.TrimSpace(v.String()))
	if digits == nil {
		return v, Invalid("invalid_input", c.Name, "A valid integer is required.")
	}

	n, _ := new(big.Int).SetString(digits[1], 10)
	top := int64(math.MaxInt32)
	if c.Max > 0 {
		top = c.Max
	}
	switch {
	case !c.Wide && n.Sign() < 0:
		return v, Invalid("min_value", c.Name, "Ensure this value is greater than or equal to 0.")
	case !c.Wide && n.Cmp(big.NewInt(top)) > 0:
		return v, Invalid("max_value", c.Name, fmt.Sprintf("Ensure this value is less than or equal to %d.", top))
	case !n.IsInt64():
		// No object has an ID of more than 64 bits, so the lookup fails.
		return NewInt(math.MaxInt64), nil
	}
	return NewInt(n.Int64()), nil
}

// Words for true and false, in any letter case.
var (
	trueWords  = strings.Fields("true t yes y on 1")
	falseWords = strings.Fields("false f no n off 0")
)

// readBoolean accepts words, and the numbers 1 and 0 in any spelling. It reads the strings "null" and "" as
// null if the field can be null.
func (c Column) readBoolean(v Value) (Value, *Failure) {
	word := strings.ToLower(v.Text())
	n, isNumber := v.Number()
	switch {
	case slices.Contains(trueWords, word), isNumber && n == 1:
		return NewBool(true), nil
	case slices.Contains(falseWords, word), isNumber && n == 0:
		return NewBool(false), nil
	case v.IsText() && !c.NotNull && (word == "" || word == "null"):
		return Null, nil
	}
	return v, Invalid("invalid_input", c.Name, "Must be a valid boolean.")
}

// readTimestamp returns a date-time in the format that PostHog returns.
func readTimestamp(name string, v Value) (Value, *Failure) {
	t, ok := ParseTimestamp(v.Text())
	if !ok {
		return v, Invalid("invalid_input", name, "Datetime has wrong format. "+
			"Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].")
	}
	if year := t.UTC().Year(); year < 1 || year > LastYear {
		return v, Invalid("overflow", name, "Datetime value out of range.")
	}
	return TimestampText(t), nil
}

// readTimestamps reads an array of date-times, which may contain null.
func (c Column) readTimestamps(v Value) (Value, *Failure) {
	if !v.IsArray() {
		return v, Invalid("not_a_list", c.Name, fmt.Sprintf("Expected a list of items but got type %q.", v.Type()))
	}
	items := v.Items()
	for i, item := range items {
		if item.IsNull() {
			continue
		}
		read, f := readTimestamp(fmt.Sprintf("%s__%d", c.Name, i), item)
		if f != nil {
			return v, f
		}
		items[i] = read
	}
	return NewArray(items...), nil
}

// LastYear is the last year of a date in PostHog.
const LastYear = 9999

// timestampForms are the layouts of date-times that PostHog accepts.
var timestampForms = []string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04Z07:00", "2006-01-02T15:04",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07", "2006-01-02",
}

// IsTimestamp reports whether a JSON value is a date-time in the OpenAPI document's format.
func IsTimestamp(v Value) bool {
	_, ok := ParseTimestamp(v.Text())
	return v.IsText() && ok
}

// ParseTimestamp parses a date-time. A date-time without an offset is in UTC.
func ParseTimestamp(s string) (time.Time, bool) {
	if len(s) > 10 && s[10] == ' ' {
		s = s[:10] + "T" + s[11:]
	}
	for _, form := range timestampForms {
		if t, err := time.Parse(form, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// TimestampText formats a time as PostHog does: in UTC, with microseconds unless they are 0.
func TimestampText(t time.Time) Value {
	t = t.UTC().Truncate(time.Microsecond)
	form := "2006-01-02T15:04:05.000000Z"
	if t.Nanosecond() == 0 {
		form = "2006-01-02T15:04:05Z"
	}
	return NewText(t.Format(form))
}
