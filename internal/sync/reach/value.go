package reach

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// switchOf is a boolean, or the word for one.
func switchOf(value any) (on, ok bool) {
	switch value := value.(type) {
	case bool:
		return value, true
	case string:
		word := strings.ToLower(value)
		return word == "true", word == "true" || word == "false"
	}
	return false, false
}

// scalars are the values that exact and is_not compare with, one or several; false when they
// are compared in another way: booleans by whether a value is as true, and nested values.
func scalars(value any) ([]any, bool) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	areSwitches := true
	for _, element := range list {
		switch element.(type) {
		case string, json.Number, bool:
		default:
			return nil, false
		}
		_, isSwitch := switchOf(element)
		areSwitches = areSwitches && isSwitch
	}
	return list, !areSwitches
}

func anyOf(list []any, is func(any) bool) bool { return slices.ContainsFunc(list, is) }

// mayEqual reports whether a property may equal both values: letter case does not count, and
// a number is equal in any spelling.
func mayEqual(a, b any) bool {
	x, okX := numberOf(a)
	y, okY := numberOf(b)
	if okX && okY && x == y {
		return true
	}
	textA, textB := jsonvalue.String(a), jsonvalue.String(b)
	return strings.EqualFold(textA, textB) || strings.ContainsAny(textA+textB, oddLetters)
}

// oddLetters are letters whose lower case differs among languages and programs: I with a dot,
// and the Greek Sigma.
const oddLetters = "İΣσς"

// areEqual reports whether every property that equals a equals b.
func areEqual(a, b any) bool {
	textA, isTextA := a.(string)
	textB, isTextB := b.(string)
	if isTextA && isTextB {
		return isASCII(textA) && isASCII(textB) && strings.EqualFold(textA, textB)
	}
	return jsonvalue.Identical(a, b)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// numberOf reads a number, or a text that is one.
func numberOf(value any) (float64, bool) {
	var text string
	switch value := value.(type) {
	case json.Number:
		text = value.String()
	case string:
		text = value
	default:
		return 0, false
	}
	if strings.ContainsAny(text, "xX_") {
		return 0, false
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil || errors.Is(err, strconv.ErrRange)
}
