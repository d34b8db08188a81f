package python

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/surveys-as-code/terraform-provider-posthog/testserver/internal/rawjson"
)

// notANumber stands for NaN in JSON that was read; see [ReadJSON].
const notANumber = "1e+000999"

// ReadJSON checks and compacts JSON as Python reads it, which also takes NaN,
// Infinity and -Infinity. The latter are numbers too great for a float then, and NaN
// is notANumber.
func ReadJSON(body []byte) (json.RawMessage, error) {
	if bytes.Contains(body, []byte("NaN")) || bytes.Contains(body, []byte("Infinity")) {
		body = withoutNaN(body)
	}
	return rawjson.Compact(body)
}

// infinite is a number that no float holds.
const infinite = "1e999"

// withoutNaN replaces the names of numbers outside of strings.
func withoutNaN(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for len(body) > 0 {
		n := 1
		switch {
		case body[0] == '"':
			n = rawjson.StringExtent(body)
			out = append(out, body[:n]...)
		case bytes.HasPrefix(body, []byte("NaN")):
			n = len("NaN")
			out = append(out, notANumber...)
		case bytes.HasPrefix(body, []byte("Infinity")):
			n = len("Infinity")
			out = append(out, infinite...)
		default:
			out = append(out, body[0])
		}
		body = body[n:]
	}
	return out
}

// HoldsInfinity reports whether there is a number in JSON that is infinite or none,
// which Python reads and does not write.
func HoldsInfinity(raw json.RawMessage) bool {
	if !bytes.ContainsAny(raw, "eE") && len(raw) < maxFloatDigits {
		return false
	}

	for rest := []byte(raw); len(rest) > 0; {
		n := 1
		switch c := rest[0]; {
		case c == '"':
			n = rawjson.StringExtent(rest)
		case c == '-' || c >= '0' && c <= '9':
			n = NumberExtent(rest)
			literal := string(rest[:n])
			if !strings.ContainsAny(literal, ".eE") {
				break
			}
			if _, err := strconv.ParseFloat(literal, 64); err != nil {
				return true
			}
		}

		rest = rest[n:]
	}
	return false
}

// maxFloatDigits are the digits before the point that a float holds.
const maxFloatDigits = 308

// NumberExtent is the length of the number at the beginning.
func NumberExtent(raw []byte) int {
	n := 1
	for n < len(raw) && strings.IndexByte("0123456789+-.eE", raw[n]) >= 0 {
		n++
	}
	return n
}
