package wire

import (
	"bytes"
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

// stringExtent is the length of the string at the beginning, quotes included. Most of a large
// document is in its strings, so only their quotes and backslashes are looked at.
func stringExtent(raw []byte) int {
	for end := 1; end < len(raw); end++ {
		next := bytes.IndexByte(raw[end:], '"')
		if next < 0 {
			break
		}

		end += next
		if !endsInEscape(raw[1:end]) {
			return end + 1
		}
	}
	return len(raw)
}

// endsInEscape reports whether a part of a string ends in a backslash that escapes what follows:
// backslashes in pairs stand for themselves.
func endsInEscape(part []byte) bool {
	backslashes := 0
	for backslashes < len(part) && part[len(part)-1-backslashes] == '\\' {
		backslashes++
	}
	return backslashes%2 == 1
}
