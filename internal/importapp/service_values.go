package importapp

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// The service fills in by itself what it reads from the code of an app, and its
// plugin server rewrites the capabilities later. A value that the configuration
// never set is not the configuration's to take back.

// configuredKey is the key of the private state that lists the attributes which
// the configuration set at the last apply.
const configuredKey = "configured"

// serviceFilled are the attributes that the service may fill in.
var serviceFilled = []string{"plugin_type", "name", "description", "icon", "tag", "config_schema", "capabilities", "metrics", "public_jobs"}

func saveConfigured(ctx context.Context, configured func(string) bool, private attribute.PrivateState, diags *diag.Diagnostics) {
	names := slices.DeleteFunc(slices.Clone(serviceFilled), func(name string) bool { return !configured(name) })
	// A list of names always encodes.
	raw, _ := json.Marshal(names)
	diags.Append(private.SetKey(ctx, configuredKey, raw)...)
}

// loadConfigured are the attributes that the configuration set at the last apply.
// What cannot be read counts as nothing set: then nothing is taken back.
func loadConfigured(ctx context.Context, private attribute.PrivateState, diags *diag.Diagnostics) []string {
	raw, found := private.GetKey(ctx, configuredKey)
	diags.Append(found...)
	var names []string
	if len(raw) == 0 || json.Unmarshal(raw, &names) != nil {
		return nil
	}
	return names
}

// keepServiceValues keeps the values that the configuration omits and omitted at the
// last apply. What it has just taken out is reset, by the schema.
func keepServiceValues(before []string, config Fields, planned *Fields, prior Fields) {
	keepUnlessConfigured(before, "plugin_type", config.PluginType, &planned.PluginType, prior.PluginType)
	keepUnlessConfigured(before, "name", config.Name, &planned.Name, prior.Name)
	keepUnlessConfigured(before, "description", config.Description, &planned.Description, prior.Description)
	keepUnlessConfigured(before, "icon", config.Icon, &planned.Icon, prior.Icon)
	keepUnlessConfigured(before, "tag", config.Tag, &planned.Tag, prior.Tag)
	keepUnlessConfigured(before, "config_schema", config.ConfigSchema, &planned.ConfigSchema, prior.ConfigSchema)
	keepUnlessConfigured(before, "capabilities", config.Capabilities, &planned.Capabilities, prior.Capabilities)
	keepUnlessConfigured(before, "metrics", config.Metrics, &planned.Metrics, prior.Metrics)
	keepUnlessConfigured(before, "public_jobs", config.PublicJobs, &planned.PublicJobs, prior.PublicJobs)
}

func keepUnlessConfigured[T attr.Value](before []string, name string, config T, planned *T, prior T) {
	if config.IsNull() && !slices.Contains(before, name) {
		*planned = prior
	}
}
