package field

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// Check checks a value of a request as the document describes the column, and returns it in
// the form in which it is stored. The caller handles null.
func (c Column) Check(raw json.RawMessage) (json.RawMessage, *Failure) {
	switch c.Kind {
	case Text:
		return raw, c.checkText(raw)
	case Choice:
		if raw[0] != '"' || !c.Known(rawjson.Unquote(raw)) {
			return nil, Invalid("invalid_choice", c.Name, `"`+strings.Trim(string(raw), `"`)+`" is not a valid choice.`)
		}
	case Integer:
		return c.checkInteger(raw)
	case Boolean:
		if raw[0] != 't' && raw[0] != 'f' {
			return nil, Invalid("invalid_input", c.Name, "Must be a valid boolean.")
		}
	case Timestamp:
		return raw, checkTimestamp(c.Name, raw)
	case Timestamps:
		return raw, c.checkTimestamps(raw)
	case Object, Objects:
		if c.Mismatch(raw) != "" {
			return nil, Invalid("invalid_input", c.Name, c.Refusal)
		}
	case Any:
	}

	return raw, nil
}

func (c Column) checkText(raw json.RawMessage) *Failure {
	if raw[0] != '"' {
		return Invalid("invalid_input", c.Name, "Not a valid string.")
	}
	s := rawjson.Unquote(raw)
	switch {
	case strings.ContainsRune(s, 0):
		return Invalid("null_characters_not_allowed", c.Name, "Null characters are not allowed.")
	case c.NotBlank && strings.TrimSpace(s) == "":
		return Invalid("blank", c.Name, "This field may not be blank.")
	case c.Max > 0 && int64(utf8.RuneCountInString(s)) > c.Max:
		return Invalid("max_length", c.Name, fmt.Sprintf("Ensure this field has no more than %d characters.", c.Max))
	}
	return nil
}

// checkInteger accepts integers, and strings that hold one.
func (c Column) checkInteger(raw json.RawMessage) (json.RawMessage, *Failure) {
	digits := strings.TrimSpace(strings.Trim(string(raw), `"`))
	if whole, fraction, ok := strings.Cut(digits, "."); ok && strings.Trim(fraction, "0") == "" {
		digits = whole
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil:
		return nil, Invalid("invalid_input", c.Name, "A valid integer is required.")
	case !c.Wide && n < 0:
		return nil, Invalid("min_value", c.Name, "Ensure this value is greater than or equal to 0.")
	case !c.Wide && n > c.top():
		return nil, Invalid("max_value", c.Name, fmt.Sprintf("Ensure this value is less than or equal to %d.", c.top()))
	}
	return strconv.AppendInt(nil, n, 10), nil
}

func (c Column) top() int64 {
	if c.Max > 0 {
		return c.Max
	}
	return math.MaxInt32
}

func (c Column) checkTimestamps(raw json.RawMessage) *Failure {
	if raw[0] != '[' {
		return Invalid("not_a_list", c.Name, fmt.Sprintf("Expected a list of items but got type %q.", python.TypeName(raw)))
	}
	for i, item := range rawjson.Items(raw) {
		attr := fmt.Sprintf("%s__%d", c.Name, i)
		if item[0] == 'n' {
			return Invalid("null", attr, "This field may not be null.")
		}
		if f := checkTimestamp(attr, item); f != nil {
			return f
		}
	}
	return nil
}
