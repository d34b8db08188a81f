package python

import (
	"encoding/json"
	"strings"
)

// TypeName is the name of a JSON type in the service's errors.
func TypeName(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "dict"
	case '[':
		return "list"
	case '"':
		return "str"
	case 't', 'f':
		return "bool"
	case 'n':
		return "NoneType"
	}
	if strings.ContainsAny(string(raw), ".eE") {
		return "float"
	}
	return "int"
}
