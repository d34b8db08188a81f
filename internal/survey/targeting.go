package survey

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/attribute"
)

// ownFlagPrefix starts the key of a flag that the service made for a survey.
const ownFlagPrefix = "survey-targeting-"

// targetingFromAPI says who a survey is shown to in the terms of the configuration: a
// flag that the service made for the survey is its filters, another one is its id.
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

// priorOr returns a known prior value, and otherwise what there is without one.
func priorOr[T interface{ IsUnknown() bool }](prior, fallback T) T {
	if prior.IsUnknown() {
		return fallback
	}
	return prior
}

// withoutIndex drops the null aggregation_group_type_index that the hosted service adds
// to targeting filters, at the top and in each group.
func withoutIndex(text string) string {
	const index = "aggregation_group_type_index"
	var filters map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &filters) != nil || filters == nil {
		return text
	}
	drop := func(object map[string]json.RawMessage) {
		if attribute.IsJSONNull(object[index]) {
			delete(object, index)
		}
	}
	drop(filters)
	var groups []map[string]json.RawMessage
	if json.Unmarshal(filters["groups"], &groups) == nil {
		for _, group := range groups {
			drop(group)
		}
		if raw, err := json.Marshal(groups); err == nil {
			filters["groups"] = raw
		}
	}
	raw, err := json.Marshal(filters)
	if err != nil {
		return text
	}
	return string(raw)
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

// warnOfTargetingChange says at plan what becomes of the flag that an update takes off
// a survey: the service deletes it, or leaves it behind.
func warnOfTargetingChange(planned, prior Fields, diags *diag.Diagnostics) {
	flag := targetingFlagOf(prior)
	switch {
	case planned.TargetingFlagID.IsUnknown():
	case !prior.TargetingFlagID.IsNull() && planned.TargetingFlagID.IsNull():
		diags.AddAttributeWarning(path.Root("targeting_flag_id"), fmt.Sprintf("The service will delete feature flag %s", flag),
			fmt.Sprintf("targeting_flag_id of survey %q goes from %d to nothing. The service cannot unlink a targeting flag, it deletes it: "+
				"feature flag %s will be gone, for whatever else uses it too. To keep the flag, leave targeting_flag_id as it is or point it at another flag.",
				prior.Name.ValueString(), flag.id, flag))
	case flag.own && !planned.TargetingFlagID.IsNull():
		diags.AddAttributeWarning(path.Root("targeting_flag_id"), "The survey's own feature flag stays behind",
			fmt.Sprintf("targeting_flag_id of survey %q takes the place of targeting_flag_filters. The flag %s, which the service made for these filters, "+
				"is unlinked and not deleted. Delete it in the web interface if nothing uses it.", prior.Name.ValueString(), flag))
	}
}
