package jsonvalue

// IsEmpty reports whether a value says nothing: null, "", false, a list without elements, or
// an object without a key that is not null. The number 0 is a value. Of two values that are
// [Equal] both are empty, or none.
func IsEmpty(value any) bool {
	switch value := value.(type) {
	case nil:
		return true
	case string:
		return value == ""
	case bool:
		return !value
	case []any:
		return len(value) == 0
	case map[string]any:
		for _, member := range value {
			if member != nil {
				return false
			}
		}
		return true
	case Text:
		decoded, err := Decode(value)
		return value == "" || err == nil && IsEmpty(decoded)
	}
	return false
}
