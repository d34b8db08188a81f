package testserver

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// What the hosted service takes for a value of a field, which is more than the
// document says, and how it stores it.

// read checks the type of a value and brings it into the form in which it is stored.
func (c column) read(raw json.RawMessage) (json.RawMessage, *failure) {
	switch c.kind {
	case text:
		return c.readText(raw)
	case choice:
		if !rawjson.IsString(raw) || !c.known(rawjson.Unquote(raw)) {
			return nil, invalid("invalid_choice", c.name, `"`+python.Str(raw)+`" is not a valid choice.`)
		}
		return raw, nil
	case integer:
		return c.readInteger(raw)
	case boolean:
		return c.readBoolean(raw)
	case moment:
		return c.readMoment(raw)
	case moments:
		return c.readMoments(raw)
	case anything, jsonObject, jsonObjects:
		if python.HoldsInfinity(raw) {
			return nil, invalid("invalid_input", c.name, "Value must be valid JSON.")
		}
	}

	return c.check(raw)
}

// readText takes numbers for their digits, and trims.
func (c column) readText(raw json.RawMessage) (json.RawMessage, *failure) {
	if !rawjson.IsString(raw) && python.TypeName(raw) != "int" && python.TypeName(raw) != "float" {
		return nil, invalid("invalid_input", c.name, "Not a valid string.")
	}
	s := python.Trim(python.Str(raw))
	switch {
	case c.filled && s == "":
		return nil, invalid("blank", c.name, "This field may not be blank.")
	case c.max > 0 && int64(utf8.RuneCountInString(s)) > c.max:
		return nil, invalid("max_length", c.name, fmt.Sprintf("Ensure this field has no more than %d characters.", c.max))
	case strings.ContainsRune(s, 0):
		return nil, invalid("null_characters_not_allowed", c.name, "Null characters are not allowed.")
	}
	if half, found := python.HalfSurrogate(raw); found {
		return nil, invalid("surrogate_characters_not_allowed", c.name,
			fmt.Sprintf("Surrogate characters are not allowed: U+%04X.", half))
	}
	return rawjson.Quote(s), nil
}

// maxIntegerText is the length of a text that is read as an integer.
const maxIntegerText = 1000

// integerForm is a text that int() of Python reads, once a fraction of zeros is gone:
// digits in groups of any size, blanks around them.
var (
	zeroFraction = regexp.MustCompile(`\.0*\s*$`)
	integerForm  = regexp.MustCompile(`^[+-]?\d+(_\d+)*$`)
)

// readInteger takes whole numbers of any size and the texts that hold one.
func (c column) readInteger(raw json.RawMessage) (json.RawMessage, *failure) {
	if rawjson.IsString(raw) && utf8.RuneCountInString(rawjson.Unquote(raw)) > maxIntegerText {
		return nil, invalid("max_string_length", c.name, "String value too large.")
	}
	digits := python.Trim(zeroFraction.ReplaceAllString(python.Str(raw), ""))
	if rawjson.IsArray(raw) || rawjson.IsObject(raw) || !integerForm.MatchString(digits) {
		return nil, invalid("invalid_input", c.name, "A valid integer is required.")
	}

	n, _ := new(big.Int).SetString(strings.ReplaceAll(digits, "_", ""), 10)
	switch {
	case !c.wide && n.Sign() < 0:
		return nil, invalid("min_value", c.name, "Ensure this value is greater than or equal to 0.")
	case !c.wide && n.Cmp(big.NewInt(c.top())) > 0:
		return nil, invalid("max_value", c.name, fmt.Sprintf("Ensure this value is less than or equal to %d.", c.top()))
	case !n.IsInt64():
		// An id beyond 64 bits is one that nothing has.
		return strconv.AppendInt(nil, math.MaxInt64, 10), nil
	}
	return strconv.AppendInt(nil, n.Int64(), 10), nil
}

// Words for true and false, in any letter case.
var (
	trueWords  = strings.Fields("true t yes y on 1")
	falseWords = strings.Fields("false f no n off 0")
)

// readBoolean takes words, and the numbers 1 and 0 in any spelling. What says null is
// null, where the field can be.
func (c column) readBoolean(raw json.RawMessage) (json.RawMessage, *failure) {
	null := json.RawMessage("null")
	if rawjson.IsString(raw) {
		switch word := rawjson.Unquote(raw); {
		case isOneOf(trueWords, word):
			return json.RawMessage("true"), nil
		case isOneOf(falseWords, word):
			return json.RawMessage("false"), nil
		case !c.notNull && (word == "" || strings.EqualFold(word, "null")):
			return null, nil
		}
	} else if n, ok := python.Number(raw); ok && (n == 0 || n == 1) {
		return rawjson.Encode(n == 1), nil
	}
	return nil, invalid("invalid_input", c.name, "Must be a valid boolean.")
}

func isOneOf(words []string, word string) bool {
	for _, known := range words {
		if strings.EqualFold(known, word) {
			return true
		}
	}
	return false
}

// readMoments takes a list of date-times, null among them.
func (c column) readMoments(raw json.RawMessage) (json.RawMessage, *failure) {
	if !rawjson.IsArray(raw) {
		return nil, c.checkMoments(raw)
	}
	items := rawjson.List(raw)
	for i, item := range items {
		if rawjson.IsNull(item) {
			continue
		}
		read, f := column{name: fmt.Sprintf("%s__%d", c.name, i)}.readMoment(item)
		if f != nil {
			return nil, f
		}
		items[i] = read
	}
	return rawjson.Array(items), nil
}
