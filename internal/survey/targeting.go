package survey

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// ownFlagPrefix starts the key of a flag that the service created for a survey.
const ownFlagPrefix = "survey-targeting-"

// targetingFromAPI says who a survey is shown to in the terms of the configuration: a
// flag that the service created for the survey is its filters, another one is its id.
// An id that was configured stays an id.
func targetingFromAPI(wire api.Survey, prior Fields, a *attribute.Answer) (types.Int64, jsontypes.Normalized) {
	flag, err := wire.TargetingFlag.Get()
	id, filters := types.Int64Null(), attribute.NullJSON
	switch {
	case !wire.TargetingFlag.IsSpecified():
		return priorOr(prior.TargetingFlagID, id), priorOr(prior.TargetingFlagFilters, filters)
	case err != nil:
	case prior.TargetingFlagID.Equal(types.Int64PointerValue(flag.ID)) || flag.Key == nil || !strings.HasPrefix(*flag.Key, ownFlagPrefix):
		id = types.Int64PointerValue(flag.ID)
	default:
		filters = rawObject(flag.Filters)
	}

	same := attribute.EquivalentJSON(prior.TargetingFlagFilters.ValueString(), filters.ValueString())
	return attribute.Reconcile(a, "targeting_flag_id", id, prior.TargetingFlagID, false),
		attribute.Reconcile(a, "targeting_flag_filters", filters, prior.TargetingFlagFilters, same)
}

// sendTargeting writes who a survey is shown to. The service has no way to unlink
// a targeting flag: it deletes it.
func sendTargeting(request *api.SurveyRequest, planned, prior Fields) {
	had := !prior.TargetingFlagID.IsNull() || !prior.TargetingFlagFilters.IsNull()
	id, filters := planned.TargetingFlagID, planned.TargetingFlagFilters
	switch {
	case !id.IsNull() && !id.IsUnknown():
		attribute.SendInt64(&request.TargetingFlagID, id, prior.TargetingFlagID)
	case !filters.IsNull() && !filters.IsUnknown():
		attribute.SendJSON(&request.TargetingFlagFilters, filters, prior.TargetingFlagFilters)
		if !prior.TargetingFlagID.IsNull() {
			// Without this the filters would be written into a flag that is not the survey's own.
			request.RemoveTargetingFlag.Set(true)
		}
	case had && id.IsNull() && filters.IsNull():
		request.RemoveTargetingFlag.Set(true)
	}
}
