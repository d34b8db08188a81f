package check

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/survey"
)

// checkRemovedFlag refuses to link the flag that the same apply deletes: the service
// deletes a targeting flag that a survey no longer uses.
func checkRemovedFlag(planned, prior survey.Fields, found *Findings) {
	id, ok := prior.TargetingFlag.Attributes()["id"].(types.Int64)
	if !ok || !attribute.IsKnown(id) || !planned.LinkedFlagID.Equal(id) {
		return
	}
	hadTargeting := !prior.TargetingFlagID.IsNull() || !prior.TargetingFlagFilters.IsNull()
	if hadTargeting && planned.TargetingFlagID.IsNull() && planned.TargetingFlagFilters.IsNull() {
		found.errorf(atAttribute("linked_flag_id"), "Linked flag is deleted by this change",
			"is %d, which is the targeting flag that this configuration removes: the service deletes it. "+
				"Keep it in targeting_flag_id, or link another flag.", id.ValueInt64())
	}
}
