package terraform

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// warnOfTargetingChange warns of what becomes of a flag that an update removes from a
// survey: the service deletes it, or leaves it behind.
func warnOfTargetingChange(planned, prior survey.Fields, diags *diag.Diagnostics) {
	flag := targetingFlagOf(prior)
	switch {
	case planned.TargetingFlagID.IsUnknown(), survey.Change{Planned: planned, Prior: prior}.NamesOwnFlag():
	case !prior.TargetingFlagID.IsNull() && planned.TargetingFlagID.IsNull():
		diags.AddAttributeWarning(path.Root("targeting_flag_id"), fmt.Sprintf("The service will delete feature flag %s", flag),
			fmt.Sprintf("targeting_flag_id of survey %q goes from %d to nothing. The service cannot unlink a targeting flag, it deletes it: "+
				"feature flag %s will be deleted, and whatever else uses it loses it too. To keep the flag, leave targeting_flag_id as it is or point it at another flag.",
				prior.Name.ValueString(), flag.id, flag))
	case flag.own && !planned.TargetingFlagID.IsNull():
		diags.AddAttributeWarning(path.Root("targeting_flag_id"), survey.TitleOf("The survey's own feature flag stays behind", prior.Name),
			fmt.Sprintf("targeting_flag_id of survey %q takes the place of targeting_flag_filters. The flag %s, which the service created for these filters, "+
				"is unlinked and not deleted. Delete it in the web interface if nothing uses it.", prior.Name.ValueString(), flag))
	}
}
