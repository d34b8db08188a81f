package field

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

// Accept checks a value of a request as the hosted service does, which takes more than the
// document says, and returns it in the form in which it is stored. The caller handles null.
func (c Column) Accept(raw json.RawMessage) (json.RawMessage, *Failure) {
	switch c.Kind {
	case Text:
		return c.acceptText(raw)
	case Choice:
		if !rawjson.IsString(raw) || !c.Known(rawjson.Unquote(raw)) {
			return nil, Invalid("invalid_choice", c.Name, `"`+python.Str(raw)+`" is not a valid choice.`)
		}
		return raw, nil
	case Integer:
		return c.acceptInteger(raw)
	case Boolean:
		return c.acceptBoolean(raw)
	case Timestamp:
		return c.acceptTimestamp(raw)
	case Timestamps:
		return c.acceptTimestamps(raw)
	case Any, Object, Objects:
		if python.HoldsInfinity(raw) {
			return nil, Invalid("invalid_input", c.Name, "Value must be valid JSON.")
		}
	}

	return c.Check(raw)
}

// acceptText takes numbers for their digits, and trims.
func (c Column) acceptText(raw json.RawMessage) (json.RawMessage, *Failure) {
	if !rawjson.IsString(raw) && python.TypeName(raw) != "int" && python.TypeName(raw) != "float" {
		return nil, Invalid("invalid_input", c.Name, "Not a valid string.")
	}
	s := python.Trim(python.Str(raw))
	switch {
	case c.NotBlank && s == "":
		return nil, Invalid("blank", c.Name, "This field may not be blank.")
	case c.Max > 0 && int64(utf8.RuneCountInString(s)) > c.Max:
		return nil, Invalid("max_length", c.Name, fmt.Sprintf("Ensure this field has no more than %d characters.", c.Max))
	case strings.ContainsRune(s, 0):
		return nil, Invalid("null_characters_not_allowed", c.Name, "Null characters are not allowed.")
	}
	if half, found := python.HalfSurrogate(raw); found {
		return nil, Invalid("surrogate_characters_not_allowed", c.Name,
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

// acceptInteger takes whole numbers of any size and the texts that hold one.
func (c Column) acceptInteger(raw json.RawMessage) (json.RawMessage, *Failure) {
	if rawjson.IsString(raw) && utf8.RuneCountInString(rawjson.Unquote(raw)) > maxIntegerText {
		return nil, Invalid("max_string_length", c.Name, "String value too large.")
	}
	digits := python.Trim(zeroFraction.ReplaceAllString(python.Str(raw), ""))
	if rawjson.IsArray(raw) || rawjson.IsObject(raw) || !integerForm.MatchString(digits) {
		return nil, Invalid("invalid_input", c.Name, "A valid integer is required.")
	}

	n, _ := new(big.Int).SetString(strings.ReplaceAll(digits, "_", ""), 10)
	switch {
	case !c.Wide && n.Sign() < 0:
		return nil, Invalid("min_value", c.Name, "Ensure this value is greater than or equal to 0.")
	case !c.Wide && n.Cmp(big.NewInt(c.top())) > 0:
		return nil, Invalid("max_value", c.Name, fmt.Sprintf("Ensure this value is less than or equal to %d.", c.top()))
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

// acceptBoolean takes words, and the numbers 1 and 0 in any spelling. What says null is
// null, where the field can be.
func (c Column) acceptBoolean(raw json.RawMessage) (json.RawMessage, *Failure) {
	null := json.RawMessage("null")
	if rawjson.IsString(raw) {
		switch word := rawjson.Unquote(raw); {
		case isOneOf(trueWords, word):
			return json.RawMessage("true"), nil
		case isOneOf(falseWords, word):
			return json.RawMessage("false"), nil
		case !c.NotNull && (word == "" || strings.EqualFold(word, "null")):
			return null, nil
		}
	} else if n, ok := python.Number(raw); ok && (n == 0 || n == 1) {
		return rawjson.Encode(n == 1), nil
	}
	return nil, Invalid("invalid_input", c.Name, "Must be a valid boolean.")
}

func isOneOf(words []string, word string) bool {
	for _, known := range words {
		if strings.EqualFold(known, word) {
			return true
		}
	}
	return false
}

// acceptTimestamps takes a list of date-times, null among them.
func (c Column) acceptTimestamps(raw json.RawMessage) (json.RawMessage, *Failure) {
	if !rawjson.IsArray(raw) {
		return nil, c.checkTimestamps(raw)
	}
	items := rawjson.List(raw)
	for i, item := range items {
		if rawjson.IsNull(item) {
			continue
		}
		read, f := Column{Name: fmt.Sprintf("%s__%d", c.Name, i)}.acceptTimestamp(item)
		if f != nil {
			return nil, f
		}
		items[i] = read
	}
	return rawjson.Array(items), nil
}
