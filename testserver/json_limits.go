package testserver

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/field"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/python"
	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// The limits of JSON. Python, in which the hosted service is written, reads no integer with
// more digits and no deeper nesting either. The last one bounds the work on a document: each
// level of nesting is gone over by itself.
const (
	maxDigits  = 4300
	maxNesting = 900
	maxEffort  = 1 << 30
)

var (
	errNesting = fmt.Errorf("JSON is nested more than %d levels deep", maxNesting)
	errEffort  = errors.New("JSON is nested too deeply for its size")
)

// digitsError is Python's error for an integer with that many digits.
type digitsError int

// Error implements error.
func (d digitsError) Error() string {
	return fmt.Sprintf("Exceeds the limit (%d digits) for integer string conversion: value has %d digits; "+
		"use sys.set_int_max_str_digits() to increase the limit", maxDigits, int(d))
}

// checkLimits goes over a text once, before any other work on it: whether it is JSON at all
// is not known yet.
func checkLimits(text []byte) error {
	depth, effort := 0, 0
	for rest := text; len(rest) > 0; {
		n := 1
		switch c := rest[0]; {
		case c == '"':
			n = rawjson.StringExtent(rest)
		case c == '{' || c == '[':
			if depth++; depth > maxNesting {
				return errNesting
			}
		case c == '}' || c == ']':
			depth--
		case c == '-' || c >= '0' && c <= '9':
			n = python.NumberExtent(rest)
			if digits := integerDigits(rest[:n]); digits > maxDigits {
				return digitsError(digits)
			}
		}

		rest = rest[n:]
		if effort += depth * n; effort > maxEffort {
			return errEffort
		}
	}
	return nil
}

// integerDigits is the number of digits of an integer; 0 for other numbers.
func integerDigits(literal []byte) int {
	digits := 0
	for i, c := range literal {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case i > 0 || c != '-':
			return 0
		}
	}
	return digits
}

// beyondLimits is the service's failure for JSON that is beyond the limits; nil within them.
func beyondLimits(body []byte) *field.Failure {
	err := checkLimits(body)
	digits, tooLong := errors.AsType[digitsError](err)
	switch {
	case err == nil:
		return nil
	case tooLong:
		return field.BadRequest("parse_error", "JSON parse error - "+digits.Error())
	case errors.Is(err, errNesting):
		// To Python this is no error of the text, so it is the service's own.
		return field.ServerError()
	}
	return &field.Failure{
		Status: http.StatusRequestEntityTooLarge, Kind: "invalid_request", Code: "request_entity_too_large",
		Detail: "The request cannot be served: its " + err.Error() + ".",
	}
}
