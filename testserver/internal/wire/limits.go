package wire

import (
	"errors"
	"fmt"
	"net/http"
)

// The limits of JSON. Python, in which the hosted service is written, reads no deeper nesting
// either. The last one bounds the work on a document: each level of nesting is gone over by
// itself.
const (
	maxNesting = 900
	maxEffort  = 1 << 30
)

var (
	errNesting = fmt.Errorf("JSON is nested more than %d levels deep", maxNesting)
	errEffort  = errors.New("JSON is nested too deeply for its size")
)

// CheckLimits goes over a text once, before any other work on it: whether it is JSON at all
// is not known yet.
func CheckLimits(text []byte) error {
	depth, effort := 0, 0
	for rest := text; len(rest) > 0; {
		n := 1
		switch rest[0] {
		case '"':
			n = stringExtent(rest)
		case '{', '[':
			if depth++; depth > maxNesting {
				return errNesting
			}
		case '}', ']':
			depth--
		}
		rest = rest[n:]
		if effort += depth * n; effort > maxEffort {
			return errEffort
		}
	}
	return nil
}

// TooDeep is the service's failure for a text that is beyond the limits.
func TooDeep(err error) *Failure {
	if errors.Is(err, errNesting) {
		// To Python this is no error of the text, so it is the service's own.
		return ServerError()
	}
	return &Failure{
		Status: http.StatusRequestEntityTooLarge, Kind: "invalid_request", Code: "request_entity_too_large",
		Detail: "The request cannot be served: its " + err.Error() + ".",
	}
}

// stringExtent returns the length of the string at the start of text, including its quotes, or of text
// if the string does not end.
func stringExtent[T string | []byte](text T) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
