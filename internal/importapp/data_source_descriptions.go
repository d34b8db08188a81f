package importapp

import "github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"

// readDescriptions are the descriptions of data source attributes for which those of the
// resource describe how to set a value.
var readDescriptions = attribute.Descriptions{
	"organization_id": "Organization by whose list the app was read, a UUID.",
	"name":            "Name of the app.",
	"icon":            "Address of the app's picture.",
	"tag":             "Version of the app's code.",
	"is_global":       "Whether the app is there for all organizations.",
	"plugin_type":     "Where the code comes from: `local`, `custom`, `repository`, `source` or `inline`.",
	"url":             "Address that the app was installed from, without a token.",
	"config_schema":   "Settings that the app asks for, as JSON: a list of fields with `key`, `name`, `type` and more, or a map of them by key.",
	"capabilities":    "What the app can do, as JSON: `methods`, `jobs` and `scheduled_tasks`, each a list of names.",
}
