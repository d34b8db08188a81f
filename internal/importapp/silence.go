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

// served are the attributes that the service may fill in.
var served = []string{"plugin_type", "name", "description", "icon", "tag", "config_schema", "capabilities", "metrics", "public_jobs"}

func keepConfigured(ctx context.Context, configured func(string) bool, private attribute.PrivateState, diags *diag.Diagnostics) {
	names := slices.DeleteFunc(slices.Clone(served), func(name string) bool { return !configured(name) })
	// A list of names always encodes.
	raw, _ := json.Marshal(names)
	diags.Append(private.SetKey(ctx, configuredKey, raw)...)
}

// wasConfigured reports whether the configuration set an attribute at the last apply.
func wasConfigured(ctx context.Context, name string, private attribute.PrivateState, diags *diag.Diagnostics) bool {
	raw, found := private.GetKey(ctx, configuredKey)
	diags.Append(found...)
	var configured []string
	return len(raw) > 0 && json.Unmarshal(raw, &configured) == nil && slices.Contains(configured, name)
}

// planSilence leaves alone what the configuration is silent about and was silent
// about at the last apply. What it has just taken out is reset, by the schema.
func planSilence(ctx context.Context, config Model, planned *Model, prior Model, private attribute.PrivateState, diags *diag.Diagnostics) {
	never := func(name string, value attr.Value) bool {
		return value.IsNull() && !wasConfigured(ctx, name, private, diags)
	}
	if never("plugin_type", config.PluginType) {
		planned.PluginType = prior.PluginType
	}
	if never("name", config.Name) {
		planned.Name = prior.Name
	}
	if never("description", config.Description) {
		planned.Description = prior.Description
	}
	if never("icon", config.Icon) {
		planned.Icon = prior.Icon
	}
	if never("tag", config.Tag) {
		planned.Tag = prior.Tag
	}
	if never("config_schema", config.ConfigSchema) {
		planned.ConfigSchema = prior.ConfigSchema
	}
	if never("capabilities", config.Capabilities) {
		planned.Capabilities = prior.Capabilities
	}
	if never("metrics", config.Metrics) {
		planned.Metrics = prior.Metrics
	}
	if never("public_jobs", config.PublicJobs) {
		planned.PublicJobs = prior.PublicJobs
	}
}
