package importapp

import (
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
)

// WithoutSecretDefaults returns a config_schema without the defaults of its secret fields,
// and the keys of these fields.
func WithoutSecretDefaults(schema jsontypes.Normalized) (jsontypes.Normalized, []string) {
	decoded := decodedSchema(schema)
	keys := api.WithoutSecretDefaults(decoded)
	if len(keys) == 0 {
		return schema, nil
	}
	return encodedSchema(decoded), keys
}

// keepSecretDefaults gives the secret fields of a desired config_schema, which lacks their
// defaults if it comes from a snapshot, those of the live app.
func keepSecretDefaults(desired, live jsontypes.Normalized) jsontypes.Normalized {
	defaults := map[string]any{}
	api.EachSecretDefault(decodedSchema(live), func(key string, field map[string]any) { defaults[key] = field["default"] })
	decoded, isChanged := decodedSchema(desired), false
	give := func(key string, value any) {
		field, _ := value.(map[string]any)
		_, has := field["default"]
		if kept, known := defaults[key]; known && field["secret"] == true && !has {
			field["default"], isChanged = kept, true
		}
	}

	switch decoded := decoded.(type) {
	case []any:
		for _, element := range decoded {
			field, _ := element.(map[string]any)
			key, _ := field["key"].(string)
			give(key, field)
		}
	case map[string]any:
		for key, value := range decoded {
			give(key, value)
		}
	}
	if !isChanged {
		return desired
	}
	return encodedSchema(decoded)
}

// decodedSchema is the JSON of a config_schema; nil where there is none.
func decodedSchema(schema jsontypes.Normalized) any {
	decoded, err := jsonvalue.Decode(schema.ValueString())
	if err != nil {
		return nil
	}
	return decoded
}

// encodedSchema is the attribute of a config_schema that was decoded from JSON.
func encodedSchema(decoded any) jsontypes.Normalized {
	text, _ := json.Marshal(decoded) // what was decoded encodes
	return attribute.JSON(text)
}
