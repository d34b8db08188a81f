package survey

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/oapi-codegen/nullable"

	"github.com/surveys-as-code/terraform-provider-posthog/internal/api"
	"github.com/surveys-as-code/terraform-provider-posthog/internal/framework/attribute"
)

// sent maps the attributes that are sent only in the field with the same name.
var sent = attribute.MustMap[api.SurveyRequest, Fields]("targeting_flag_id", "targeting_flag_filters", "questions", "iteration_start_dates")

// ToAPI returns the request for a planned change: the fields that differ from prior, and the fields that PostHog
// requires with them. If prior is the zero Fields, it returns a create request. newID returns a new question's ID.
func ToAPI(ctx context.Context, planned, prior Fields, newID func() string, diags *diag.Diagnostics) api.SurveyRequest {
	var r api.SurveyRequest
	sent.Send(&r, attribute.FromStruct(&planned), attribute.FromStruct(&prior))
	sendIterations(ctx, &r, planned, prior, diags)
	sendSampling(&r, planned)
	sendTargeting(&r, planned, prior)
	sendQuestions(&r, planned, prior, newID, diags)
	sendCompanions(&r, planned, prior)
	return r
}

// sendIterations always sends count and frequency together, because a count alone switches the stored frequency off.
func sendIterations(ctx context.Context, r *api.SurveyRequest, planned, prior Fields, diags *diag.Diagnostics) {
	if r.IterationCount.IsSpecified() && !planned.IterationFrequencyDays.IsNull() {
		attribute.SendInt64(&r.IterationFrequencyDays, planned.IterationFrequencyDays, types.Int64Null())
	}
	if r.IterationFrequencyDays.IsSpecified() && !planned.IterationCount.IsNull() {
		attribute.SendInt64(&r.IterationCount, planned.IterationCount, types.Int64Null())
	}

	dates := planned.IterationStartDates
	switch {
	case dates.IsUnknown() || dates.Equal(prior.IterationStartDates):
	case dates.IsNull():
		if !prior.IterationStartDates.IsNull() {
			r.IterationStartDates.SetNull()
		}
	default:
		var moments []types.String
		diags.Append(dates.ElementsAs(ctx, &moments, false)...)
		wire := make([]nullable.Nullable[string], len(moments))
		for i, moment := range moments {
			wire[i].SetNull()
			attribute.SendString(&wire[i], moment, types.StringNull())
		}
		r.IterationStartDates.Set(wire)
	}
}

// sendSampling sends a limit together with its start and interval, because PostHog requires them in the same body.
func sendSampling(r *api.SurveyRequest, planned Fields) {
	if r.ResponseSamplingLimit.IsSpecified() && planned.SamplingLimit.ValueInt64() > 0 {
		attribute.SendString(&r.ResponseSamplingStartDate, planned.SamplingStartDate, types.StringNull())
		attribute.SendInt64(&r.ResponseSamplingInterval, planned.SamplingInterval, types.Int64Null())
	}
}

// sendCompanions adds unchanged fields that PostHog needs in the same request. Without conditions, an update unlinks
// the survey's actions. PostHog validates linkedFlagVariant only against a linked flag in the same body. For sampling
// limits, see sendSampling.
func sendCompanions(r *api.SurveyRequest, planned, prior Fields) {
	if IsEmptyRequest(*r) {
		return
	}
	if LinksActions(prior.Conditions) && !planned.Conditions.IsNull() {
		attribute.SendJSON(&r.Conditions, planned.Conditions, attribute.NullJSON)
	}
	if r.Conditions.IsSpecified() && !attribute.IsJSONNull(attribute.ObjectKeys(planned.Conditions)["linkedFlagVariant"]) {
		attribute.SendInt64(&r.LinkedFlagID, planned.LinkedFlagID, types.Int64Null())
	}
}

// LinksActions reports whether conditions link actions, with a nonempty list or with a value that is not a list.
func LinksActions(conditions jsontypes.Normalized) bool {
	raw := attribute.ObjectKeys(conditions)["actions"]
	var actions map[string]json.RawMessage
	if attribute.IsJSONNull(raw) || json.Unmarshal(raw, &actions) != nil {
		return !attribute.IsJSONNull(raw)
	}
	var values []json.RawMessage
	return !attribute.IsJSONNull(actions["values"]) && (json.Unmarshal(actions["values"], &values) != nil || len(values) > 0)
}

// IsEmptyRequest reports whether a request changes nothing.
func IsEmptyRequest(r api.SurveyRequest) bool {
	raw, err := json.Marshal(r)
	return err == nil && string(raw) == "{}"
}
