package wire

import (
	"errors"
	"fmt"
	"net/http"
)

// Limits of JSON texts. PostHog has a similar limit on nesting, because Python cannot read deeper values. maxEffort
// limits the work on a document, because the server reads each level of nesting separately.
const (
	maxNesting = 900
	maxEffort  = 1 << 30
)

var (
	errNesting = fmt.Errorf("JSON is nested more than %d levels deep", maxNesting)
	errEffort  = errors.New("JSON is nested too deeply for its size")
)

// CheckLimits checks a text before it is decoded. The text may be invalid JSON.
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

// TooDeep returns PostHog's failure for a text that exceeds the limits.
func TooDeep(err error) *Failure {
	if errors.Is(err, errNesting) {
		// Python does not treat this as a parse error, so PostHog responds with status 500.
		return ServerError()
	}
	return &Failure{
		Status: http.StatusRequestEntityTooLarge, Kind: "invalid_request", Code: "request_entity_too_large",
		Detail: "The request cannot be served: its " + err.Error() + ".",
	}
}

// stringExtent returns the length of the string at the start of text, including its quotes. If the string does
// not end, it returns the length of text.
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
