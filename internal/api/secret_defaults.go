package api

import (
	"maps"
	"slices"
)

// EachSecretDefault calls visit for each field of a config_schema, as encoding/json decodes
// it, that is secret and has a default: a list of fields, or a map of them by key.
func EachSecretDefault(schema any, visit func(key string, field map[string]any)) {
	visitField := func(key string, value any) {
		field, _ := value.(map[string]any)
		isEmpty := field["default"] == nil || field["default"] == ""
		if field["secret"] == true && !isEmpty {
			visit(key, field)
		}
	}

	switch schema := schema.(type) {
	case []any:
		for _, element := range schema {
			field, _ := element.(map[string]any)
			key, _ := field["key"].(string)
			visitField(key, field)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(schema)) {
			visitField(key, schema[key])
		}
	}
}

// WithoutSecretDefaults removes the defaults of secret fields from a config_schema, and
// returns the keys of the fields.
func WithoutSecretDefaults(schema any) []string {
	var keys []string
	EachSecretDefault(schema, func(key string, field map[string]any) {
		delete(field, "default")
		keys = append(keys, key)
	})
	return keys
}
