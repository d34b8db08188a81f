package testserver

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/wire"
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

// checkLimits goes over a text once, before any other work on it: whether it is JSON at all
// is not known yet.
func checkLimits(text []byte) error {
	depth, effort := 0, 0
	for rest := text; len(rest) > 0; {
		n := 1
		switch rest[0] {
		case '"':
			n = wire.StringExtent(rest)
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

// beyondLimits is the service's failure for JSON that is beyond the limits; nil within them.
func beyondLimits(body []byte) *wire.Failure {
	switch err := checkLimits(body); {
	case err == nil:
		return nil
	case errors.Is(err, errNesting):
		// To Python this is no error of the text, so it is the service's own.
		return wire.ServerError()
	default:
		return &wire.Failure{
			Status: http.StatusRequestEntityTooLarge, Kind: "invalid_request", Code: "request_entity_too_large",
			Detail: "The request cannot be served: its " + err.Error() + ".",
		}
	}
}
