package python

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// NumberText is a JSON number as Python writes it: whole ones with all their digits,
// others as the shortest decimal that reads back the same.
func NumberText(literal string) string {
	if literal == notANumber {
		return "nan"
	}

	if !strings.ContainsAny(literal, ".eE") {
		if literal == "-0" {
			return "0"
		}
		return literal
	}

	// What is too great for a float is infinite, which is what ParseFloat returns.
	x, _ := strconv.ParseFloat(literal, 64)
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}

	if size := math.Abs(x); x != 0 && (size < 1e-4 || size >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}

	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// Int reads a whole number as int() does: a text that is one, a number without its
// fraction, a boolean as 1 or 0. It takes 62 bits.
func Int(raw json.RawMessage) (int64, bool) {
	if rawjson.IsString(raw) {
		n, err := strconv.ParseInt(strings.ReplaceAll(Trim(rawjson.Unquote(raw)), "_", ""), 10, 64)
		return n, err == nil
	}
	n, ok := Number(raw)
	if !ok || math.Abs(n) > math.MaxInt64/2 {
		return 0, false
	}
	return int64(n), true
}

// Rounded is a number rounded to two places, as short as it gets with a point.
func Rounded(x float64) string {
	s := strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0")
	if strings.HasSuffix(s, ".") {
		return s + "0"
	}
	return s
}

// Number reads a JSON number; true and false are numbers to the service.
func Number(raw json.RawMessage) (float64, bool) {
	switch string(raw) {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	return n, err == nil
}
