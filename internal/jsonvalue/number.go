package jsonvalue

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// numberOf is the text of a number; false for any other value. The JSON of a plan has
// numbers as float64.
func numberOf(value any) (json.Number, bool) {
	switch value := value.(type) {
	case json.Number:
		return value, true
	case float64:
		return json.Number(strconv.FormatFloat(value, 'f', -1, 64)), true
	}
	return "", false
}

// FromFloat returns a number of a plan's JSON, with all of its digits.
func FromFloat(value float64) json.Number {
	number, _ := numberOf(value)
	return number
}

// decimal is a number as digits times a power of ten. Digits begin and end with another one
// than 0; those of 0 are empty.
type decimal struct {
	isNegative bool
	digits     string
	exponent   *big.Int
}

// sameNumber compares two numbers by value. It computes neither: 1e999999999 has more digits
// than there is memory.
func sameNumber(a, b json.Number) bool {
	x, okX := decimalOf(a.String())
	y, okY := decimalOf(b.String())
	return okX && okY && x.isNegative == y.isNegative && x.digits == y.digits && x.exponent.Cmp(y.exponent) == 0
}

// decimalOf reads a number; false for what is none.
func decimalOf(text string) (decimal, bool) {
	text, isNegative := strings.CutPrefix(text, "-")
	mantissa, power := text, "0"
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa, power = text[:i], text[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	exponent, ok := new(big.Int).SetString(power, 10)
	if !ok || whole == "" || !isDigits(whole+fraction) {
		return decimal{}, false
	}

	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return decimal{exponent: new(big.Int)}, true
	}
	significant := strings.TrimRight(digits, "0")
	exponent.Add(exponent, big.NewInt(int64(len(digits)-len(significant)-len(fraction))))
	return decimal{isNegative, significant, exponent}, true
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789") == "" }
