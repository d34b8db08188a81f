package survey

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// OwnFlagPrefix is the prefix of the keys of flags that PostHog creates for surveys.
const OwnFlagPrefix = "survey-targeting-"

// targetingFromAPI converts the targeting flag to the configuration's attributes: the filters of a flag that PostHog
// created for the survey, or another flag's ID. If the configuration sets an ID, the result is always an ID.
func targetingFromAPI(wire api.Survey, prior Fields, a *attribute.Response) (types.Int64, jsontypes.Normalized) {
	flag, err := wire.TargetingFlag.Get()
	id, filters := types.Int64Null(), attribute.NullJSON
	switch {
	case !wire.TargetingFlag.IsSpecified():
		return priorOr(prior.TargetingFlagID, id), priorOr(prior.TargetingFlagFilters, filters)
	case err != nil:
	case prior.TargetingFlagID.Equal(types.Int64PointerValue(flag.ID)) || flag.Key == nil || !strings.HasPrefix(*flag.Key, OwnFlagPrefix):
		id = types.Int64PointerValue(flag.ID)
	default:
		filters = attribute.RawObject(flag.Filters)
	}

	same := SameFilters(filters.ValueString(), prior.TargetingFlagFilters.ValueString())
	return attribute.Reconcile(a, "targeting_flag_id", id, prior.TargetingFlagID, false),
		attribute.Reconcile(a, "targeting_flag_filters", filters, prior.TargetingFlagFilters, same)
}

// sendTargeting sets the targeting fields of a request. PostHog cannot unlink a targeting flag. It can only delete
// it.
func sendTargeting(request *api.SurveyRequest, planned, prior Fields) {
	hadTargeting := !prior.TargetingFlagID.IsNull() || !prior.TargetingFlagFilters.IsNull()
	id, filters := planned.TargetingFlagID, planned.TargetingFlagFilters
	switch {
	case !id.IsNull() && !id.IsUnknown():
		attribute.SendInt64(&request.TargetingFlagID, id, prior.TargetingFlagID)
	case !filters.IsNull() && !filters.IsUnknown():
		c := Change{Planned: planned, Prior: prior}
		if !c.ofFilters() {
			return
		}
		if !prior.TargetingFlagID.IsNull() && !c.NamesOwnFlag() {
			// Without this field, PostHog would write the filters to a flag that does not belong to the survey.
			request.RemoveTargetingFlag.Set(true)
		} else {
			filters = clearing(filters, prior.TargetingFlagFilters)
		}
		attribute.SendJSON(&request.TargetingFlagFilters, filters, prior.TargetingFlagFilters)
	case hadTargeting && id.IsNull() && filters.IsNull():
		request.RemoveTargetingFlag.Set(true)
	}
}

// StoredFilters returns the filters of a survey's targeting flag. PostHog merges the filters in a request into them
// key by key.
func StoredFilters(f Fields) string {
	filters, ok := f.TargetingFlag.Attributes()["filters"].(jsontypes.Normalized)
	if !ok || !attribute.IsKnown(filters) {
		return ""
	}
	return filters.ValueString()
}
