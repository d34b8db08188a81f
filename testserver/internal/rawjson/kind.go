package rawjson

import "encoding/json"

// IsObject reports whether a value is an object; an absent one is not.
func IsObject(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '{' }

// IsArray reports whether a value is an array; an absent one is not.
func IsArray(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '[' }

// IsString reports whether a value is a string; an absent one is not.
func IsString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// IsNull reports whether a value is absent or null.
func IsNull(raw json.RawMessage) bool { return len(raw) == 0 || raw[0] == 'n' }

// Kind names the type of a value with its article, for messages.
func Kind(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
