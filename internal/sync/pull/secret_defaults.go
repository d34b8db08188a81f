package pull

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/jsonvalue"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/sync/hcledit"
)

// schemaName is the argument whose fields may have secret defaults.
const schemaName = "config_schema"

// withholdSecretDefaults takes the secret defaults of an import app that differ from the code
// out of what is merged into it, and remembers the keys of their fields: a secret in code is
// read by everybody who reads the code.
func (r *Resource) withholdSecretDefaults() {
	inCode := schemaFields(schemaOf(r.Versions.Code))
	withheld := map[string]bool{}

	for _, version := range []*any{&r.Versions.Applied, &r.Versions.Live} {
		schema, isChanged := schemaOf(*version), false
		api.EachSecretDefault(schema, func(key string, field map[string]any) {
			r.Sensitive[schemaName] = true
			wanted, has := inCode[key]["default"]
			if jsonvalue.Equal(field["default"], wanted) {
				return
			}

			isChanged = true
			if version == &r.Versions.Live {
				withheld[key] = true
			}
			if delete(field, "default"); has {
				field["default"] = wanted
			}
		})
		if isChanged {
			*version = withSchema(*version, schema)
		}
	}

	api.EachSecretDefault(schemaOf(r.Versions.Code), func(string, map[string]any) { r.Sensitive[schemaName] = true })
	r.withheld = slices.Sorted(maps.Keys(withheld))
}

// leaveSecretDefaults reports the secret defaults that are not written.
func (p *pull) leaveSecretDefaults(r Resource) {
	for _, key := range r.withheld {
		p.found(r, "", hcledit.Finding{Outcome: hcledit.Unresolved, Attribute: schemaName, Reason: fmt.Sprintf(
			"the default of the secret field %q is another one than in the code, and is not written: pass it in with a sensitive variable, or ignore changes of config_schema", key,
		)})
	}
}

// schemaOf is the config_schema of one version of an app; nil where there is none.
func schemaOf(version any) any {
	arguments, _ := version.(map[string]any)
	text, _ := arguments[schemaName].(jsonvalue.Text)
	schema, err := jsonvalue.Decode(text)
	if err != nil {
		return nil
	}
	return schema
}

// withSchema is a version with another config_schema.
func withSchema(version, schema any) any {
	text, _ := json.Marshal(schema) // it was decoded
	arguments, _ := version.(map[string]any)
	arguments = maps.Clone(arguments)
	arguments[schemaName] = jsonvalue.Text(text)
	return arguments
}

// schemaFields are the fields of a config_schema by their keys.
func schemaFields(schema any) map[string]map[string]any {
	fields := map[string]map[string]any{}
	switch schema := schema.(type) {
	case []any:
		for _, element := range schema {
			field, _ := element.(map[string]any)
			if key, _ := field["key"].(string); field != nil {
				fields[key] = field
			}
		}
	case map[string]any:
		for key, value := range schema {
			fields[key], _ = value.(map[string]any)
		}
	}
	return fields
}
