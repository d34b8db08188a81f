package importapp

import (
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

var pluginTypes = attribute.EnumerationOf(api.Local, api.Custom, api.Repository, api.Source, api.Inline)

// checkEnumerations checks enumerations. Checks that need no prior state are in the schema.
func checkEnumerations(planned, prior Fields, diags *diag.Diagnostics) {
	pluginTypes.Check(path.Root("plugin_type"), planned.PluginType, []types.String{prior.PluginType}, diags)
}
