package rawjson

import "encoding/json"

// Lookup returns the value of a member of an object; nil when there is none, or when the value
// is not an object. Of a name that occurs twice the last value counts. It takes no memory
// unless a name is written with escapes.
func Lookup(raw json.RawMessage, name string) json.RawMessage {
	if !IsObject(raw) {
		return nil
	}

	var found json.RawMessage
	for quoted, value := range Each(raw) {
		if string(quoted[1:len(quoted)-1]) == name || Unquote(quoted) == name {
			found = value
		}
	}
	return found
}
