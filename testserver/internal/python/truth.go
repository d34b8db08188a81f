package python

import "encoding/json"

// IsTruthy reports whether the service takes a value for something: absent, null, false,
// zero and what is empty are nothing to it.
func IsTruthy(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "[]", "{}":
		return false
	}
	n, ok := Number(raw)
	return !ok || n != 0
}
