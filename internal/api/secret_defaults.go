package api

import (
	"maps"
	"slices"
)

// EachSecretField calls visit for each secret field of a config_schema in the form in which encoding/json
// decodes it: a list of fields, or a map of fields by key.
func EachSecretField(schema any, visit func(key string, field map[string]any)) {
	visitField := func(key string, value any) {
		if field, _ := value.(map[string]any); field["secret"] == true {
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

// EachSecretDefault calls visit for each secret field with a default.
func EachSecretDefault(schema any, visit func(key string, field map[string]any)) {
	EachSecretField(schema, func(key string, field map[string]any) {
		if field["default"] != nil && field["default"] != "" {
			visit(key, field)
		}
	})
}

// WithoutSecretDefaults removes the defaults of secret fields from a config_schema, and returns the keys of these
// fields.
func WithoutSecretDefaults(schema any) []string {
	var keys []string
	EachSecretDefault(schema, func(key string, field map[string]any) {
		delete(field, "default")
		keys = append(keys, key)
	})
	return keys
}
