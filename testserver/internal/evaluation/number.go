package evaluation

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// number reads a value as a number: a number, or a text that is one in the spelling of
// Rust, which has no blanks, no underscores and no hexadecimal numbers.
func number(v value) (float64, bool) {
	if v.kind != numberKind && v.kind != textKind || strings.ContainsAny(v.text, "xX_") {
		return 0, false
	}
	n, err := strconv.ParseFloat(v.text, 64)
	return n, err == nil || errors.Is(err, strconv.ErrRange)
}

func onNumbers(holds func(have, want float64) bool) func(*property, value, clock) outcome {
	return func(p *property, have value, _ clock) outcome {
		has, ok := number(have)
		if !ok {
			return unknown("the value of " + p.key + " is not a number")
		}
		want, ok := number(p.want)
		if !ok {
			return unknown("the filter on " + p.key + " does not name a number")
		}
		return matches(holds(has, want))
	}
}

// between includes both ends.
func between(p *property, have value, _ clock) outcome { return within(p, have, true) }

func notBetween(p *property, have value, _ clock) outcome { return within(p, have, false) }

func within(p *property, have value, isInside bool) outcome {
	var low, high float64
	ok := len(p.want.items) == 2
	if ok {
		var okLow, okHigh bool
		low, okLow = number(p.want.items[0])
		high, okHigh = number(p.want.items[1])
		ok = okLow && okHigh && low <= high
	}
	if !ok {
		return unknown("the filter on " + p.key + " does not name two numbers, the smaller one first")
	}

	has, ok := number(have)
	if !ok {
		return unknown("the value of " + p.key + " is not a number")
	}
	if math.IsNaN(has) {
		return miss
	}
	return matches((has >= low && has <= high) == isInside)
}
